/** What an error says; one that is no Error is told as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
