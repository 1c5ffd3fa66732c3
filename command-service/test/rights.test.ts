import { grantHeadAdmin, revokeHeadAdmin } from '@oja/command-service';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aBag, type Market, openMarket, person, pictures, type Seller } from './support/market.js';

let market: Market;
let boss: Seller;
let helper: Seller;
let ada: Seller;
let bisi: Seller;
let suspended: Seller;
beforeAll(async () => {
  market = await openMarket();
  boss = await market.headAdmin('Boss Market');
  helper = await market.register('Helper Market');
  ada = await market.register('Ada Bags');
  bisi = await market.register('Bisi Bags');
  suspended = await market.register('Suspended Bags');
  await subAdmin(helper, true);
  await suspend(suspended);
});
afterAll(() => market.close());

const suspend = ({ id }: Seller, by: Seller = boss) =>
  market.call('PUT', `/v1/user/${id}/toggle-suspended`, { token: by.token });
const subAdmin = ({ id }: Seller, yes: boolean, by: Seller = boss) =>
  market.call('PUT', `/v1/update-subAdmin?sellerId=${id}&isSubAdmin=${yes}`, { token: by.token });

const subscription = {
  endpoint: 'https://fcm.googleapis.com/fcm/send/abc',
  keys: { p256dh: 'p', auth: 'a' },
};
/** Calls that change Ada's own data: method, path and body. The test below also tries them as other sellers. */
const own = {
  profile: [
    'PUT',
    () => `/v1/user/update/${ada.id}`,
    () => ({ ...person, businessName: 'Ada Bags' }),
  ],
  clear: ['DELETE', () => `/v1/notifications/read/${ada.id}`, () => undefined],
  subscribe: [
    'POST',
    () => '/subscription',
    () => ({ newSubscription: subscription, sellerId: ada.id }),
  ],
  unsubscribe: ['DELETE', () => '/subscription', () => ({ endpoint: 'x', sellerId: ada.id })],
} as const;

describe('what belongs to a seller', () => {
  it.each(Object.keys(own) as (keyof typeof own)[])('%s: is theirs alone', async (what) => {
    const [method, path, body] = own[what];
    const as = async (token?: string) => {
      const sent = body();
      const options = { ...(token && { token }), ...(sent && { body: sent }) };
      return (await market.call(method, path(), options)).status;
    };
    expect(await as()).toBe(401);
    expect(await as('nonsense')).toBe(401);
    for (const other of [bisi, helper, boss]) expect(await as(other.token)).toBe(404);
    // A suspended seller may still manage their own notices, so only the change of the profile is forbidden.
    expect(await as(suspended.token)).toBe(what === 'profile' ? 403 : 404);
    expect([200, 201, 404]).toContain(await as(ada.token));
  });

  it('a suspended seller changes nothing of the market', async () => {
    const { token } = suspended;
    const body = { updatedInput: aBag, imageUrls: pictures };
    const account = {
      account_name: 'Ada Obi',
      account_number: '0123456789',
      bank_code: '058',
      password: suspended.password,
    };
    const tries = [
      await market.call('POST', '/v1/add-product', { token, body }),
      await market.call('PUT', '/v1/user/payout-account', { token, body: account }),
      await market.call('PUT', '/v1/product/update/x', { token, body: { price: 1_100 } }),
      await market.call('PUT', '/v1/products/x/toggle-status', { token }),
      await market.call('DELETE', '/v1/product/x', { token }),
    ];
    expect(tries.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(await market.typesOf(`seller-${suspended.id}`)).toEqual([
      'SellerRegistered',
      'SellerSuspended',
    ]);
  });

  it('a suspended seller posts a review without a name only', async () => {
    const review = (name: object) =>
      market.call('POST', '/v1/add-comment', {
        token: suspended.token,
        body: {
          comment_text: 'Slow, but it came',
          ratingData: { bar1: 0, bar2: 0, bar3: 1, bar4: 0, bar5: 0 },
          ...name,
        },
      });
    expect(await review({ businessName: 'Suspended Bags' })).toMatchObject({
      status: 403,
      json: { message: 'Your account is suspended: reviews are anonymous now' },
    });
    expect((await review({})).status).toBe(201);
  });
});

describe('suspension', () => {
  it('is the head admin’s, and toggles', async () => {
    const carol = await market.register('Carol Shoes');
    expect(await suspend(carol)).toMatchObject({
      status: 200,
      json: { is_suspended: 1, message: 'Carol Shoes is suspended' },
    });
    expect(await suspend(carol)).toMatchObject({ json: { is_suspended: 0 } });
  });

  it('is nobody else’s, and never of oneself or a head admin', async () => {
    const second = await market.headAdmin('Second Boss');
    expect((await suspend(ada, helper)).status).toBe(403);
    expect((await suspend(ada, bisi)).status).toBe(403);
    expect((await suspend(boss)).status).toBe(403);
    expect((await suspend(second)).status).toBe(403);
    expect((await suspend({ ...ada, id: 'nobody' })).status).toBe(404);
  });
});

describe('sub-admins', () => {
  it('are made and unmade by the head admin', async () => {
    const dayo = await market.register('Dayo Decoders');
    expect(await subAdmin(dayo, true)).toMatchObject({
      status: 200,
      json: { success: true, message: 'Dayo Decoders is an admin now' },
    });
    expect((await subAdmin(dayo, true)).status).toBe(200);
    expect((await subAdmin(dayo, false)).json.message).toBe('Dayo Decoders is no longer an admin');
    expect(await market.typesOf(`seller-${dayo.id}`)).toEqual([
      'SellerRegistered',
      'SubAdminGranted',
      'SubAdminRevoked',
    ]);
    expect((await subAdmin(dayo, true, helper)).status).toBe(403);
    expect((await subAdmin({ ...dayo, id: 'nobody' }, true)).status).toBe(404);
  });

  it('are nobody who was erased, though their rights can still be withdrawn', async () => {
    const eze = await market.register('Eze Electronics');
    await subAdmin(eze, true);
    await market.deps.keys.destroy(`seller:${eze.id}`);
    expect((await subAdmin(eze, false)).status).toBe(200);
    expect(await subAdmin(eze, true)).toMatchObject({
      status: 409,
      json: { message: 'This seller was erased' },
    });
    expect(await market.typesOf(`seller-${eze.id}`)).toEqual([
      'SellerRegistered',
      'SubAdminGranted',
      'SubAdminRevoked',
    ]);
  });

  it.each(['', '?sellerId=&isSubAdmin='])(
    'are asked for by what is missing in "%s"',
    async (query) => {
      const path = `/v1/update-subAdmin${query}`;
      const { status, json } = await market.call('PUT', path, { token: boss.token });
      expect(status).toBe(400);
      expect(json).toMatchObject({ success: false, missingFields: ['sellerId', 'isSubAdmin'] });
    },
  );
});

describe('a head admin', () => {
  it('is made and unmade by an operator', async () => {
    const efe = await market.register('Efe Fabrics');
    expect(await grantHeadAdmin(market.deps, efe.id)).toEqual({
      ok: true,
      sellerId: efe.id,
      changed: true,
    });
    expect(await grantHeadAdmin(market.deps, efe.id)).toMatchObject({ changed: false });
    expect(await revokeHeadAdmin(market.deps, efe.id)).toMatchObject({ changed: true });
    expect((await suspend(ada, efe)).status).toBe(403);
    expect(await grantHeadAdmin(market.deps, 'nobody')).toMatchObject({ ok: false });
  });
});
