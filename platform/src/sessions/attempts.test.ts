import { expect, it } from 'vitest';
import { memoryState } from '../../test/memoryState.js';
import { createAttempts } from './attempts.js';

const RULE = { free: 3, firstWaitMs: 1_000, longestWaitMs: 8_000, forgetMs: 60_000 };

it('a guesser waits longer after each failure, up to a bound', async () => {
  const attempts = createAttempts(memoryState(), RULE);
  const waits: number[] = [];
  for (let i = 0; i < 8; i += 1) {
    await attempts.failed('ada', 0);
    waits.push(await attempts.waitMs('ada', 0));
  }
  expect(waits).toEqual([0, 0, 0, 1_000, 2_000, 4_000, 8_000, 8_000]);
});

it('success, or enough silence, forgives', async () => {
  const attempts = createAttempts(memoryState(), { ...RULE, free: 0 });
  await attempts.failed('ada', 0);
  await attempts.failed('bisi', 0);
  await attempts.succeeded('ada');
  expect(await attempts.waitMs('ada', 0)).toBe(0);
  expect(await attempts.waitMs('bisi', 0)).toBe(1_000);
  expect(await attempts.waitMs('bisi', 60_000)).toBe(0);
});
