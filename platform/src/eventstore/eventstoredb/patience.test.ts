import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../errors.js';
import { Patience, pauseBefore } from './patience.js';

const away = Object.assign(new Error('away'), { code: 14 });
const refused = Object.assign(new Error('no'), { code: 16 });

function atTime(patienceMs: number) {
  const clock = { now: 0 };
  return { clock, patience: new Patience(patienceMs, () => clock.now) };
}

describe('Patience with the server', () => {
  it('lasts from the beginning of an outage, for all calls together', () => {
    const { clock, patience } = atTime(1_000);
    const allowed = [0, 400, 800, 1_200, 1_600].map((now) => {
      clock.now = now;
      return patience.allowsRetry();
    });
    expect(allowed).toEqual([true, true, true, false, false]);
  });

  it('is whole again once the server has answered', () => {
    const { clock, patience } = atTime(1_000);
    patience.allowsRetry();
    clock.now = 900;
    patience.worked();
    clock.now = 1_500;
    expect(patience.allowsRetry()).toBe(true);
  });

  it('is whole again when nobody has asked for as long as it lasts', () => {
    const { clock, patience } = atTime(1_000);
    patience.allowsRetry();
    clock.now = 50_000;
    expect(patience.allowsRetry()).toBe(true);
  });

  it('ends in an unknown outcome, which may be asked for again', async () => {
    const { patience } = atTime(0);
    const end = patience.afterFailure('append to note-1', away, 0);
    await expect(end).rejects.toThrow(StoreUnavailable);
    await expect(end).rejects.toMatchObject({
      permanent: false,
      message: 'EventStoreDB could not append to note-1: away',
    });
  });

  it('is not spent on a server that refuses', async () => {
    const end = atTime(1_000).patience.afterFailure('append to note-1', refused, 0);
    await expect(end).rejects.toMatchObject({ name: 'StoreUnavailable', permanent: true });
  });

  it('hides no bug', async () => {
    const bug = new TypeError('bug');
    await expect(atTime(1_000).patience.afterFailure('read', bug, 0)).rejects.toBe(bug);
  });

  it('waits longer from try to try, but never long', () => {
    const pauses = [0, 1, 2, 3, 4, 5, 50].map(pauseBefore);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1_000);
  });
});
