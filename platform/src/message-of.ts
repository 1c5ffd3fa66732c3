/** What an error says; one that is no Error is told as text. Of a schema's error, whose message is JSON, each issue. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (!('issues' in error) || !Array.isArray(error.issues)) return error.message;
  const issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] =
    error.issues;
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}
