import { createCommandService, nameId } from '@oja/command-service';
import { businessName, businessNameKey, UNUSED_CLAIM_MS } from '@oja/domain';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { aKey, type Market, openMarket, person } from './support/market.js';

let market: Market;
beforeAll(async () => {
  market = await openMarket();
});
afterAll(() => market.close());

it('what fell due while nothing ran is done once it is known, not a minute later', async () => {
  const nameKey = businessNameKey('Claimed Only');
  market.faults.next = { type: 'SellerRegistered', when: 'before' };
  const body = { ...person, businessName: 'Claimed Only', password: 'long enough' };
  await market.call('POST', '/v1/register', { key: aKey(), body });
  const stateOf = async () => (await market.deps.load(businessName, nameId(nameKey))).state;
  const claim = await stateOf();
  if (claim.status !== 'held') throw new Error('the name was not claimed');
  market.clock.time += UNUSED_CLAIM_MS;

  // The read model of what is owed knows nothing yet when the first sweep looks into it.
  const { documents, eventStore } = market.deps;
  const find = vi.spyOn(documents, 'find');
  market.service.start();
  await vi.waitUntil(() => find.mock.calls.length > 0);
  await Promise.all(find.mock.results.map(({ value }) => value));
  await market.models.put('obligations', 'due', 'release', {
    kind: 'release-name',
    subject: nameKey,
    sellerId: claim.sellerId,
    due: new Date(0).toISOString(),
    position: '',
    amount: null,
    item: null,
    providerId: null,
    keySubject: null,
  });
  await market.models.moveOn('obligations', await eventStore.head());
  await vi.waitFor(async () => expect((await stateOf()).status).toBe('free'), { timeout: 20_000 });
});

it('what has expired leaves the disk: answers that were kept, sessions, rate windows', async () => {
  const { state, clock } = market.deps;
  const before = clock.now();
  const expiresAt = before + 1_000;
  // More than one batch of it, as where nobody had swept for a year.
  const old = Array.from({ length: 2_500 }, (_, n) => `old-${n}`);
  await Promise.all(old.map((key) => state.put('swept', key, {}, before, { expiresAt })));
  await state.put('swept', 'kept', {}, before);
  market.clock.time += 2_000;
  await market.service.close();
  const again = createCommandService(market.deps);
  again.start();
  try {
    // Who asks as of then is still told of what lies on disk.
    const left = () => state.list('swept', '', before, { limit: old.length + 1 });
    await vi.waitFor(async () => expect(await left()).toHaveLength(1), { timeout: 20_000 });
    expect(await state.get('swept', 'kept', before)).not.toBeNull();
  } finally {
    await again.close();
  }
});
