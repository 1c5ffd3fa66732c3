import type { ObligationDocument } from '@oja/contracts/models';
import {
  createMemoryKeys,
  createMemoryKeysData,
  createMemoryState,
  createMemoryStateData,
} from '@oja/platform';
import { expect, it } from 'vitest';
import { isMet, webhookStatus } from './obligations.js';

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
  };
  const context = { engines: { state, keys }, clock: { now: () => NOW } };
  expect(await isMet(context, failed)).toBe(told);
});

it('a webhook that waits for what it reports is open, and overdue only after that; one that nobody worked on is', async () => {
  const state = createMemoryState(createMemoryStateData());
  const MINUTE = 60_000;
  const keep = (key: string, minutesAgo: number, waits: object = {}) =>
    state.put('webhooks', `todo/${key}`, { at: NOW - minutesAgo * MINUTE, ...waits }, NOW);
  const context = { engines: { state }, clock: { now: () => NOW } };
  await keep('waits', 600, { waitsUntil: NOW + MINUTE });
  const open = { kind: 'webhook', open: 1, overdue: 0, oldest: null };
  expect(await webhookStatus(context)).toEqual(open);
  await keep('has just come', 1);
  await keep('never worked on', 10);
  await keep('has waited', 600, { waitsUntil: NOW - 20 * MINUTE });
  expect(await webhookStatus(context)).toEqual({
    kind: 'webhook',
    open: 4,
    overdue: 2,
    oldest: new Date(NOW - 20 * MINUTE).toISOString(),
  });
});
