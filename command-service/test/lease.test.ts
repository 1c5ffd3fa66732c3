import { afterAll, beforeAll, expect, it } from 'vitest';
import { withLease } from '../src/lease.js';
import { type Market, openMarket } from './support/market.js';

let market: Market;
beforeAll(async () => {
  market = await openMarket();
});
afterAll(() => market.close());

const FOR_MS = 1_000;
const lease = (work: () => Promise<string>) => withLease(market.deps, 'x', FOR_MS, work);

it('work under a lease is done by one at a time, and the next may once it has ended', async () => {
  const inside = await lease(async () => {
    expect(await lease(async () => 'second')).toEqual({ held: false });
    return 'first';
  });
  expect(inside).toEqual({ held: true, value: 'first' });
  expect(await lease(async () => 'third')).toEqual({ held: true, value: 'third' });
});

it('work that fails gives its lease back', async () => {
  await expect(lease(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await lease(async () => 'next')).toMatchObject({ held: true });
});

it('a lease whose holder hangs runs out, and the late holder does not end that of the next', async () => {
  let late: Promise<unknown> = Promise.resolve();
  await lease(async () => {
    market.clock.time += FOR_MS;
    late = lease(async () => 'next');
    return 'late';
  });
  expect(await late).toEqual({ held: true, value: 'next' });

  const { state, clock } = market.deps;
  const before = clock.now();
  await lease(async () => {
    market.clock.time += FOR_MS;
    await state.put('lease', 'x', {}, clock.now(), { if: 'absent', expiresAt: before * 2 });
    return 'late';
  });
  expect(await lease(async () => 'too early')).toEqual({ held: false });
});
