import { expect, it } from 'vitest';
import { counts, dayOf, expired, later } from './days.js';

it('counts the thirty days that end with the newest', () => {
  expect(dayOf('2026-03-31T23:59:59.999Z')).toBe('2026-03-31');
  expect(counts('2026-03-31', '2026-03-31')).toBe(true);
  expect(counts('2026-03-02', '2026-03-31')).toBe(true);
  expect(counts('2026-03-01', '2026-03-31')).toBe(false);
  expect(later('2026-03-01', '2026-02-01')).toBe('2026-03-01');
  expect(later('2026-01-01', '2026-02-01')).toBe('2026-02-01');
});

it('names the days that stop counting when a newer one comes', () => {
  expect(expired(null, '2026-03-31')).toEqual([]);
  expect(expired('2026-03-31', '2026-03-31')).toEqual([]);
  expect(expired('2026-03-30', '2026-04-01')).toEqual(['2026-03-02', '2026-03-01']);
  expect(expired('2025-01-01', '2026-03-31')).toHaveLength(30);
});
