import { DAY_MS } from '@oja/domain';

/**
 * Trending counts what was paid in the 30 days that end with the newest day on which things are paid.
 * "The last 30 days from now" could not be rebuilt: documents are made of events, and no event says
 * that a day has passed. Counting by the day in buckets, and moving the window with the newest of them,
 * comes to the same on a living market, and the sum is the same in whatever order the orders are heard.
 *
 * One order says little of what day it is: its clock may have been years ahead. So the newest day is
 * that of the tenth newest order. What is dated far beyond it waits for its day; where fewer than ten
 * orders were paid, all count.
 */
const WINDOW = 30;
/** So many orders must be dated on a day or later before it is the newest. */
const WITNESSES = 10;

/** YYYY-MM-DD in UTC. */
export type Day = string;

/** The days of the newest orders, the oldest first, at most as many as are asked. */
export type NewestDays = readonly Day[];

export function dayOf(instant: string): Day {
  return instant.slice(0, 10);
}

function daysFrom(day: Day, days: number): Day {
  return dayOf(new Date(Date.parse(day) + days * DAY_MS).toISOString());
}

/** With one more order. */
export function witnessed(newest: NewestDays, day: Day): NewestDays {
  return [...newest, day].sort().slice(-WITNESSES);
}

/** Null while there are too few orders to know. */
function newestOf(days: NewestDays): Day | null {
  return days.length < WITNESSES ? null : (days[0] ?? null);
}

/** Whether the window has passed a day: it counts no more, whatever comes. */
export function isPassed(day: Day, days: NewestDays): boolean {
  const newest = newestOf(days);
  return newest !== null && day <= daysFrom(newest, -WINDOW);
}

/** Whether a day counts; what is dated as far ahead as the window is long does not count yet. */
export function counts(day: Day, days: NewestDays): boolean {
  const newest = newestOf(days);
  return !isPassed(day, days) && (newest === null || day <= daysFrom(newest, WINDOW));
}

/** The days that may count, or be kept, otherwise once the newest orders are others. */
export function movedDays(before: NewestDays, after: NewestDays): readonly Day[] {
  const newest = newestOf(before);
  if (newest === newestOf(after)) return [];
  // Beyond the window there is nothing but what the newest orders are dated.
  const around =
    newest === null
      ? []
      : Array.from({ length: 2 * WINDOW }, (_, i) => daysFrom(newest, i + 1 - WINDOW));
  return [...new Set([...around, ...before])].filter(
    (day) => counts(day, before) !== counts(day, after) || isPassed(day, after),
  );
}
