/** What a push message says; one that cannot be read still says that something came. */
export function wordsOf(data: { json(): unknown } | null): string {
  try {
    const said: unknown = data?.json();
    if (
      typeof said === 'object' &&
      said !== null &&
      'message' in said &&
      typeof said.message === 'string'
    )
      return said.message;
  } catch {
    // Not JSON.
  }
  return 'New order';
}
