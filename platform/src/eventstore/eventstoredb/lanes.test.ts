import { describe, expect, it } from 'vitest';
import { Lanes } from './lanes.js';

/** Calls that end when they are told to. */
function calls(lanes: Lanes, many: number) {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const results = Array.from({ length: many }, (_, index) =>
    lanes.run(async () => {
      started.push(index);
      await new Promise<void>((end) => {
        ends[index] = end;
      });
      return index;
    }),
  );
  return { started, ends, results };
}

describe('Lanes', () => {
  it('let the next call start only when one has ended, in the order they came', async () => {
    const { started, ends, results } = calls(new Lanes(2), 4);
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
    const lanes = new Lanes(1);
    await expect(lanes.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await lanes.run(async () => 'yes')).toBe('yes');
  });

  it('can send everybody away who has not started', async () => {
    const lanes = new Lanes(1);
    const { ends, results } = calls(lanes, 2);
    lanes.refuseWaiting(new Error('closed'));
    await expect(results[1]).rejects.toThrow('closed');
    const idle = lanes.idle();
    ends[0]?.();
    await idle;
    expect(await results[0]).toBe(0);
    expect(await lanes.run(async () => 'open')).toBe('open');
  });
});
