import { nameId } from '@oja/command-service';
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
