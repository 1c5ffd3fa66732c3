import { expect, it } from 'vitest';
import { lateModels } from './figures.js';
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
