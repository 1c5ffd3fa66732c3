import { type Deps, grantHeadAdmin, revokeHeadAdmin } from '@oja/command-service';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Answered } from './support/caller.js';
import {
  aBag,
  aKey,
  type Market,
  openMarket,
  person,
  pictures,
  type Seller,
} from './support/market.js';

let market: Market;
let reads: Map<string, number>;
beforeEach(async () => {
  market = await openMarket();
  reads = new Map();
  const { eventStore } = market.deps;
  const real: Deps['eventStore']['readStream'] = eventStore.readStream.bind(eventStore);
  vi.spyOn(eventStore, 'readStream').mockImplementation((stream, options) => {
    reads.set(stream, (reads.get(stream) ?? 0) + 1);
    return real(stream, options);
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await market.close();
});

const isGood = (status: number) => status >= 200 && status < 300;

/**
 * Runs a command and checks that it succeeds and reads each stream at most once. The stream of the signed-in
 * seller `by` may be read twice, because authentication reads it first.
 */
async function readsOnce(command: () => Promise<Answered>, by?: Seller): Promise<Answered> {
  reads.clear();
  const answer = await command();
  expect(answer.status).toSatisfy(isGood);
  expect(reads.size).toBeGreaterThan(0);
  for (const [stream, times] of reads)
    expect(times, stream).toBeLessThanOrEqual(stream === `seller-${by?.id}` ? 2 : 1);
  return answer;
}

it('each command of who sells, or wants to, reads each stream once', async () => {
  const { call } = market;
  const password = 'a password of some length';
  const body = { ...person, businessName: 'Musa Decoders', password };
  await readsOnce(() => call('POST', '/v1/register', { body }));
  await readsOnce(() => call('GET', '/v1/businessName-checker/Musa'));
  const ada = await market.register('Ada Bags');
  const { token } = ada;
  const as = (method: string, path: string, sent?: object) =>
    readsOnce(() => call(method, path, { token, key: aKey(), ...(sent && { body: sent }) }), ada);
  await readsOnce(() =>
    call('POST', '/v1/login', { body: { businessName: 'Ada Bags', password: ada.password } }),
  );
  const profile = { ...person, businessName: 'Ada Bags' };
  await as('PUT', `/v1/user/update/${ada.id}`, { ...profile, name: 'Ada Eze' });
  await as('PUT', `/v1/user/update/${ada.id}`, { ...profile, businessName: 'Ada & Daughters' });
  expect(await market.typesOf(`seller-${ada.id}`)).toEqual([
    'SellerRegistered',
    'SellerProfileUpdated',
    'SellerProfileUpdated',
    'BusinessNameForgone',
  ]);
  await as('PUT', '/v1/user/payout-account', {
    account_name: 'Ada Obi',
    account_number: '0123456789',
    bank_code: '058',
    password: ada.password,
  });
  const passwords = { old_password: ada.password, new_password: 'another of some length' };
  await as('PUT', '/v1/user/password', passwords);
  const listed = await as('POST', '/v1/add-product', { updatedInput: aBag, imageUrls: pictures });
  const { productId } = listed.json;
  await as('PUT', `/v1/product/update/${productId}`, { price: 12_000 });
  await as('PUT', `/v1/products/${productId}/toggle-status`);
  await market.models.moveOn('catalogue', await market.deps.eventStore.head());
  await as('DELETE', `/v1/product/${productId}`);
  const ratingData = { bar1: 0, bar2: 0, bar3: 0, bar4: 1, bar5: 0 };
  const comment = { comment_text: 'Fine goods', ratingData, businessName: 'Ada & Daughters' };
  await as('POST', '/v1/add-comment', comment);
});

it('each command of an admin reads each stream once', async () => {
  const boss = await market.headAdmin('Boss');
  const ada = await market.register('Ada Bags');
  const { token } = boss;
  const as = (path: string) =>
    readsOnce(() => market.call('PUT', path, { token, key: aKey() }), boss);
  await as(`/v1/user/${ada.id}/toggle-suspended`);
  await as(`/v1/user/${ada.id}/toggle-suspended`);
  await as(`/v1/update-subAdmin?sellerId=${ada.id}&isSubAdmin=true`);
  const { deps } = market;
  for (const operator of [grantHeadAdmin, revokeHeadAdmin]) {
    reads.clear();
    expect(await operator(deps, ada.id)).toMatchObject({ ok: true, changed: true });
    expect([...reads.values()]).toEqual([1]);
  }
});
