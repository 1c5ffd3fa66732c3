import type { Review } from '../../api/reviews.js';
import type { Bars } from '../../api/types.js';

/** From best to worst, as they stand in the histogram and in the form. */
export const starRows = [5, 4, 3, 2, 1] as const;
export type StarCount = (typeof starRows)[number];

/** Width of one rating in the histogram, in px. The panel cuts what is wider than its column. */
const PX_A_RATING = 10;

export interface HistogramRow {
  readonly stars: StarCount;
  readonly count: number;
  /** In px. */
  readonly width: number;
}

/** The five rows; nothing counted is 0. */
export function histogram(bars: Bars): readonly HistogramRow[] {
  return starRows.map((stars) => {
    const count = bars[`bar${stars}`] ?? 0;
    return { stars, count, width: count * PX_A_RATING };
  });
}

/** How many ratings there are, and their mean with one decimal; no mean without ratings. */
export function summary(bars: Bars): { readonly count: number; readonly mean: number | undefined } {
  const rows = histogram(bars);
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const stars = rows.reduce((sum, row) => sum + row.count * row.stars, 0);
  return { count, mean: count === 0 ? undefined : Math.round((stars / count) * 10) / 10 };
}

/** Exactly one bar is 1. */
export function ratingOf(chosen: StarCount): Review['ratingData'] {
  return { bar1: 0, bar2: 0, bar3: 0, bar4: 0, bar5: 0, [`bar${chosen}`]: 1 };
}
