import { expect, it } from 'vitest';
import { halves, linesOf, runEach } from './support/guide.js';

/** Copies, drills and moves: as long as all the rest, so beside it. */
const [, after] = halves();

runEach(after);

/** Of the shell's variables, `oja` under systemd takes no access to a bucket: that must be in a file. */
it('a new machine is given access to the buckets before it restores from them', () => {
  const [, steps = ''] = /\*\*On a new machine\*\*([\s\S]*?)\n#/.exec(after) ?? [];
  const lines = linesOf(steps).map(({ program, args }) => [program, ...args].join(' '));
  const restore = lines.findIndex((line) => line.startsWith('oja restore s3://'));
  const access = lines.findIndex((line) => /^sudo install .* \/etc\/oja\/backup\.env$/.test(line));
  expect(restore).toBeGreaterThan(access);
  expect(access).toBeGreaterThanOrEqual(0);
});
