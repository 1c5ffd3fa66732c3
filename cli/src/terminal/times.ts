import { LAGOS_OFFSET, lagosMidnight } from '@oja/domain/rules';
import { usageExit } from './exit.js';

const DAY = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;
const DAY_FIRST = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/;

/** An ISO time without its milliseconds, which only the JSON shows. */
export const withoutMilliseconds = (iso: string): string => iso.replace(/\.\d+Z$/, 'Z');

/** The time of day where the reader is, for what is minutes old. */
export const timeOfDay = (at: Date): string => at.toLocaleTimeString('en-GB');

const twoDigits = (n: number) => String(n).padStart(2, '0');

/** The valid day nearest to these numbers, as YYYY-MM-DD. */
function nearestDay(year: number, month: number, day: number): string {
  const m = Math.min(Math.max(month, 1), 12);
  const last = new Date(Date.UTC(year, m, 0)).getUTCDate();
  return `${year}-${twoDigits(m)}-${twoDigits(Math.min(Math.max(day, 1), last))}`;
}

/** The day that a text names, or the nearest valid one with `exact` false; null when it does not look like a day. */
function parseDay(text: string): { readonly day: string; readonly exact: boolean } | null {
  const [, y, m, d] = DAY.exec(text) ?? [];
  if (y !== undefined && m !== undefined && d !== undefined) {
    const day = nearestDay(Number(y), Number(m), Number(d));
    return { day, exact: day === text };
  }
  const [, d2, m2, y2] = DAY_FIRST.exec(text) ?? [];
  if (y2 !== undefined && m2 !== undefined && d2 !== undefined)
    return { day: nearestDay(Number(y2), Number(m2), Number(d2)), exact: false };
  return null;
}

/**
 * Parses a moment as people type it: `2026-01-31` (midnight in Lagos), or with a time, `2026-01-31T14:00:00Z` (Lagos
 * time without a zone). Returns epoch milliseconds. @throws Exit 2 naming the nearest valid one, or the format.
 */
export function parseMoment(text: string): number {
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) {
    const zoned = /(Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text}${LAGOS_OFFSET}`;
    const [date = ''] = text.split('T');
    const at = parseDay(date)?.exact === true ? Date.parse(zoned) : Number.NaN;
    if (!Number.isNaN(at)) return at;
  }
  const near = parseDay(text.split('T')[0] ?? text);
  if (near === null)
    throw usageExit(
      `There is no time '${text}': a day is typed like 2026-01-31, a time like 2026-01-31T14:00:00Z.`,
    );
  const { day, exact } = near;
  if (exact && !text.includes('T')) return lagosMidnight(day);
  const right = text.includes('T') ? `${day}T00:00:00Z` : day;
  throw usageExit(`There is no time '${text}'; the nearest is ${right}.`);
}

/** A time in this machine's time zone, to the second: `2026-01-31 14:00:00`. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return iso;
  const day = [at.getFullYear(), twoDigits(at.getMonth() + 1), twoDigits(at.getDate())].join('-');
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(twoDigits).join(':')}`;
}
