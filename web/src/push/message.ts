/** What a notice says, pushed or by the socket. One that cannot be read still says that something came. */
export function noticeText(said: unknown): string {
  if (typeof said === 'string') return said;
  const message =
    typeof said === 'object' && said !== null && 'message' in said ? said.message : undefined;
  return typeof message === 'string' ? message : 'New order';
}
