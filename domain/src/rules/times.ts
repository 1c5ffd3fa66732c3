const two = (n: number) => String(n).padStart(2, '0');

/** DD-MM-YYYY HH:MM:SS in UTC, from ISO 8601: how notices show their time. */
export function noticeTime(iso: string): string {
  const at = new Date(iso);
  const date = `${two(at.getUTCDate())}-${two(at.getUTCMonth() + 1)}-${at.getUTCFullYear()}`;
  return `${date} ${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Lagos is an hour ahead of UTC, all year. */
const LAGOS_AHEAD_MS = HOUR_MS;
/** The same behind a time in ISO 8601. */
export const LAGOS_OFFSET = '+01:00';

/** When a day, YYYY-MM-DD, begins in Lagos, in epoch milliseconds; NaN for what is no day. */
export const lagosMidnight = (day: string): number => Date.parse(`${day}T00:00:00${LAGOS_OFFSET}`);

/** YYYY-MM-DDTHH:MM:SS+01:00, as Lagos reads it, from ISO 8601 or epoch milliseconds; ISO 8601 itself. */
export function lagosInstant(instant: string | number): string {
  const there = new Date(new Date(instant).getTime() + LAGOS_AHEAD_MS).toISOString();
  return `${there.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}${LAGOS_OFFSET}`;
}

/** YYYY-MM-DD in Lagos, from ISO 8601 or epoch milliseconds. */
export function lagosDay(instant: string | number): string {
  return lagosInstant(instant).slice(0, 'YYYY-MM-DD'.length);
}

/** The day so many days later, or earlier; both YYYY-MM-DD. */
export function daysFrom(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The spans of days up to today of which a seller may see the sales; twelve months are this one and those before. */
export const salesPeriods = ['7-days', '30-days', '90-days', '12-months'] as const;
export type SalesPeriod = (typeof salesPeriods)[number];
/** So many of the best-selling products are shown of it. */
export const BEST_SELLING = 10;

/** An order that was not paid by then has expired; a later success still counts. */
export const ORDER_EXPIRES_AFTER_MS = 72 * HOUR_MS;

/**
 * So long what is counted is held for whoever has gone to the payment page. Long enough for a bank transfer; short
 * enough that those who never pay keep nobody from buying.
 */
export const STOCK_HELD_FOR_MS = 30 * MINUTE_MS;

/** Whoever has taken counted goods for a payment has recorded it by then, or has died: it is asked after again. */
export const PAYMENT_RECORDED_WITHIN_MS = 2 * MINUTE_MS;

/** When a payment without a final answer is asked after, counted from the order; then it expires. */
export const paymentChecksAfterMs = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  24 * HOUR_MS,
  ORDER_EXPIRES_AFTER_MS,
] as const;

/** From then on, counted from the payment, a buyer may report a problem. */
export const PROBLEM_AFTER_MS = 48 * HOUR_MS;
/** Days after payment on which an unconfirmed buyer is reminded. */
export const reminderDays = [2, 5, 10] as const;
/**
 * When a letter that was refused for good is tried once more, each counted from the try before: its
 * receiver's server may have been set up wrongly for a day. After the last it is given up.
 */
export const refusedLetterAgainAfterMs = [HOUR_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS] as const;
/** A letter that could not be sent for another reason is tried at growing distances, up to this. */
export const LETTER_AGAIN_AT_MOST_MS = HOUR_MS;
/** So long after it was asked for, the code that a seller was sent is good for something. */
export const EMAIL_CODE_VALID_MS = 30 * MINUTE_MS;
/** What a seller could not be written to about for so long is no news: it stands in their list of notices. */
export const SELLER_NEWS_MS = 7 * DAY_MS;
/** An order paid so long ago and not confirmed is shown to the head admin. */
export const UNCONFIRMED_AFTER_MS = 14 * DAY_MS;
/**
 * A transfer that has arrived is asked after once more so long afterwards: a bank sends back what it cannot
 * book within days, and the notice of it may be lost.
 */
export const PAYOUT_CLEARS_AFTER_MS = 14 * DAY_MS;
/** A claimed business name that nobody uses is let go after this. */
export const UNUSED_CLAIM_MS = 2 * MINUTE_MS;
