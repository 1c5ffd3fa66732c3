import { expect, it } from 'vitest';
import { StoreUnavailable } from '../eventstore/port.js';
import { createMemoryState, createMemoryStateData } from '../memory/state.js';
import { createLease, withLease } from './lease.js';

let time = Date.parse('2026-01-31T12:00:00Z');
const clock = { now: () => time };
const state = createMemoryState(createMemoryStateData());
const deps = { state, clock };

const FOR_MS = 1_000;
const lease = (work: () => Promise<string>) => withLease(deps, 'x', FOR_MS, work);

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
    time += FOR_MS;
    late = lease(async () => 'next');
    return 'late';
  });
  expect(await late).toEqual({ held: true, value: 'next' });

  const before = clock.now();
  await lease(async () => {
    time += FOR_MS;
    await state.put('lease', 'x', {}, clock.now(), { if: 'absent', expiresAt: before * 2 });
    return 'late';
  });
  expect(await lease(async () => 'too early')).toEqual({ held: false });
});

it('is kept by one process until it ends or dies', async () => {
  const options = { space: 'sweep-lease', name: 'sweep', forMs: 90_000 };
  const one = createLease(deps, options);
  const other = createLease(deps, options);
  expect([await one.hold(), await other.hold()]).toEqual([true, false]);
  time += 60_000;
  expect([await one.hold(), await other.hold()]).toEqual([true, false]);
  time += 90_001;
  expect([await other.hold(), await one.hold()]).toEqual([true, false]);
  await other.release();
  expect(await one.hold()).toBe(true);
  time += 22_500;
  expect([await one.keep(), await other.keep()]).toEqual([true, false]);
  time += 80_000;
  expect([await other.keep(), await one.keep()]).toEqual([false, true]);
});

it('is not thought to be ours because our clock was set back', async () => {
  const options = { space: 'lease-of-two', name: 'round', forMs: 90_000 };
  const ours = { time, now: () => ours.time };
  const one = createLease({ state, clock: ours }, options);
  const other = createLease(deps, options);
  expect(await one.hold()).toBe(true);
  ours.time -= 3_600_000;
  time += 90_001;
  expect([await other.hold(), await one.keep()]).toEqual([true, false]);
});

it('of a process that was killed while its clock was ahead is taken once its time has passed without it', async () => {
  const options = { space: 'lease-ahead', name: 'round', forMs: 90_000 };
  const ahead = { now: () => time + 400 * 86_400_000 };
  const one = createLease({ state, clock: ahead }, options);
  const other = createLease(deps, options);
  expect([await one.hold(), await other.hold()]).toEqual([true, false]);
  time += 60_000;
  expect([await one.hold(), await other.hold()]).toEqual([true, false]);
  time += 60_000;
  expect([await other.hold(), await other.keep()]).toEqual([false, false]);
  time += 30_000;
  expect([await other.hold(), await one.hold()]).toEqual([true, false]);
});

it('is still ours where the answer to its renewal was lost, as by a fail-over of the server', async () => {
  const options = { space: 'lease-unanswered', name: 'round', forMs: 90_000 };
  let isAnswered = true;
  const unanswered: typeof state = {
    ...state,
    async put(...args) {
      const version = await state.put(...args);
      if (!isAnswered) throw new StoreUnavailable('MongoDB', 'no answer', false);
      return version;
    },
  };
  const one = createLease({ state: unanswered, clock }, options);
  expect(await one.hold()).toBe(true);
  isAnswered = false;
  await expect(one.hold()).rejects.toThrow('no answer');
  isAnswered = true;
  expect(await one.hold()).toBe(true);
  await one.release();
  expect(await createLease(deps, options).hold()).toBe(true);
});
