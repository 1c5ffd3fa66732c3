import { expect, it } from 'vitest';
import { createMemoryState, createMemoryStateData } from '../memory/state.js';
import { createAttempts } from './attempts.js';

const RULE = { free: 3, firstWaitMs: 1_000, longestWaitMs: 8_000, forgetMs: 60_000 };

it('a guesser waits longer after each failure, up to a bound', async () => {
  const attempts = createAttempts(createMemoryState(createMemoryStateData()), RULE);
  const waits: number[] = [];
  let now = 0;
  for (let i = 0; i < 8; i += 1) {
    expect(await attempts.begin('ada', now)).toBe(0);
    const wait = i < RULE.free ? 0 : await attempts.begin('ada', now);
    waits.push(wait);
    now += wait;
  }
  expect(waits).toEqual([0, 0, 0, 1_000, 2_000, 4_000, 8_000, 8_000]);
});

it('guesses sent at once are counted one by one', async () => {
  const attempts = createAttempts(createMemoryState(createMemoryStateData()), RULE);
  const waits = await Promise.all(Array.from({ length: 50 }, () => attempts.begin('ada', 0)));
  expect(waits.filter((wait) => wait === 0).length).toBeLessThanOrEqual(RULE.free + 1);
});

it('success, or enough silence, forgives', async () => {
  const attempts = createAttempts(createMemoryState(createMemoryStateData()), { ...RULE, free: 0 });
  await attempts.begin('ada', 0);
  await attempts.begin('bisi', 0);
  await attempts.succeeded('ada');
  expect(await attempts.begin('ada', 0)).toBe(0);
  expect(await attempts.begin('bisi', 0)).toBe(1_000);
  expect(await attempts.begin('bisi', 60_000)).toBe(0);
});

it('a wait ends when the clock is set back, however far', async () => {
  const attempts = createAttempts(createMemoryState(createMemoryStateData()), RULE);
  const hour = 3_600_000;
  await attempts.begin('ada', hour);
  expect(await attempts.begin('ada', 0)).toBe(0);
  for (let i = 0; i < 4; i += 1) await attempts.begin('bisi', hour);
  // Another process's clock may be a little behind.
  expect(await attempts.begin('bisi', hour - 4_000)).toBe(5_000);
  expect(await attempts.begin('bisi', 0)).toBe(0);
});

it('an attempt that was never made is taken back, with the wait that it caused', async () => {
  const attempts = createAttempts(createMemoryState(createMemoryStateData()), RULE);
  for (let i = 0; i < 3; i += 1) await attempts.begin('ada', 0);
  for (let i = 0; i < 10; i += 1) {
    expect(await attempts.begin('ada', i)).toBe(0);
    await attempts.giveBack('ada', i);
  }
  expect(await attempts.begin('ada', 10)).toBe(0);
  expect(await attempts.begin('ada', 10)).toBe(1_000);
});

it('an attempt that is taken back leaves the wait that a later one caused', async () => {
  const attempts = createAttempts(createMemoryState(createMemoryStateData()), RULE);
  for (let i = 0; i < 5; i += 1) await attempts.begin('ada', i);
  expect(await attempts.begin('ada', 5)).toBe(998);
  await attempts.giveBack('ada', 0);
  expect(await attempts.begin('ada', 5)).toBe(998);
});
