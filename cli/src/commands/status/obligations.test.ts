import type { ObligationDocument } from '@oja/contracts/models';
import { createMemoryState, createMemoryStateData } from '@oja/platform';
import { expect, it } from 'vitest';
import type { AppContext } from '../../runtime/context.js';
import { isMet } from './obligations.js';

const NOW = Date.parse('2026-01-31T12:00:00Z');

it.each([
  ['before the letter was sent', '2026-01-31T10:00:00.000Z', true],
  ['again after it was sent', '2026-01-31T11:30:00.000Z', false],
])('a refund that failed %s is told: %s', async (_, due, told) => {
  const state = createMemoryState(createMemoryStateData());
  const sent = { outcome: 'sent', at: '2026-01-31T11:00:00.000Z' };
  await state.put('letters', 'refund-failed/order', sent, NOW);
  const context = { engines: { state }, clock: { now: () => NOW } } as unknown as AppContext;
  const failed = { kind: 'refund-failed', subject: 'order', due, position: '7' };
  expect(await isMet(context, failed as ObligationDocument)).toBe(told);
});
