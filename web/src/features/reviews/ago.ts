import { DAY_MS, HOUR_MS, MINUTE_MS } from '@oja/domain/rules';

const WEEK_MS = 7 * DAY_MS;
const MONTH_MS = 30 * DAY_MS;
const YEAR_MS = 365 * DAY_MS;

const units = [
  ['year', YEAR_MS],
  ['month', MONTH_MS],
  ['week', WEEK_MS],
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

const words = new Intl.RelativeTimeFormat('en-GB', { numeric: 'always' });

/** 2 days ago. @param now epoch milliseconds */
export function ago(iso: string, now: number): string {
  const passed = now - Date.parse(iso);
  const unit = units.find(([, ms]) => passed >= ms);
  if (unit === undefined) return 'just now';
  const [name, ms] = unit;
  return words.format(-Math.floor(passed / ms), name);
}
