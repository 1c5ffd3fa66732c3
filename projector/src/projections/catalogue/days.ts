import { DAY_MS } from '@oja/domain';

/**
 * Trending counts what was paid in the 30 days that end with the newest day on which anything was
 * paid. "The last 30 days from now" could not be rebuilt: documents are made of events, and no event
 * says that a day has passed. Counting by the day in buckets, and moving the window with the newest
 * of them, comes to the same on a living market, and the sum is the same in whatever order the
 * orders are heard.
 */
const WINDOW = 30;

/** YYYY-MM-DD in UTC. */
export type Day = string;

export function dayOf(instant: string): Day {
  return instant.slice(0, 10);
}

function daysBefore(day: Day, days: number): Day {
  return dayOf(new Date(Date.parse(day) - days * DAY_MS).toISOString());
}

/** Whether a day still counts when `newest` is the newest. */
export function counts(day: Day, newest: Day): boolean {
  return day > daysBefore(newest, WINDOW);
}

export function later(one: Day, other: Day | null): Day {
  return other === null || one > other ? one : other;
}

/** The days that counted while `before` was the newest and do not any more. */
export function expired(before: Day | null, newest: Day): readonly Day[] {
  if (before === null || before === newest) return [];
  return Array.from({ length: WINDOW }, (_, i) => daysBefore(before, i)).filter(
    (day) => !counts(day, newest),
  );
}
