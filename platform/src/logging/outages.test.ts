import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NoRoom, StoreUnavailable } from '../eventstore/port.js';
import { ReadModelMissing } from '../readmodels/reader.js';
import { createOutages, throttleRepeats } from './outages.js';

const told: (readonly [string, object, string])[] = [];
const setUp = () => {
  told.length = 0;
  return createOutages((...line) => told.push(line), 60_000, 15_000, Date.now);
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const away = (what: string) =>
  new StoreUnavailable('MongoDB', `MongoDB did not do it: ${what}`, false);

it('an outage is told at its first failure, with a count every minute, and when it is over', () => {
  const outages = setUp();
  expect(outages.recordAndSuppress('warn', away('a'), 'no heartbeat')).toBe(false);
  for (let second = 1; second <= 130; second += 1) {
    vi.advanceTimersByTime(1_000);
    expect(outages.recordAndSuppress('error', away(`${second}`), 'request failed')).toBe(true);
    if (second % 5 === 0) outages.recordAndSuppress('warn', away('b'), 'no heartbeat');
  }
  vi.advanceTimersByTime(14_999);
  const error = 'MongoDB did not do it: a';
  const still = 'an engine still fails';
  expect(told).toEqual([
    [
      'error',
      { error, seconds: 60, failures: { 'no heartbeat': 12, 'request failed': 60 } },
      still,
    ],
    [
      'error',
      { error, seconds: 120, failures: { 'no heartbeat': 24, 'request failed': 120 } },
      still,
    ],
  ]);
  vi.advanceTimersByTime(1);
  const failures = { 'no heartbeat': 27, 'request failed': 130 };
  expect(told.slice(2)).toEqual([
    ['warn', { error, seconds: 130, failures }, 'an engine has stopped failing'],
  ]);
  expect(outages.recordAndSuppress('error', away('later'), 'request failed')).toBe(false);
});

it('engines fail each by itself; what is no engine is told every time', () => {
  const outages = setUp();
  const failed = (error: unknown) => outages.recordAndSuppress('error', error, 'request failed');
  const first = [
    away('a'),
    new StoreUnavailable('EventStoreDB', 'EventStoreDB could not read', false),
    new NoRoom('keys.db takes no more writes: database or disk is full'),
    new ReadModelMissing('no projector has begun the read model sellers_v1 yet'),
  ];
  expect(first.map(failed)).toEqual([false, false, false, false]);
  expect(first.map(failed)).toEqual([true, true, true, true]);
  expect(failed(new NoRoom('log.db takes no more writes: database or disk is full'))).toBe(true);
  const inOtherWords = new StoreUnavailable('MongoDB', 'no member can be written to', false);
  expect(failed(inOtherWords)).toBe(true);
  const bug = new TypeError('a bug');
  expect([bug, bug, 'text', null].map(failed)).toEqual([false, false, false, false]);
});

it('what has failed once is one line', () => {
  expect(setUp().recordAndSuppress('error', away('a'), 'request failed')).toBe(false);
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual([]);
});

it('one that is for good until the next start is not said to be over', () => {
  const outages = setUp();
  const broken = new StoreUnavailable('SQLite', 'log.db: disk I/O error', true);
  expect(outages.recordAndSuppress('error', broken, 'request failed')).toBe(false);
  vi.advanceTimersByTime(3_600_000);
  expect(outages.recordAndSuppress('error', broken, 'request failed')).toBe(true);
  expect(told.map(([, , message]) => message)).toEqual(['an engine still fails']);
});

it('what was counted is told at the end', () => {
  const outages = setUp();
  for (let i = 0; i < 3; i += 1) outages.recordAndSuppress('warn', away('a'), 'a job has failed');
  outages.end();
  vi.advanceTimersByTime(60_000);
  expect(told).toEqual([
    [
      'warn',
      { error: 'MongoDB did not do it: a', seconds: 0, failures: { 'a job has failed': 3 } },
      'an engine still fails',
    ],
  ]);
});

it('the same message is passed on once in a while, however many subscriptions send it', () => {
  const told: string[] = [];
  let now = 0;
  const tell = throttleRepeats(
    (trouble: string | Error) =>
      told.push(`${trouble instanceof Error ? trouble.message : trouble} at ${now}`),
    1_000,
    () => now,
  );
  for (now of [0, 0, 400, 999, 1_000, 1_500]) {
    tell('away');
    if (now === 400) tell(new Error('slow'));
    if (now === 999) tell(new Error('slow'));
  }
  expect(told).toEqual(['away at 0', 'slow at 400', 'away at 1000']);
});
