import { describe, expect, it } from 'vitest';
import { formatAge, starRows, summarize, toHistogram, toRatingData } from './reviews.js';

describe('stars', () => {
  it('send exactly one bar as 1', () => {
    for (const chosen of starRows) {
      const bars = toRatingData(chosen);
      expect(bars[`bar${chosen}`]).toBe(1);
      expect(Object.values(bars).reduce<number>((sum, bar) => sum + bar, 0)).toBe(1);
    }
  });

  it('count nothing as 0', () => {
    const bars = { bar1: null, bar2: null, bar3: null, bar4: null, bar5: null };
    expect(toHistogram(bars).every(({ count, width }) => count === 0 && width === 0)).toBe(true);
    expect(summarize(bars)).toEqual({ count: 0, mean: undefined });
  });

  it('have a mean with one decimal', () => {
    expect(summarize({ bar1: 1, bar2: 0, bar3: 0, bar4: 0, bar5: 2 })).toEqual({
      count: 3,
      mean: 3.7,
    });
  });
});

describe('ago', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  it.each([
    ['2026-11-21T11:59:30Z', 'just now'],
    ['2026-11-21T11:55:00Z', '5 minutes ago'],
    ['2026-11-19T11:00:00Z', '2 days ago'],
    ['2026-11-01T12:00:00Z', '2 weeks ago'],
    ['2025-10-01T12:00:00Z', '1 year ago'],
    ['2026-11-21T12:05:00Z', 'just now'],
  ])('%s was %s', (at, words) => {
    expect(formatAge(at, now)).toBe(words);
  });
});
