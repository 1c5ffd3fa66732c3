import { describe, expect, it } from 'vitest';
import { ConcurrencyLimiter } from './concurrency-limiter.js';

/** Starts `many` calls; each ends when its entry in `ends` is called. */
function calls(limiter: ConcurrencyLimiter, many: number) {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const results = Array.from({ length: many }, (_, index) =>
    limiter.run(async () => {
      started.push(index);
      await new Promise<void>((end) => {
        ends[index] = end;
      });
      return index;
    }),
  );
  return { started, ends, results };
}

describe('ConcurrencyLimiter', () => {
  it('let the next call start only when one has ended, in the order they came', async () => {
    const { started, ends, results } = calls(new ConcurrencyLimiter(2), 4);
    expect(started).toEqual([0, 1]);
    ends[1]?.();
    await results[1];
    expect(started).toEqual([0, 1, 2]);
    ends[0]?.();
    await results[0];
    expect(started).toEqual([0, 1, 2, 3]);
    ends[2]?.();
    ends[3]?.();
    expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
  });

  it('are free again after a call that failed', async () => {
    const limiter = new ConcurrencyLimiter(1);
    await expect(limiter.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await limiter.run(async () => 'yes')).toBe('yes');
  });

  it('can send everybody away who has not started', async () => {
    const limiter = new ConcurrencyLimiter(1);
    const { ends, results } = calls(limiter, 2);
    limiter.refuseWaiting(new Error('closed'));
    await expect(results[1]).rejects.toThrow('closed');
    const idle = limiter.idle();
    ends[0]?.();
    await idle;
    expect(await results[0]).toBe(0);
    expect(await limiter.run(async () => 'open')).toBe('open');
  });
});
