import { expect, it } from 'vitest';
import { throttleRepeats } from './throttle-repeats.js';

it('the same message is passed on once in a while, however many subscriptions send it', () => {
  const told: string[] = [];
  let now = 0;
  const tell = throttleRepeats(
    (trouble: string | Error) =>
      told.push(`${trouble instanceof Error ? trouble.message : trouble} at ${now}`),
    1_000,
    () => now,
  );
  for (now of [0, 0, 400, 999, 1_000, 1_500]) {
    tell('away');
    if (now === 400) tell(new Error('slow'));
    if (now === 999) tell(new Error('slow'));
  }
  expect(told).toEqual(['away at 0', 'slow at 400', 'away at 1000']);
});
