const DEFAULT_SECONDS = 30;
const LONGEST_SECONDS = 3600;

/**
 * How long a Retry-After header asks to wait, in seconds: at least 1, at most an hour. The header
 * holds seconds or an HTTP date (RFC 9110, 10.2.3); without a readable one it is half a minute.
 * `now` in epoch milliseconds.
 */
export function retryAfterSeconds(header: string | null, now: number): number {
  if (header === null) return DEFAULT_SECONDS;
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000);
  if (Number.isNaN(seconds)) return DEFAULT_SECONDS;
  return Math.min(Math.max(seconds, 1), LONGEST_SECONDS);
}
