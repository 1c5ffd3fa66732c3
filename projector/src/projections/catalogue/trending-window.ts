import { addDays } from '@oja/domain';

/**
 * Trending counts what was paid in the 30 days that end with the newest day of payments. "The last
 * 30 days from now" could not be rebuilt: documents are made of events, and no event says that a
 * day has passed. On a living market, daily buckets and a window that moves with the newest of them
 * come to the same, and the sum does not depend on the order in which orders are read.
 *
 * A single order is weak evidence of the date: its clock may have been years ahead. So the newest
 * day is that of the tenth newest order. An order dated far beyond it does not count until the
 * window reaches its day. While fewer than ten orders are paid, all count.
 */
const WINDOW_DAYS = 30;
/** A day is the newest once this many orders are dated on it or later. */
const NEWEST_ORDERS = 10;

/** YYYY-MM-DD in UTC. */
type Day = string;

/** The days of the newest paid orders, oldest first, at most `NEWEST_ORDERS`. */
export type NewestDays = readonly Day[];

/** The day, in UTC, of an instant in ISO 8601. */
export function dayOf(instant: string): Day {
  return instant.slice(0, 10);
}

/** The newest days after one more paid order. */
export function withPaidDay(newest: NewestDays, day: Day): NewestDays {
  return [...newest, day].sort().slice(-NEWEST_ORDERS);
}

/** Null while there are too few orders to know. */
function newestDay(days: NewestDays): Day | null {
  return days.length < NEWEST_ORDERS ? null : (days[0] ?? null);
}

/** Whether the window has passed a day. Such a day never counts again. */
export function isBeforeWindow(day: Day, days: NewestDays): boolean {
  const newest = newestDay(days);
  return newest !== null && day <= addDays(newest, -WINDOW_DAYS);
}

/** Whether a day counts. A day that is further ahead than the window is long does not count yet. */
export function isInWindow(day: Day, days: NewestDays): boolean {
  const newest = newestDay(days);
  return !isBeforeWindow(day, days) && (newest === null || day <= addDays(newest, WINDOW_DAYS));
}

/** The days that may start or stop counting, or be dropped, when the newest days change. */
export function daysToRecount(before: NewestDays, after: NewestDays): readonly Day[] {
  const newest = newestDay(before);
  if (newest === newestDay(after)) return [];
  // Outside the window there are buckets only for the days of the newest orders.
  const around =
    newest === null
      ? []
      : Array.from({ length: 2 * WINDOW_DAYS }, (_, i) => addDays(newest, i + 1 - WINDOW_DAYS));
  return [...new Set([...around, ...before])].filter(
    (day) => isInWindow(day, before) !== isInWindow(day, after) || isBeforeWindow(day, after),
  );
}
