import { platform } from 'node:os';
import { expect, it } from 'vitest';
import { attacks } from './hostile.js';
import { runSiege } from './run.js';

/** Long enough for every attack to come several times while people buy and sell. */
const DURING_MS = 8_000;

it.runIf(platform() === 'linux')('a short siege leaves the market as it was', async () => {
  const said: string[] = [];
  const say = (line: string) => said.push(line);
  const options = { duringMs: DURING_MS, calmMs: 1_000, waitsForHolders: false, say };
  const { during, answers, wrong } = await runSiege(options);
  const times = [...answers.values()].reduce((sum, many) => sum + many, 0);
  expect(wrong, said.join('\n')).toEqual([]);
  expect(during.orders).toBeGreaterThan(0);
  expect(during.uploads).toBeGreaterThan(0);
  expect(times).toBeGreaterThan(Object.keys(attacks).length);
  // No request may cause an internal error, and excessive requests are refused with 429.
  expect([...answers.keys()]).not.toContain(500);
  expect([...answers.keys()]).toContain(429);
});
