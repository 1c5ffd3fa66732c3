import { positionToken } from '@oja/http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { forgetPush } from '../src/notifications.js';
import { aKey, type Market, openMarket, type Seller } from './support/market.js';

let market: Market;
let ada: Seller;
let stores = 0;
beforeAll(async () => {
  market = await openMarket();
});
beforeEach(async () => {
  stores += 1;
  ada = await market.register(`Ada Bags ${stores}`);
});
afterAll(() => market.close());

const clear = (headers: Readonly<Record<string, string>> = {}) =>
  market.call('DELETE', `/v1/notifications/read/${ada.id}`, { token: ada.token, headers });
async function head() {
  const position = await market.deps.eventStore.head();
  if (position === null) throw new Error('the log is empty');
  return position;
}
/** Adds a notice for the newest event and moves the projection's checkpoint there. */
async function noticed(transactionId: string) {
  const position = await head();
  await market.models.put('notifications', 'items', `${ada.id}/${transactionId}`, {
    sellerId: ada.id,
    transactionId,
    position,
  });
  await market.models.moveOn('notifications', position);
  return position;
}
async function clearedUpTo(): Promise<unknown> {
  for await (const { type, data } of market.deps.eventStore.readStream(`inbox-${ada.id}`))
    if (type === 'NotificationsCleared') return data.upTo;
  return null;
}

describe('clearing notices', () => {
  it('goes as far as the client has seen', async () => {
    const seen = await noticed('t-1');
    await market.register(`Somebody ${stores}`);
    await noticed('t-2');
    const token = positionToken(market.deps.logId, seen);
    const { status, json } = await clear({ 'Oja-Position': token });
    expect({ status, json }).toEqual({
      status: 200,
      json: { success: true, message: 'Notifications cleared' },
    });
    expect(await clearedUpTo()).toBe(seen);
  });

  it('goes to the head where the client does not say', async () => {
    await noticed('t-1');
    const position = await head();
    expect((await clear()).status).toBe(200);
    expect(await clearedUpTo()).toBe(position);
  });

  it('has nothing to do where there is none, or none that was seen', async () => {
    const before = await head();
    await market.models.moveOn('notifications', before);
    expect(await clear()).toMatchObject({
      status: 404,
      json: { success: false, message: 'No notifications to clear' },
    });
    await market.register(`Another ${stores}`);
    await noticed('t-3');
    const token = positionToken(market.deps.logId, before);
    expect((await clear({ 'Oja-Position': token })).status).toBe(404);
  });

  it('takes a position from beyond the head for none', async () => {
    await noticed('t-1');
    const position = await head();
    const beyond = `${market.deps.logId}.${'9'.repeat(20)}`;
    expect((await clear({ 'Oja-Position': beyond })).status).toBe(200);
    expect(await clearedUpTo()).toBe(position);
  });
});

describe('a browser that wants pushes', () => {
  const endpoint = 'https://updates.push.services.mozilla.com/wpush/v2/secret-part';
  const newSubscription = (at = endpoint) => ({
    endpoint: at,
    expirationTime: null,
    keys: { p256dh: 'p', auth: 'a' },
  });
  const ask = (path: string, at = endpoint) =>
    market.call('POST', path, {
      token: ada.token,
      key: aKey(),
      body: { newSubscription: newSubscription(at), sellerId: ada.id },
    });
  const exists = async () => (await ask('/subscription/check-subscription')).json.exists;

  it('subscribes once, is known, and leaves', async () => {
    expect(await exists()).toBe(false);
    expect((await ask('/subscription')).status).toBe(201);
    expect((await ask('/subscription')).status).toBe(201);
    expect(await exists()).toBe(true);
    const left = await market.call('DELETE', '/subscription', {
      token: ada.token,
      body: { endpoint, sellerId: ada.id },
    });
    expect(left).toMatchObject({ status: 200, json: { success: true } });
    expect(await exists()).toBe(false);
    expect(await market.typesOf(`inbox-${ada.id}`)).toEqual(['PushSubscribed', 'PushUnsubscribed']);
  });

  it('is kept sealed, bound to its own id', async () => {
    await ask('/subscription');
    const subscribed = [];
    for await (const { data } of market.deps.eventStore.readStream(`inbox-${ada.id}`))
      subscribed.push(data);
    expect(subscribed).toHaveLength(1);
    expect(JSON.stringify(subscribed)).not.toContain('secret-part');
    const { subscriptionId, subscription } = subscribed[0] ?? {};
    if (typeof subscription !== 'object' || subscription === null || !('sealed' in subscription))
      throw new Error('not sealed');
    const value = { sealed: String(subscription.sealed), subject: `seller:${ada.id}` };
    const openedAs = (id: unknown) =>
      market.deps.sealer.open(`inbox-${ada.id}`, `subscription:${String(id)}`, value);
    expect(JSON.parse((await openedAs(subscriptionId)) ?? '')).toEqual(newSubscription());
    expect(await openedAs('another-id')).toBeNull();
  });

  it('is taken out when its push service knows it no more, as often as it comes back', async () => {
    for (const eventId of ['e-1', 'e-2']) {
      await ask('/subscription');
      let subscriptionId = '';
      for await (const { data } of market.deps.eventStore.readStream(`inbox-${ada.id}`))
        subscriptionId = String(data.subscriptionId);
      const gone = { eventId, sellerId: ada.id, subscriptionId };
      await forgetPush(market.deps, gone);
      await forgetPush(market.deps, gone);
      expect(await exists()).toBe(false);
    }
    expect(await market.typesOf(`inbox-${ada.id}`)).toEqual([
      'PushSubscribed',
      'PushUnsubscribed',
      'PushSubscribed',
      'PushUnsubscribed',
    ]);
  });

  it('must be one of a push service that is known', async () => {
    for (const at of [
      'https://example.com/push',
      'https://127.0.0.1/x',
      'http://fcm.googleapis.com/',
    ])
      expect((await ask('/subscription', at)).status).toBe(400);
    expect(await market.typesOf(`inbox-${ada.id}`)).toEqual([]);
  });
});
