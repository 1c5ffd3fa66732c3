import { expect, it } from 'vitest';
import { runChaos } from './run.js';

it('two dozen orders outlive a provider that misbehaves and the death of every role', async () => {
  const outcome = await runChaos({ orders: 24, seed: 7, killsEach: 1, say: () => {} });
  const { lost, doubled, unbalanced, unsettled, kills, webhooks, ledgerLooks } = outcome;
  expect({ lost, doubled, unbalanced, unsettled }).toEqual({
    lost: [],
    doubled: [],
    unbalanced: [],
    unsettled: [],
  });
  expect(ledgerLooks).toBeGreaterThan(2);
  expect(webhooks).toBeGreaterThanOrEqual(240);
  for (const times of Object.values(kills)) expect(times).toBeGreaterThanOrEqual(1);
}, 180_000);
