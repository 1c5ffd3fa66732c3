import { DAY_MS, HOUR_MS, MINUTE_MS } from '@oja/domain/rules';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.js';
import type { Answer, Bars, Body } from '../../api/types.js';

type Review = Body<'addComment'>;

/** The comments about the market, newest first. */
export const commentsQuery = queryOptions({
  queryKey: ['reviews', 'comments'],
  queryFn: async ({ signal }) => (await call('getComments', { signal })).result,
});

/** How often each number of stars was given. */
export const ratingsQuery = queryOptions({
  queryKey: ['reviews', 'ratings'],
  queryFn: async ({ signal }) => (await call('getRatings', { signal })).result[0],
});

/** Posts a review. The same key posts the same review only once. @throws ApiError */
export function addReview(review: Review, key: string): Promise<Answer<'addComment'>> {
  // Without a name, it makes no difference who is signed in: it stays one review when that changes.
  return call('addComment', {
    body: review,
    key,
    ...(review.businessName === undefined && { anonymous: true }),
  });
}

/** From best to worst, as in the histogram and the form. */
export const starRows = [5, 4, 3, 2, 1] as const;
export type StarCount = (typeof starRows)[number];

/** Width in px per rating in the histogram. The panel cuts off what is wider than its column. */
const PX_PER_RATING = 10;

interface HistogramRow {
  readonly stars: StarCount;
  readonly count: number;
  /** In px. */
  readonly width: number;
}

/** The five rows; a number of stars that was never given counts 0. */
export function toHistogram(bars: Bars): readonly HistogramRow[] {
  return starRows.map((stars) => {
    const count = bars[`bar${stars}`] ?? 0;
    return { stars, count, width: count * PX_PER_RATING };
  });
}

/** The number of ratings, and their mean with one decimal; no mean without ratings. */
export function summarize(bars: Bars): {
  readonly count: number;
  readonly mean: number | undefined;
} {
  const rows = toHistogram(bars);
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const stars = rows.reduce((sum, row) => sum + row.count * row.stars, 0);
  return { count, mean: count === 0 ? undefined : Math.round((stars / count) * 10) / 10 };
}

/** The wire format: the bar of the chosen rating is 1, the others are 0. */
export function toRatingData(chosen: StarCount): Review['ratingData'] {
  return { bar1: 0, bar2: 0, bar3: 0, bar4: 0, bar5: 0, [`bar${chosen}`]: 1 };
}

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

const relativeTime = new Intl.RelativeTimeFormat('en-GB', { numeric: 'always' });

/** The age of a date in words: '2 days ago'. @param now epoch milliseconds */
export function formatAge(iso: string, now: number): string {
  const passed = now - Date.parse(iso);
  const unit = units.find(([, ms]) => passed >= ms);
  if (unit === undefined) return 'just now';
  const [name, ms] = unit;
  return relativeTime.format(-Math.floor(passed / ms), name);
}
