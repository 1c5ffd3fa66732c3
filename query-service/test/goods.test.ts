import { type ProductDocument, readModels } from '@oja/contracts/models';
import { fold, limits, MINUTE_MS } from '@oja/domain/rules';
import { CHECKPOINTS, type Checkpoint, generationKey } from '@oja/platform';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { productDocument, storeDocument } from './support/fixtures.js';
import { append, type Market, openMarket } from './support/market.js';
import { read, type Served, serve } from './support/served.js';

let market: Market;
let served: Served;

const goods: readonly Partial<ProductDocument>[] = [
  { productId: 'tote', name: 'Ankara tote', listedAt: '2026-03-01T10:00:00.000Z', trending: 1 },
  { productId: 'bag', name: 'École bag', listedAt: '2026-03-02T10:00:00.000Z', price: 90_000 },
  {
    productId: 'phone',
    name: 'Infinix phone',
    price: 20_000_000,
    sellerId: 's-2',
    businessName: 'Chidi Phones',
    businessNameKey: 'chidi-phones',
    category: 'Phones and Laptop',
    subcategory: 'Mobile Phones',
    subcategoryId: 18,
    condition: 'Used',
    shownCondition: 'Used',
    localGovt: 'Nsukka',
    state: 'Enugu',
    attributes: { water_resistance: 1, memory: '128 GB', condition: 'Used' },
    listedAt: '2026-03-03T10:00:00.000Z',
    trending: 5,
  },
  {
    productId: 'hidden',
    name: 'Hidden bag',
    status: 'UNAVAILABLE',
    shown: false,
    openTransactions: 1,
  },
  { productId: 'removed', name: 'Removed bag', status: 'REMOVED', shown: false },
];

beforeAll(async () => {
  market = await openMarket();
  served = await serve(market);
  for (const one of goods) {
    const document = productDocument(one);
    await market.put('catalogue', 'products', document.productId, document);
  }
  await market.put('catalogue', 'stores', 's-1', storeDocument());
});
afterAll(async () => {
  await served.close();
  await market.close();
});

type Found = {
  result: { product_id: string }[];
  total: number;
  facets: { category: unknown[]; condition: unknown[]; localGovt: unknown[] };
  nextCursor: string | null;
};
const search = async (query: string) =>
  (await read(served, 'searchProducts', `/v1/products/search?${query}`)).body as Found;
const ids = async (query: string) => (await search(query)).result.map((one) => one.product_id);

it('shows the whole shown catalogue by name where nothing is asked for', async () => {
  const found = await search('');
  expect(found.result.map((one) => one.product_id)).toEqual(['tote', 'bag', 'phone']);
  expect(found.total).toBe(3);
});

it.each([
  ['query=BAG', ['bag']],
  ['query=ecole', ['bag']],
  ['query=bag%20%20ecole', ['bag']],
  ['query=bag%20tote', []],
  ['query=ba', ['tote', 'bag', 'phone']],
  [`query=${'bag'.repeat(70)}`, []],
  [`query=bag%20${'%20'.repeat(300)}tote`, ['bag']],
  ['category=phones-and-laptop', ['phone']],
  ['subcategory=Mobile-Phones', ['phone']],
  ['category=Nothing', []],
  ['seller=Chidi%20Phones', ['phone']],
  ['seller=chidi-phones', ['phone']],
  ['condition=New', ['tote', 'bag']],
  ['condition=used', ['phone']],
  ['condition=all', ['tote', 'bag', 'phone']],
  ['localGovt=Nsukka', ['phone']],
  ['localGovt=All%20States/Local%20Govt', ['tote', 'bag', 'phone']],
  ['min_price=1000&max_price=100000', ['tote', 'bag', 'phone']],
  ['min_price=1000&max_price=99000', ['tote']],
  ['min_price=900&max_price=900', ['bag']],
  ['min_price=901&max_price=200000', ['tote', 'phone']],
  ['min_price=900&max_price=199999', ['tote', 'bag']],
  ['min_price=1000&max_price=10000000', ['tote', 'phone']],
  ['min_price=150000&max_price=10000000', ['phone']],
  ['min_price=abc&limit=-1&condition=Broken', ['tote', 'bag', 'phone']],
  ['sort=Z-A', ['phone', 'bag', 'tote']],
  ['sort=newest', ['phone', 'bag', 'tote']],
  ['sort=trending', ['phone', 'tote', 'bag']],
  ['sort=cheapest', ['bag', 'tote', 'phone']],
  ['sort=dearest', ['phone', 'tote', 'bag']],
  ['sort=dearest&query=bag', ['bag']],
])('finds with %s', async (query, expected) => {
  expect(await ids(query)).toEqual(expected);
});

it('counts categories over the whole catalogue, and other choices as they would be', async () => {
  const { facets, total } = await search('condition=Used');
  expect(total).toBe(1);
  expect(facets.category).toEqual([
    { value: 'Fashion', count: 2 },
    { value: 'Phones and Laptop', count: 1 },
  ]);
  expect(facets.condition).toEqual([
    { value: 'New', count: 2 },
    { value: 'Used', count: 1 },
  ]);
  expect(facets.localGovt).toEqual([{ value: 'Nsukka', count: 1 }]);
});

it('goes on by its cursor, and refuses that of another list by name', async () => {
  const first = await search('limit=2');
  expect(first.nextCursor).not.toBeNull();
  const cursor = encodeURIComponent(first.nextCursor ?? '');
  expect(await ids(`limit=2&cursor=${cursor}`)).toEqual(['phone']);
  const wrong = await read(
    served,
    'searchProducts',
    `/v1/products/search?sort=Z-A&cursor=${cursor}`,
  );
  expect(wrong).toMatchObject({ status: 400, body: { errors: { cursor: expect.any(String) } } });
});

it('goes on after a name that folding makes eighteen times as long', async () => {
  const name = '\ufdfa'.repeat(limits.productName.max);
  const long = { businessNameKey: 'long-names', nameKey: fold(name), name };
  for (const productId of ['long-1', 'long-2'])
    await market.put('catalogue', 'products', productId, productDocument({ ...long, productId }));
  const first = await search('seller=long-names&limit=1');
  const cursor = encodeURIComponent(first.nextCursor ?? '');
  expect(await ids(`seller=long-names&limit=1&cursor=${cursor}`)).toEqual(['long-2']);
  for (const productId of ['long-1', 'long-2'])
    await market.put('catalogue', 'products', productId, {
      ...productDocument({ ...long, productId }),
      shown: false,
      status: 'REMOVED',
    });
});

it('counts anew once the catalogue was repaired, although no event came', async () => {
  expect((await search('seller=mended')).total).toBe(0);
  const mended = productDocument({ productId: 'mended', businessNameKey: 'mended', shown: true });
  await market.put('catalogue', 'products', 'mended', mended);
  const checkpoint = generationKey(readModels.catalogue, 1);
  const before = await market.documents.get<Checkpoint>(CHECKPOINTS, checkpoint);
  const repaired = { ...before, repairs: 1 } as Checkpoint;
  await market.documents.commit([
    { type: 'put', collection: CHECKPOINTS, id: checkpoint, document: repaired },
  ]);
  expect((await search('seller=mended')).total).toBe(1);
  await market.put('catalogue', 'products', 'mended', {
    ...mended,
    shown: false,
    status: 'REMOVED',
  });
});

it('counts anew once the catalogue has moved on', async () => {
  expect((await search('seller=new-one')).total).toBe(0);
  const late = productDocument({ productId: 'late', businessNameKey: 'new-one', shown: true });
  await market.put('catalogue', 'products', 'late', late);
  const position = await append(market.eventStore, 'thing-1', [{ type: 'Happened', data: {} }]);
  await market.moveOn('catalogue', position);
  expect((await search('seller=new-one')).total).toBe(1);
  await market.put('catalogue', 'products', 'late', { ...late, shown: false, status: 'REMOVED' });
});

it('waits for the position of what the client has just done', async () => {
  const position = await append(market.eventStore, 'thing-2', [{ type: 'Happened', data: {} }]);
  const token = `${await market.eventStore.logId()}.${position}`;
  const asked = served.get('/v1/product/soon', { 'Oja-Position': token });
  await market.put(
    'catalogue',
    'products',
    'soon',
    productDocument({ productId: 'soon', shown: false }),
  );
  await market.moveOn('catalogue', position);
  const response = await asked;
  expect([response.status, response.headers.get('Oja-Stale')]).toEqual([200, null]);
});

it('spells a product as the user does', async () => {
  const { body } = await read(served, 'getProduct', '/v1/product/phone');
  expect(body).toEqual({
    success: true,
    subcategoryID: 18,
    result: {
      product_id: 'phone',
      user_id: 's-2',
      prod_name: 'Infinix phone',
      price: 200_000,
      prod_condition: 'Used',
      description: 'A bag of wax print.',
      state: 'Enugu',
      local_govt: 'Nsukka',
      subcategory_id: 18,
      subcategory_name: 'Mobile Phones',
      top_category: 'Phones and Laptop',
      image_urls: ['http://market.test/v1/image/one.webp', 'http://market.test/v1/image/two.webp'],
      businessName: 'Chidi Phones',
      status: 'AVAILABLE',
      is_suspended: 0,
      created_at: '2026-03-03T10:00:00.000Z',
      water_resistance: 1,
      memory: '128 GB',
    },
  });
});

it('tells what else may be meant: a shelf, a store, other forms, another spelling', async () => {
  type Meant = Record<'goods' | 'shelves' | 'stores' | 'did_you_mean' | 'word_forms', unknown>;
  const suggest = async (query: string) =>
    (await read(served, 'suggestProducts', `/v1/products/suggest?query=${query}`)).body as Meant;
  expect(await suggest('b')).toMatchObject({ goods: [], shelves: [], stores: [] });
  expect(await suggest('ba')).toMatchObject({
    shelves: [{ subcategory_name: 'Bags', top_category: 'Fashion', count: 2 }],
    stores: [{ user_id: 's-1', businessName: 'Bola Bags' }],
    did_you_mean: null,
    word_forms: null,
  });
  expect(await suggest('infnix')).toMatchObject({ did_you_mean: 'infinix', word_forms: null });
  expect(await suggest('ankaratotes')).toMatchObject({ word_forms: 'ankara tote' });
  expect(await suggest('ankara')).toMatchObject({ did_you_mean: null, word_forms: null });
  expect(await suggest('ba')).toMatchObject({ goods: [] });
  const { goods } = await suggest('ankara tot');
  expect(goods).toEqual([
    {
      product_id: 'tote',
      subcategory_id: expect.any(Number),
      prod_name: expect.stringMatching(/Ankara tote/i),
      price: expect.any(Number),
      image_url: expect.stringMatching(/^http/),
    },
  ]);
  // The words of the hidden bag are not revealed.
  expect(await suggest('hiden')).toMatchObject({ did_you_mean: null });
  expect(await suggest('hidden')).toMatchObject({ goods: [] });
});

it('tells only the owner what they typed', async () => {
  const [owner, other] = [await market.signedIn('s-1'), await market.signedIn('s-2')];
  const seen = async (token?: string) =>
    (await read(served, 'getProduct', '/v1/product/tote', token)).body;
  expect(await seen(owner)).toMatchObject({
    result: { seller_price: 10_000, in_transaction: false },
  });
  expect(JSON.stringify([await seen(other), await seen()])).not.toContain('seller_price');
  const { body } = await read(served, 'userProducts', '/v1/user/products', owner);
  expect(body).toMatchObject({
    userDetails: expect.arrayContaining([
      expect.objectContaining({
        product_id: 'hidden',
        status: 'UNAVAILABLE',
        in_transaction: true,
      }),
    ]),
  });
  expect(JSON.stringify(body)).not.toMatch(/removed|phone/);
});

it('asks for a fresh token instead of taking an owner whose token has run out for a stranger', async () => {
  const token = await market.signedIn('s-9');
  const began = market.clock.time;
  market.clock.time = began + 11 * MINUTE_MS;
  const answer = await read(served, 'getProduct', '/v1/product/tote', token);
  market.clock.time = began;
  expect(answer).toMatchObject({ status: 403, body: { code: 'token_expired' } });
});

it('pages the own goods, newest first, and finds among them from the first letter on', async () => {
  const mine = [
    { productId: 'm-1', name: 'Égusi pot', status: 'AVAILABLE' },
    { productId: 'm-2', name: 'Rice pot', status: 'UNAVAILABLE' },
    { productId: 'm-3', name: 'Rug', status: 'AVAILABLE' },
    { productId: 'm-4', name: 'Old rug', status: 'REMOVED' },
  ] as const;
  for (const [day, one] of mine.entries()) {
    const listedAt = `2026-03-0${day + 1}T10:00:00.000Z`;
    const document = productDocument({ ...one, sellerId: 's-3', shown: false, listedAt });
    await market.put('catalogue', 'products', one.productId, document);
  }
  const token = await market.signedIn('s-3');
  type Own = {
    userDetails: { product_id: string }[];
    counts: unknown;
    nextCursor: string | null;
  };
  const own = async (query: string) =>
    (await read(served, 'userProducts', `/v1/user/products?${query}`, token)).body as Own;
  const found = async (query: string) =>
    (await own(query)).userDetails.map((one) => one.product_id);
  expect(await found('')).toEqual(['m-3', 'm-2', 'm-1']);
  const first = await own('limit=2');
  expect(first).toMatchObject({ userDetails: [{ product_id: 'm-3' }, { product_id: 'm-2' }] });
  const next = await own(`limit=2&cursor=${encodeURIComponent(first.nextCursor ?? '')}`);
  expect(next).toMatchObject({ userDetails: [{ product_id: 'm-1' }], nextCursor: null });
  expect(await found('find=r')).toEqual(['m-3', 'm-2']);
  expect(await found('find=egusi')).toEqual(['m-1']);
  expect(await found('find=pot&status=UNAVAILABLE')).toEqual(['m-2']);
  expect((await own('find=nothing')).counts).toEqual({ AVAILABLE: 2, UNAVAILABLE: 1 });
  const foreign = await served.get('/v1/user/products?cursor=x', {
    Authorization: `Bearer ${token}`,
  });
  expect(foreign.status).toBe(400);
});

it('shows what is in no list by its address, and nothing of what is gone', async () => {
  const statusOf = async (path: string) => (await served.get(path)).status;
  expect(await statusOf('/v1/product/hidden')).toBe(200);
  expect(await statusOf('/v1/product/removed')).toBe(404);
  expect(await statusOf('/v1/product/never')).toBe(404);
});

it('answers the goods of a cart, and by name those that are gone', async () => {
  const { body } = await read(
    served,
    'productsByIds',
    '/v1/products/by-ids?ids=tote,removed,never,tote',
  );
  expect(body).toMatchObject({
    result: [{ product_id: 'tote' }],
    gone: [
      { product_id: 'removed', prod_name: 'Removed bag' },
      { product_id: 'never', prod_name: null },
    ],
  });
  const many = Array.from({ length: 51 }, (_, at) => `x${at}`).join(',');
  expect((await served.get(`/v1/products/by-ids?ids=${many}`)).status).toBe(400);
});

it('answers all goods with a total and a tag, and 304 to whoever has them', async () => {
  const response = await served.get('/v1/products/allUsers');
  expect(await response.json()).toMatchObject({ total: 3, filteredRows: { length: 3 } });
  const again = await served.get('/v1/products/allUsers', {
    'If-None-Match': response.headers.get('ETag') ?? '',
    'Cache-Control': 'max-age=0',
  });
  expect(again.status).toBe(304);
});

it('answers pictures in one text, and whether a product is in an open order', async () => {
  expect((await read(served, 'productImages', '/v1/products/tote/images')).body).toMatchObject({
    result: [
      { image_urls: 'http://market.test/v1/image/one.webp,http://market.test/v1/image/two.webp' },
    ],
  });
  expect(await read(served, 'productImages', '/v1/products/never/images')).toMatchObject({
    status: 404,
  });
  const check = async (id: string) => read(served, 'checkCartItems', `/v1/check-CartItems/${id}`);
  expect((await check('hidden')).body).toEqual({
    exist: true,
    message: 'This product is still in transaction!',
  });
  expect((await check('tote')).body).toMatchObject({ exist: false });
  expect((await check('never')).status).toBe(404);
});

it('finds a store by its name and by its address', async () => {
  for (const name of ['Bola%20Bags', 'bola-bags', 'BOLA-BAGS']) {
    const { body } = await read(served, 'getStore', `/v1/stores/${name}`);
    expect(body).toMatchObject({
      store: { user_id: 's-1', state: 'Lagos', local_govt: 'Ikeja', orders_confirmed: 3, total: 2 },
    });
  }
  expect((await served.get('/v1/stores/nobody')).status).toBe(404);
});

it('describes itself', async () => {
  const { body } = await read(served, 'openApi', '/v1/openapi.json');
  expect(body).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
  expect((await read(served, 'getSettings', '/v1/settings')).body).toMatchObject({
    imageUpload: { url: 'http://market.test/v1_1/oja/image/upload', uploadPreset: 'oja' },
    demo: true,
  });
});

const oddIds = [
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%F0%9F%A7%BA',
  '%0A',
  '%E2%80%AE',
  '..%2F..',
  '%25',
  '$all',
  '__proto__',
];

it.each(oddIds)('says of an id like %s whose fault it is, wherever one is taken', async (odd) => {
  const paths = [
    `/v1/product/${odd}`,
    `/v1/products/${odd}/images`,
    `/v1/check-CartItems/${odd}`,
    `/v1/products/by-ids?ids=${odd}`,
    `/v1/products/by-ids?ids=tote,${odd}`,
    `/v1/stores/${odd}`,
    `/v1/orders/${odd}`,
    `/v1/products/search?cursor=${odd}&seller=${odd}&query=${odd}abc&localGovt=${odd}`,
    `/v1/comments?cursor=${odd}`,
    `/single-product/1/${odd}`,
    `/sellers-store/${odd}`,
    `/category/${odd}/${odd}`,
    `/search-items?query=${odd}abc&cursor=${odd}`,
  ];
  for (const path of paths) {
    const { status } = await served.get(path, { Accept: 'text/html' });
    expect([path, status < 500]).toEqual([path, true]);
  }
});
