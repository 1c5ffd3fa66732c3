/** What a notice says, pushed or by the socket. One that cannot be read still says that something came. */
export function noticeText(payload: unknown): string {
  if (typeof payload === 'string') return payload;
  const message =
    typeof payload === 'object' && payload !== null && 'message' in payload
      ? payload.message
      : undefined;
  return typeof message === 'string' ? message : 'New order';
}
