import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { pause } from './clock.js';

it('many wait for one signal, and Node warns of no leak', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const ending = new AbortController();
  // As many writers as wait for a server that is away.
  const waits = Array.from({ length: 50 }, () => pause(60_000, ending.signal));
  ending.abort();
  await Promise.all(waits);
  await setImmediate();
  expect(warnings).toEqual([]);
});
