const twoDigits = (n: number) => String(n).padStart(2, '0');

/** Formats ISO 8601 as DD-MM-YYYY HH:MM:SS in UTC, for notices. */
export function noticeTime(iso: string): string {
  const at = new Date(iso);
  const date = `${twoDigits(at.getUTCDate())}-${twoDigits(at.getUTCMonth() + 1)}-${at.getUTCFullYear()}`;
  return `${date} ${twoDigits(at.getUTCHours())}:${twoDigits(at.getUTCMinutes())}:${twoDigits(at.getUTCSeconds())}`;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Lagos is one hour ahead of UTC all year. */
const LAGOS_AHEAD_MS = HOUR_MS;
/** The same offset, as an ISO 8601 suffix. */
export const LAGOS_OFFSET = '+01:00';

/** The start of a day (YYYY-MM-DD) in Lagos, in epoch milliseconds; NaN for an invalid day. */
export const lagosMidnight = (day: string): number => Date.parse(`${day}T00:00:00${LAGOS_OFFSET}`);

/**
 * Formats an instant (ISO 8601 or epoch milliseconds) as Lagos time: YYYY-MM-DDTHH:MM:SS+01:00. The
 * result is valid ISO 8601.
 */
export function lagosInstant(instant: string | number): string {
  const there = new Date(new Date(instant).getTime() + LAGOS_AHEAD_MS).toISOString();
  return `${there.slice(0, 'YYYY-MM-DDTHH:MM:SS'.length)}${LAGOS_OFFSET}`;
}

/** The day in Lagos (YYYY-MM-DD) of an instant in ISO 8601 or epoch milliseconds. */
export function lagosDay(instant: string | number): string {
  return lagosInstant(instant).slice(0, 'YYYY-MM-DD'.length);
}

/** Adds `days` (may be negative) to a day. Both are YYYY-MM-DD. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/**
 * The periods up to today for which a seller can see sales. '12-months' is the current month and
 * the eleven before it.
 */
export const salesPeriods = ['7-days', '30-days', '90-days', '12-months'] as const;
export type SalesPeriod = (typeof salesPeriods)[number];
/** How many best-selling products are shown for a period. */
export const BEST_SELLING = 10;

/** An unpaid order expires after this time. A successful payment that arrives later still counts. */
export const ORDER_EXPIRES_AFTER_MS = 72 * HOUR_MS;

/**
 * How long stock is held for a buyer on the payment page. Long enough for a bank transfer; short
 * enough that buyers who never pay do not block others.
 */
export const STOCK_HOLD_MS = 30 * MINUTE_MS;

/**
 * An order that goes to the payment page again holds its stock for as long once more, but from this time on: a
 * client's own repeats change nothing.
 */
export const STOCK_HOLD_RENEWED_AFTER_MS = 5 * MINUTE_MS;

/** The longest that one order holds stock without a break, however often it goes to the payment page. */
export const STOCK_HOLD_MAX_MS = 2 * HOUR_MS;

/**
 * A process that takes stock for a payment records the payment within this time. After it, the
 * process is assumed dead and the sweep checks the payment.
 */
export const PAYMENT_RECORDED_WITHIN_MS = 2 * MINUTE_MS;

/**
 * When to ask the provider about an unfinished payment, counted from the order. At the last time
 * the order expires.
 */
export const paymentChecksAfterMs = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  6 * HOUR_MS,
  24 * HOUR_MS,
  ORDER_EXPIRES_AFTER_MS,
] as const;

/** How long after payment a buyer may first report a problem. */
export const PROBLEM_AFTER_MS = 48 * HOUR_MS;
/** Days after payment on which a buyer who has not confirmed the delivery gets a reminder. */
export const reminderDays = [2, 5, 10] as const;
/**
 * Delays before a letter that was permanently refused is tried again, each counted from the previous try, because
 * the receiving server may have been misconfigured for a day. After the last try the letter is given up.
 */
export const refusedLetterRetryAfterMs = [HOUR_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS] as const;
/** The longest delay between tries of a letter that failed for another reason; the delay grows up to this. */
export const LETTER_RETRY_PAUSE_MAX_MS = HOUR_MS;
/**
 * For how long a letter is tried that the mail server puts off, which a mistyped domain or a full mailbox makes it do
 * each time. Source: RFC 5321, 4.5.4.1.
 */
export const LETTER_PUT_OFF_MAX_MS = 5 * DAY_MS;
/** How long an e-mail code is valid after it was requested. */
export const EMAIL_CODE_VALID_MS = 30 * MINUTE_MS;
/** Undelivered news to a seller is dropped after this time. It is still in their list of notices. */
export const SELLER_NEWS_MS = 7 * DAY_MS;
/** A paid order that is not confirmed for this long is shown to the head admin. */
export const UNCONFIRMED_AFTER_MS = 14 * DAY_MS;
/**
 * How long after a transfer arrived its status is checked once more. A bank returns what it cannot
 * book within days, and the provider's notice of that may be lost.
 */
export const PAYOUT_CLEARS_AFTER_MS = 14 * DAY_MS;
/** A claimed business name that stays unused for this long is released. */
export const UNUSED_CLAIM_MS = 2 * MINUTE_MS;
