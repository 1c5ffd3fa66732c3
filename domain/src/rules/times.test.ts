import { expect, it } from 'vitest';
import { noticeTime, ORDER_EXPIRES_AFTER_MS, paymentChecksAfterMs } from './times.js';

it('a notice shows its time in UTC', () => {
  expect(noticeTime('2026-03-01T09:05:07+01:00')).toBe('01-03-2026 08:05:07');
});

it('the last question after a payment comes when the order expires, after 72 hours', () => {
  expect(paymentChecksAfterMs.at(-1)).toBe(ORDER_EXPIRES_AFTER_MS);
  expect(ORDER_EXPIRES_AFTER_MS).toBe(72 * 60 * 60 * 1_000);
});
