/** Between the first attempts, in milliseconds. */
export const RETRY_MS = 3 * 60_000;
const QUICK_RETRIES = 4;
const SLOW_RETRY_MS = 60 * 60_000;
const GIVE_UP_MS = 72 * 60 * 60_000;

/**
 * When a webhook that was not answered with 200 is sent again, or null: never. As Paystack does:
 * four times after three minutes, then hourly until 72 hours have gone by. Epoch milliseconds;
 * `attempt` counts from 1.
 */
export function retryAfter(attempt: number, firstAt: number, now: number): number | null {
  const next = now + (attempt <= QUICK_RETRIES ? RETRY_MS : SLOW_RETRY_MS);
  return next - firstAt > GIVE_UP_MS ? null : next;
}
