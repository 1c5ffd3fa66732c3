import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../port.js';
import { pauseBefore, RetryPolicy } from './retry-policy.js';

const away = Object.assign(new Error('away'), { code: 14 });
const refused = Object.assign(new Error('no'), { code: 16 });

function atTime(retryForMs: number) {
  const clock = { now: 0 };
  return { clock, retries: new RetryPolicy(retryForMs, () => clock.now) };
}

describe('RetryPolicy', () => {
  it('lasts from the beginning of an outage, for all calls together', () => {
    const { clock, retries } = atTime(1_000);
    const allowed = [0, 400, 800, 1_200, 1_600].map((now) => {
      clock.now = now;
      return retries.allowsRetry();
    });
    expect(allowed).toEqual([true, true, true, false, false]);
  });

  it('is whole again once the server has answered', () => {
    const { clock, retries } = atTime(1_000);
    retries.allowsRetry();
    clock.now = 900;
    retries.worked();
    clock.now = 1_500;
    expect(retries.allowsRetry()).toBe(true);
  });

  it('is whole again when nobody has asked for as long as it lasts', () => {
    const { clock, retries } = atTime(1_000);
    retries.allowsRetry();
    clock.now = 50_000;
    expect(retries.allowsRetry()).toBe(true);
  });

  it('ends in an unknown outcome, which may be asked for again', async () => {
    const { retries } = atTime(0);
    const end = retries.afterFailure('append to note-1', away, 0);
    await expect(end).rejects.toThrow(StoreUnavailable);
    await expect(end).rejects.toMatchObject({
      permanent: false,
      message: 'EventStoreDB could not append to note-1: away',
    });
  });

  it('ends at once when the store is closed, also for whoever waits to try again', async () => {
    const closing = new AbortController();
    const retries = new RetryPolicy(60_000, undefined, closing.signal);
    const waiting = retries.afterFailure('append to note-1', away, 50);
    closing.abort();
    await expect(waiting).rejects.toThrow(StoreUnavailable);
    await expect(retries.afterFailure('read', away, 0)).rejects.toThrow(StoreUnavailable);
  });

  it('is not spent on a server that refuses', async () => {
    const end = atTime(1_000).retries.afterFailure('append to note-1', refused, 0);
    await expect(end).rejects.toMatchObject({ name: 'StoreUnavailable', permanent: true });
  });

  it('hides no bug', async () => {
    const bug = new TypeError('bug');
    await expect(atTime(1_000).retries.afterFailure('read', bug, 0)).rejects.toBe(bug);
  });

  it('waits longer from try to try, but never long', () => {
    const pauses = [0, 1, 2, 3, 4, 5, 50].map(pauseBefore);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(1_000);
  });
});
