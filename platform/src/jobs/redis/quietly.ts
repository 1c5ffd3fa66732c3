/** The same complaint is told again after this time only, in milliseconds. */
const silenceMs = 30_000;

/** Tells of each different message once in a while: an outage is one thing, not a line a second. */
export function quietly(
  tell: (error: unknown) => void,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  const told = new Map<string, number>();
  return (error) => {
    const message = error instanceof Error ? error.message : String(error);
    const at = now();
    const last = told.get(message);
    if (last !== undefined && at - last < silenceMs) return;
    for (const [old, when] of told) if (at - when >= silenceMs) told.delete(old);
    told.set(message, at);
    tell(error);
  };
}
