import { describe, expect, it } from 'vitest';
import { StoreUnavailable } from '../port.js';
import { classifyFailure, isUnexplained, NoAnswer, describeError as sayWhat } from './failures.js';

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
    expect(sayWhat(failure({ type: 'timeout' }, ''))).toBe('timeout');
    expect(sayWhat(failure({}, ''))).toBe('no reason given');
    expect(sayWhat(failure({ code: 14 }, 'read ECONNRESET'))).toBe('read ECONNRESET');
  });
});
