import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../port.js';
import {
  classifyFailure,
  describeError,
  isUnexplained,
  NoAnswer,
  pauseBefore,
  RetryPolicy,
} from './failures.js';

const failure = (about: { readonly type?: string; readonly code?: number }, message = 'x') =>
  Object.assign(new Error(message), about);

describe('A failure of EventStoreDB', () => {
  it.each([
    ['an unavailable server', failure({ type: 'unavailable', code: 14 })],
    ['a lost connection, passed on raw', failure({ code: 14 })],
    ['a server that is starting', failure({ type: 'unknown' }, 'Server Is Not Ready')],
    ['a deadline', failure({ type: 'deadline-exceeded', code: 4 })],
    ['a slow subscriber', failure({ type: 'timeout', code: 10 })],
    ['a raw ABORTED', failure({ code: 10 })],
    ['a call that the server cancelled', failure({ type: 'cancelled', code: 1 })],
    ['a follower that was asked', failure({ type: 'not-leader' })],
    ['a broken frame', failure({ code: 13 })],
    ['a cluster of which no node answers', new Error('Failed to discover after 10 attempts.')],
    ['our own time-out', new NoAnswer('no answer')],
    ['a call beside that was given up', new StoreUnavailable('EventStoreDB', 'no answer', false)],
  ])('is tried again: %s', (_, error) => expect(classifyFailure(error)).toBe('retry'));

  it.each([
    ['denied access', failure({ type: 'access-denied' })],
    ['a wrong password', failure({ type: 'access-denied', code: 16 })],
    ['a raw UNAUTHENTICATED', failure({ code: 16 })],
    ['a permission that lacks', failure({ type: 'unknown', code: 7 })],
    ['a stream that was destroyed', failure({ type: 'stream-deleted' })],
    ['a call beside that was refused', new StoreUnavailable('EventStoreDB', 'access denied', true)],
  ])('is final: %s', (_, error) => expect(classifyFailure(error)).toBe('refused'));

  it.each([
    ['a TypeError', new TypeError('x is not a function')],
    ['a word', 'oops'],
    ['a type nobody knows', failure({ type: 'user-conflict' })],
    ['a wrong argument', failure({ code: 3 })],
  ])('is a bug: %s', (_, error) => expect(classifyFailure(error)).toBe('bug'));

  it('is unexplained only when the server says no more than that', () => {
    expect(isUnexplained(failure({ type: 'unknown', code: 2 }))).toBe(true);
    expect(isUnexplained(failure({ type: 'unknown' }))).toBe(true);
    expect(isUnexplained(failure({ code: 13 }))).toBe(true);
    expect(isUnexplained(failure({ type: 'unavailable', code: 14 }))).toBe(false);
    expect(isUnexplained(new NoAnswer('no answer'))).toBe(false);
    expect(isUnexplained(new Error('Failed to discover after 10 attempts.'))).toBe(false);
  });

  it('is told in words, also when its message is empty', () => {
    expect(describeError(failure({ type: 'timeout' }, ''))).toBe('timeout');
    expect(describeError(failure({}, ''))).toBe('no reason given');
    expect(describeError(failure({ code: 14 }, 'read ECONNRESET'))).toBe('read ECONNRESET');
  });
});

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
