import { daysFrom } from '@oja/domain';

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
const WINDOW = 30;
/** A day is the newest once this many orders are dated on it or later. */
const WITNESSES = 10;

/** YYYY-MM-DD in UTC. */
type Day = string;

/** The days of the newest paid orders, oldest first, at most `WITNESSES`. */
export type NewestDays = readonly Day[];

/** The day, in UTC, of an instant in ISO 8601. */
export function dayOf(instant: string): Day {
  return instant.slice(0, 10);
}

/** The newest days after one more paid order. */
export function witnessed(newest: NewestDays, day: Day): NewestDays {
  return [...newest, day].sort().slice(-WITNESSES);
}

/** Null while there are too few orders to know. */
function newestOf(days: NewestDays): Day | null {
  return days.length < WITNESSES ? null : (days[0] ?? null);
}

/** Whether the window has passed a day. Such a day never counts again. */
export function isPassed(day: Day, days: NewestDays): boolean {
  const newest = newestOf(days);
  return newest !== null && day <= daysFrom(newest, -WINDOW);
}

/** Whether a day counts. A day that is further ahead than the window is long does not count yet. */
export function counts(day: Day, days: NewestDays): boolean {
  const newest = newestOf(days);
  return !isPassed(day, days) && (newest === null || day <= daysFrom(newest, WINDOW));
}

/** The days that may start or stop counting, or be dropped, when the newest days change. */
export function movedDays(before: NewestDays, after: NewestDays): readonly Day[] {
  const newest = newestOf(before);
  if (newest === newestOf(after)) return [];
  // Outside the window there are buckets only for the days of the newest orders.
  const around =
    newest === null
      ? []
      : Array.from({ length: 2 * WINDOW }, (_, i) => daysFrom(newest, i + 1 - WINDOW));
  return [...new Set([...around, ...before])].filter(
    (day) => counts(day, before) !== counts(day, after) || isPassed(day, after),
  );
}
