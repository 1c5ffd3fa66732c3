import { createMemoryState, createMemoryStateData } from '@oja/platform';
import { expect, it } from 'vitest';
import { lateModels, providerRefusals } from './figures.js';
import { failureLines } from './index.js';

const generation = (projection: string, events: number, seconds: number) => ({
  ...{ projection, version: 1, generation: 1, role: 'live' as const, checkpoint: null },
  ...{ checkpointTime: null, lag: { events, seconds }, aheadOfLog: false, parked: [] },
  lastError: null,
});

it('tells of read models that are equally behind once', () => {
  expect(
    lateModels([
      generation('catalogue', 8, 703),
      generation('sellers', 0, 0),
      generation('ledger', 8, 703.4),
      generation('sales', 1, 31),
      generation('income', 10_000, 7_200),
    ]),
  ).toEqual([
    'catalogue, ledger are 8 events and 12 min behind',
    'sales is 1 event and 31 s behind',
    'income is at least 10000 events and 2 h behind',
  ]);
});

it('says how old the figures below a failed look are', () => {
  const lines = failureLines('MongoDB does not answer.', new Date(2026, 0, 31, 9, 5, 7), 40);
  expect(lines.join('\n')).toMatch(/MongoDB does not answer\.\s+As it was at 09:05:07:$/);
  expect(failureLines('MongoDB does not answer.', null, 40).join()).not.toContain('As it was');
});

it('tells of a mail server that takes no letter, in its own words', async () => {
  const state = createMemoryState(createMemoryStateData());
  const clock = { now: () => Date.parse('2026-01-31T12:00:00Z') };
  const run = { id: 'r', since: '2026-01-31T09:00:00.000Z', error: '550 5.7.1 relaying denied' };
  const told = async (...recipients: readonly string[]) => {
    await state.put('mail-server', 'not-taken', { ...run, recipients }, clock.now());
    return providerRefusals({ engines: { state }, clock });
  };
  expect(await told('a', 'b')).toEqual([]);
  expect(await told('a', 'b', 'c')).toEqual([
    expect.stringMatching(/takes no e-mail since 2026-01-31T09.*550 5\.7\.1 relaying denied$/),
  ]);
});

it('tells of a payment provider that refuses the key', async () => {
  const state = createMemoryState(createMemoryStateData());
  const now = Date.parse('2026-01-31T12:00:00Z');
  const noted = { since: '2026-01-31T09:00:00.000Z', message: 'Invalid key' };
  await state.put('payment-provider', 'key', noted, now);
  expect(await providerRefusals({ engines: { state }, clock: { now: () => now } })).toEqual([
    expect.stringMatching(/refuses the key of this market since 2026-01-31T09.*: Invalid key$/),
  ]);
});
