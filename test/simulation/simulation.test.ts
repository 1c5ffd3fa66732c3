import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);

/** Short runs in each of two processes, with new random seeds every time. */
const SEEDS = 50;
const SHORT = ['--orders', '2', '--days', '5'];
/** In milliseconds: about twenty seconds of work, on a machine that may be busy with other tests. */
const PATIENCE = 600_000;

interface Simulated {
  readonly isGood: boolean;
  readonly told: string;
}

/** Runs in a process of its own, whose time and random values the simulated machine replaces. */
async function simulate(...args: readonly string[]): Promise<Simulated> {
  try {
    const { stdout } = await run(process.execPath, ['dist/simulation/main.js', ...SHORT, ...args]);
    return { isGood: true, told: stdout };
  } catch (error) {
    if (!(error instanceof Error && 'stdout' in error)) throw error;
    return { isGood: false, told: `${error.stdout}\n${error.message}` };
  }
}

describe('A simulated market', () => {
  beforeAll(async () => {
    await run('npx', ['--no-install', 'tsc', '-b', 'test/simulation']);
  }, PATIENCE);

  it('takes the same steps for the same seed, and others for another', async () => {
    const [one, other, next] = await Promise.all([
      simulate('--seed', '7'),
      simulate('--seed', '7'),
      simulate('--seed', '8'),
    ]);
    const traceOf = ({ told }: Simulated) => /trace ([0-9a-f]{8})/.exec(told)?.[1];
    expect(traceOf(one)).toMatch(/^[0-9a-f]{8}$/);
    expect(traceOf(other)).toBe(traceOf(one));
    expect(traceOf(next)).not.toBe(traceOf(one));
  });

  it(
    'pays nobody twice, loses nothing and brings everything to its end, whatever the seed',
    async () => {
      const first = randomInt(1_000_000_000);
      console.info(`simulated seeds: ${first} to ${first + 2 * SEEDS - 1}`);
      const halves = [first, first + SEEDS].map((seed) =>
        simulate('--seed', String(seed), '--seeds', String(SEEDS)),
      );
      for (const { isGood, told } of await Promise.all(halves)) {
        expect(isGood, told).toBe(true);
        // A market in which nothing happens would violate no rule either.
        const paid = [...told.matchAll(/(\d+) paid/g)].map(([, orders]) => Number(orders));
        expect(paid).toHaveLength(SEEDS);
        expect(paid.reduce((sum, orders) => sum + orders)).toBeGreaterThan(SEEDS / 2);
      }
    },
    PATIENCE,
  );
});
