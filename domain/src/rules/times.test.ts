import { expect, it } from 'vitest';
import {
  addDays,
  lagosDay,
  lagosInstant,
  lagosMidnight,
  noticeTime,
  ORDER_EXPIRES_AFTER_MS,
  paymentChecksAfterMs,
} from './times.js';

it('a notice shows its time in UTC', () => {
  expect(noticeTime('2026-03-01T09:05:07+01:00')).toBe('01-03-2026 08:05:07');
});

it('a day in Lagos begins an hour before it does in UTC', () => {
  const late = '2026-02-28T23:30:07.250Z';
  expect(lagosInstant(late)).toBe('2026-03-01T00:30:07+01:00');
  expect(lagosDay(late)).toBe('2026-03-01');
  expect(lagosDay(Date.parse('2026-02-28T22:59:59Z'))).toBe('2026-02-28');
  expect(lagosMidnight('2026-03-01')).toBe(Date.parse('2026-02-28T23:00:00Z'));
});

it('days are counted on and back over the ends of months', () => {
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28');
  expect(addDays('2026-03-01', 365)).toBe('2027-03-01');
});

it('the last question after a payment comes when the order expires, after 72 hours', () => {
  expect(paymentChecksAfterMs.at(-1)).toBe(ORDER_EXPIRES_AFTER_MS);
  expect(ORDER_EXPIRES_AFTER_MS).toBe(72 * 60 * 60 * 1_000);
});
