import type { ObligationDocument } from '@oja/contracts/models';
import {
  createMemoryKeys,
  createMemoryKeysData,
  createMemoryState,
  createMemoryStateData,
} from '@oja/platform';
import { expect, it } from 'vitest';
import { isMet } from './obligations.js';

const NOW = Date.parse('2026-01-31T12:00:00Z');

it.each([
  ['before the letter was sent', '2026-01-31T10:00:00.000Z', true],
  ['again after it was sent', '2026-01-31T11:30:00.000Z', false],
])('a refund that failed %s is told: %s', async (_, due, told) => {
  const state = createMemoryState(createMemoryStateData());
  const sent = { outcome: 'sent', at: '2026-01-31T11:00:00.000Z' };
  await state.put('letters', 'refund-failed/order', sent, NOW);
  const keys = createMemoryKeys(createMemoryKeysData());
  const failed: ObligationDocument = {
    kind: 'refund-failed',
    subject: 'order',
    due,
    position: '7',
    sellerId: null,
    amount: null,
    item: 'event-2',
    providerId: null,
    keySubject: null,
    dueTimes: null,
    references: null,
  };
  const context = { engines: { state, keys }, clock: { now: () => NOW } };
  expect(await isMet(context, failed)).toBe(told);
});
