import { expect, it } from 'vitest';
import {
  dayOf,
  daysToRecount,
  isBeforeWindow,
  isInWindow,
  type NewestDays,
  withPaidDay,
} from './trending-window.js';

const orders = (day: string, many: number): NewestDays => Array.from({ length: many }, () => day);

it('counts the thirty days that end with the newest on which enough is paid', () => {
  expect(dayOf('2026-03-31T23:59:59.999Z')).toBe('2026-03-31');
  const newest = orders('2026-03-31', 10);
  expect(isInWindow('2026-03-31', newest)).toBe(true);
  expect(isInWindow('2026-03-02', newest)).toBe(true);
  expect(isInWindow('2026-03-01', newest)).toBe(false);
  expect(isBeforeWindow('2026-03-01', newest)).toBe(true);
});

it('counts whatever was paid while that is little', () => {
  const few = withPaidDay(orders('2026-03-31', 8), '2020-01-01');
  expect(isInWindow('2020-01-01', few)).toBe(true);
  expect(isInWindow('2026-03-31', few)).toBe(true);
});

it('does not believe a day of which few speak, and lets it wait', () => {
  let newest = orders('2026-03-31', 10);
  for (let n = 0; n < 9; n += 1) newest = withPaidDay(newest, '2099-01-01');
  expect(isInWindow('2026-03-31', newest)).toBe(true);
  expect(isInWindow('2099-01-01', newest)).toBe(false);
  expect(isBeforeWindow('2099-01-01', newest)).toBe(false);
});

it('names the days that count otherwise when the newest is another', () => {
  const before = orders('2026-03-30', 10);
  expect(daysToRecount(before, before)).toEqual([]);
  expect(daysToRecount(before, orders('2026-04-01', 10))).toEqual(['2026-03-01', '2026-03-02']);
  expect(daysToRecount(orders('2025-01-01', 10), orders('2026-03-31', 10))).toHaveLength(60);
  const waiting = [...orders('2026-03-30', 9), '2026-05-15'];
  expect(daysToRecount(waiting, orders('2026-05-01', 10))).toContain('2026-05-15');
});
