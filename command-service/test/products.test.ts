import { randomUUID } from 'node:crypto';
import { product, sellerActor } from '@oja/domain';
import { positionToken } from '@oja/http';
import { isAdopted } from '@oja/platform';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { loggingIn } from './support/logging-in.js';
import { aBag, aKey, type Market, openMarket, pictures, type Seller } from './support/market.js';

let market: Market;
let ada: Seller;
let bisi: Seller;
beforeAll(async () => {
  market = await openMarket();
  ada = await market.register('Ada Bags');
  bisi = await market.register('Bisi Bags');
});
afterAll(() => market.close());

const upload = (change: object = {}, imageUrls: readonly string[] = pictures, key = aKey()) =>
  market.call('POST', '/v1/add-product', {
    token: ada.token,
    key,
    body: { updatedInput: { ...aBag, ...change }, imageUrls },
  });
const uploaded = async (): Promise<string> => (await upload()).json.productId;
const update = (id: string, body: object, token = ada.token) =>
  market.call('PUT', `/v1/product/update/${id}`, { token, body });
const toggle = (id: string, key = aKey(), token = ada.token) =>
  market.call('PUT', `/v1/products/${id}/toggle-status`, { token, key });
const want = (id: string, status: string) =>
  market.call('PUT', `/v1/products/${id}/toggle-status?status=${status}`, {
    token: ada.token,
    key: aKey(),
  });
const remove = (id: string, token = ada.token) =>
  market.call('DELETE', `/v1/product/${id}`, { token });
const lastOf = async (stream: string) => {
  const events = [];
  for await (const event of market.deps.eventStore.readStream(stream)) events.push(event);
  return events.at(-1);
};
/** Goes on after this time, in ms, in a new session, until the test is over. */
async function later(ms: number): Promise<void> {
  const [time, before] = [market.clock.time, ada];
  onTestFinished(() => {
    market.clock.time = time;
    ada = before;
  });
  market.clock.time += ms;
  const { json } = await loggingIn(() => market).login(ada);
  ada = { ...ada, token: json.accessToken };
}
/** Moves the catalogue's checkpoint to the end of the log. */
const caughtUp = async () => market.models.moveOn('catalogue', await market.deps.eventStore.head());

describe('an upload', () => {
  it('lists the product with the names of its pictures and whole kobo', async () => {
    const { status, json, headers } = await upload();
    expect(status).toBe(201);
    const events = [];
    for await (const event of market.deps.eventStore.readStream(`product-${json.productId}`))
      events.push(event);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: 'ProductListed',
      data: {
        sellerId: ada.id,
        price: 1_150_000,
        images: ['one.webp', 'two.jpg'],
        attributes: { color: 'blue' },
      },
      metadata: { actor: `seller:${ada.id}` },
    });
    const position = events[0]?.position;
    if (position === undefined) throw new Error('no event');
    expect(headers.get('Oja-Position')).toBe(positionToken(market.deps.logId, position));
  });

  it('repeated with its key lists it once; the key with another body is refused', async () => {
    const key = aKey();
    const [first, again] = [await upload({}, pictures, key), await upload({}, pictures, key)];
    expect(again).toMatchObject({ status: 201, json: first.json });
    expect(await market.typesOf(`product-${first.json.productId}`)).toEqual(['ProductListed']);
    expect((await upload({ price: 12_650 }, pictures, key)).status).toBe(422);
  });

  it('does not take its key for another body, however long after', async () => {
    const key = aKey();
    const { json } = await upload({ stock: 5 }, pictures, key);
    await later(48 * 3_600_000);
    const others = [{ stock: 5, price: 12_650 }, { stock: 5, color: '' }, {}];
    for (const other of others) {
      const refused = await upload(other, pictures, key);
      expect([refused.status, refused.json.code]).toEqual([422, 'idempotency_key_reused']);
    }
    expect((await upload({ stock: 5 }, [...pictures].reverse(), key)).status).toBe(422);
    const again = await upload({ stock: 5 }, pictures, key);
    expect([again.status, again.json.productId]).toEqual([201, json.productId]);
  });

  it('takes two to six different pictures of our own image host', async () => {
    const [one = ''] = pictures;
    const wrong = [
      [one],
      [one, one],
      [one, 'https://example.com/v1/image/two.jpg'],
      [one, 'http://localhost:8080/v1/image/../secret.jpg'],
      Array.from({ length: 7 }, (_, n) => `http://localhost:8080/v1/image/${n}a.jpg`),
    ];
    for (const imageUrls of wrong) {
      const { status, json } = await upload({}, imageUrls);
      expect(status).toBe(400);
      expect(Object.keys(json.errors)).toEqual(['imageUrls']);
    }
  });

  it('may get other pictures later, or others first, of our own image host alone', async () => {
    const id = await uploaded();
    const [one = '', two = ''] = pictures;
    expect((await update(id, { imageUrls: [two, one] })).status).toBe(200);
    expect(await lastOf(`product-${id}`)).toMatchObject({
      type: 'ProductUpdated',
      data: { images: ['two.jpg', 'one.webp'] },
    });
    for (const imageUrls of [[one], [one, one], [one, 'https://example.com/v1/image/two.jpg']]) {
      const { status, json } = await update(id, { imageUrls });
      expect(status).toBe(400);
      expect(Object.keys(json.errors)).toEqual(['imageUrls']);
    }
  });

  it('keeps the pictures of a host that the market had before, and takes no others from there', async () => {
    const id = await uploaded();
    const cloud = 'https://res.cloudinary.com/before/image/upload/v1';
    const images = [`${cloud}/one.jpg`, `${cloud}/two.jpg`];
    const listed = { type: 'UpdateProduct', sellerId: ada.id, images } as const;
    await market.deps.handle(product, id, listed, {
      actor: sellerActor(ada.id),
      commandId: randomUUID(),
      correlationId: randomUUID(),
      causationId: randomUUID(),
    });
    const [one = '', two = ''] = images;
    const added = 'http://localhost:8080/v1/image/added.webp';
    expect((await update(id, { imageUrls: [two, added, one] })).status).toBe(200);
    expect(await lastOf(`product-${id}`)).toMatchObject({
      type: 'ProductUpdated',
      data: { images: [two, 'added.webp', one] },
    });
    const foreign = await update(id, { imageUrls: [one, `${cloud}/three.jpg`] });
    expect(Object.keys(foreign.json.errors)).toEqual(['imageUrls']);
    const others = await upload({}, images);
    expect(Object.keys(others.json.errors)).toEqual(['imageUrls']);
  });

  it('keeps for good a picture that was added later', async () => {
    const id = await uploaded();
    const added = 'http://localhost:8080/v1/image/added.webp';
    expect((await update(id, { imageUrls: [added, ...pictures] })).status).toBe(200);
    const { state, clock } = market.deps;
    expect(await isAdopted(state, 'added.webp', clock.now())).toBe(true);
  });

  it.each([
    [{ color: undefined, model: 'X1' }, 'model'],
    [{ price: 0 }, 'price'],
    [{ local_govt: 'Nsukka' }, 'local_govt'],
    [{ subcategory_id: 9 }, 'subcategory_id'],
    [{ cond: 'Used' }, 'prod_condition'],
    [{ gender: 'Other' }, 'gender'],
  ])('of %j is refused by the name of the field', async (change, field) => {
    const { status, json } = await upload(change);
    expect(status).toBe(400);
    expect(Object.keys(json.errors)).toEqual([field]);
  });

  it('takes a condition under both names, and attributes left empty', async () => {
    const phone = { subcategory_id: 18, color: '', model: 'X1', water_resistance: 1 };
    expect((await upload({ ...phone, cond: 'Used' })).status).toBe(201);
    expect((await upload({ ...phone, prod_condition: 'New' })).status).toBe(201);
  });

  it('takes a product as a whole, and of it what its seller may set', async () => {
    const whole = { status: 'AVAILABLE', is_suspended: 0, businessName: 'Bisi', user_id: 'bisi' };
    const { status, json } = await upload({ ...whole, product_id: '', image_urls: [], cond: '' });
    expect(status).toBe(201);
    const { data } = (await lastOf(`product-${json.productId}`)) ?? {};
    expect(data).toMatchObject({ sellerId: ada.id, images: ['one.webp', 'two.jpg'] });
    expect(data).not.toHaveProperty('condition');
  });
});

describe('an update', () => {
  it('changes the chosen fields only', async () => {
    const id = await uploaded();
    const { status, json } = await update(id, { price: 22_000, brand: 'Adire' });
    expect({ status, json }).toEqual({
      status: 200,
      json: { success: true, message: 'successfully updated your product' },
    });
    const { state } = await market.deps.load(product, id);
    expect(state).toMatchObject({
      name: aBag.prod_name,
      price: 2_200_000,
      priceKind: 'update',
      attributes: { color: 'blue', brand: 'Adire' },
    });
  });

  it('of a count that has changed since its seller saw it is refused at its field, with the new one', async () => {
    const { json } = await upload({ stock: 10 });
    const id = json.productId;
    await update(id, { stock: 7 });
    const refused = await update(id, { stock: 15, stock_was: 10, brand: 'Adire' });
    expect(refused).toMatchObject({
      status: 409,
      json: { code: 'stock_changed', stock: 7, errors: { stock: expect.stringContaining('7') } },
    });
    expect(await lastOf(`product-${id}`)).toMatchObject({ data: { stock: 7 } });
    expect((await update(id, { stock: 15, stock_was: 7 })).status).toBe(200);
    expect((await update(id, { stock: null, stock_was: 15 })).status).toBe(200);
    expect((await update(id, { stock: 3, stock_was: null })).status).toBe(200);
    expect(await update(id, { stock: 3, stock_was: null })).toMatchObject({ json: { stock: 3 } });
    expect((await update(id, { stock: 40 })).status).toBe(200);
  });

  it('of nothing is refused', async () => {
    expect((await update(await uploaded(), { stock_was: null })).status).toBe(400);
    expect((await update(await uploaded(), {})).status).toBe(400);
  });
});

describe('the status', () => {
  it('is toggled, and the fifth word says to what', async () => {
    const id = await uploaded();
    const messages = [(await toggle(id)).json.message, (await toggle(id)).json.message];
    expect(messages).toEqual([
      'Product status changed to unavailable',
      'Product status changed to available',
    ]);
  });

  it('is never flipped back by a repeated request, also of two at once', async () => {
    const id = await uploaded();
    const key = aKey();
    const answers = await Promise.all([toggle(id, key), toggle(id, key), toggle(id, key)]);
    expect(new Set(answers.map(({ json }) => json.message)).size).toBe(1);
    expect(await market.typesOf(`product-${id}`)).toEqual([
      'ProductListed',
      'ProductMadeUnavailable',
    ]);
  });

  it('stays as it is wanted to be, whichever page says so once more', async () => {
    const id = await uploaded();
    const messages: string[] = [];
    for (const status of ['UNAVAILABLE', 'UNAVAILABLE', 'AVAILABLE', 'AVAILABLE'])
      messages.push((await want(id, status)).json.message);
    expect(messages).toEqual([
      'Product status changed to unavailable',
      'Product status changed to unavailable',
      'Product status changed to available',
      'Product status changed to available',
    ]);
    expect(await market.typesOf(`product-${id}`)).toEqual([
      'ProductListed',
      'ProductMadeUnavailable',
      'ProductMadeAvailable',
    ]);
  });

  it('is wanted in one of its two words', async () => {
    const id = await uploaded();
    expect((await want(id, 'GONE')).status).toBe(400);
    expect(await market.typesOf(`product-${id}`)).toEqual(['ProductListed']);
  });
});

describe('a removal', () => {
  it('is refused while a buyer has paid and waits', async () => {
    const id = await uploaded();
    await market.models.put('catalogue', 'products', id, { openTransactions: 1 });
    await caughtUp();
    expect(await remove(id)).toMatchObject({
      status: 409,
      json: { message: 'This product is still in transaction!' },
    });
    expect(await market.typesOf(`product-${id}`)).toEqual(['ProductListed']);
  });

  it('takes the product away; once more changes nothing, and other commands find nothing', async () => {
    const id = await uploaded();
    await caughtUp();
    expect((await remove(id)).status).toBe(200);
    await caughtUp();
    expect((await remove(id)).status).toBe(200);
    expect((await toggle(id)).status).toBe(404);
    expect(await market.typesOf(`product-${id}`)).toEqual(['ProductListed', 'ProductRemoved']);
  });

  it('waits for the latest orders, and does nothing while they are not known', async () => {
    const id = await uploaded();
    expect((await remove(id)).status).toBe(503);
    expect(await market.typesOf(`product-${id}`)).toEqual(['ProductListed']);
  });
});

describe('somebody else’s product', () => {
  it('is answered as one that is not there', async () => {
    const id = await uploaded();
    await caughtUp();
    for (const other of [id, 'no-such-product']) {
      expect((await update(other, { price: 1_100 }, bisi.token)).status).toBe(404);
      expect((await toggle(other, aKey(), bisi.token)).status).toBe(404);
      expect((await remove(other, bisi.token)).status).toBe(404);
    }
    expect(await market.typesOf(`product-${id}`)).toEqual(['ProductListed']);
  });
});
