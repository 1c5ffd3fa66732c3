/** The value of a JSON text; null when it is none, as one that a kill cut off or that another program wrote. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
