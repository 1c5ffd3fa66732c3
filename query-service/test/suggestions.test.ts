import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ProductDocument, readModels } from '@oja/contracts/models';
import { limits } from '@oja/domain/rules';
import { collectionName } from '@oja/platform';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { productDocument, storeDocument } from './support/fixtures.js';
import { append, type Market, openMarket } from './support/market.js';
import { read, type Served, serve } from './support/served.js';

let market: Market;
let served: Served;

beforeEach(async () => {
  market = await openMarket();
  served = await serve(market);
});
afterEach(async () => {
  await served.close();
  await market.close();
});

type Meant = Record<'shelves' | 'stores' | 'did_you_mean', unknown>;
const suggest = async (query: string) =>
  (await read(served, 'suggestProducts', `/v1/products/suggest?query=${query}`)).body as Meant;

/** Lists products, each an hour later than the one before, and moves the catalogue's checkpoint on. */
let hour = 0;
async function listed(...goods: readonly Partial<ProductDocument>[]): Promise<void> {
  const collection = collectionName(readModels.catalogue, 1, 'products');
  const documents = goods.map((one) => {
    hour += 1;
    const listedAt = new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
    return productDocument({ productId: `p-${hour}`, listedAt, ...one });
  });
  await market.documents.commit(
    documents.map((document) => ({ type: 'put', collection, id: document.productId, document })),
  );
  const happened = [{ type: 'Happened', data: {} }];
  const position = await append(market.eventStore, `thing-${hour}`, happened);
  await market.moveOn('catalogue', position);
}

it('survives an engine that fails in the middle of a request', async () => {
  const unhandled = vi.fn();
  process.on('unhandledRejection', unhandled);
  await listed({ name: 'Ankara tote' });
  await market.put('catalogue', 'stores', 's-1', storeDocument());
  await suggest('ankara');
  vi.spyOn(market.documents, 'count').mockRejectedValue(new Error('the engine is away'));
  const { getMany } = market.documents;
  vi.spyOn(market.documents, 'getMany').mockImplementation(async (...asked) => {
    await nextTurn();
    return getMany(...asked);
  });
  expect((await served.get('/v1/products/suggest?query=ba')).status).toBe(500);
  await nextTurn();
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});

it('counts the words of a product once, however often the catalogue changes', async () => {
  const others = Array.from({ length: limits.page.size }, (_, n) => ({ name: `Thing ${n}` }));
  await listed({ name: 'Carpet' }, { name: 'Red carpet' }, ...others, { name: 'Carper' });
  expect(await suggest('carpex')).toMatchObject({ did_you_mean: 'carpet' });
  for (const fruit of ['mango', 'guava', 'papaya']) {
    await listed({ name: fruit });
    await expect.poll(() => suggest(`${fruit}x`)).toMatchObject({ did_you_mean: fruit });
  }
  expect(await suggest('carpex')).toMatchObject({ did_you_mean: 'carpet' });
});

it('reads all names again after the clock was set back', async () => {
  await listed({ name: 'Ankara tote' });
  await suggest('ankara');
  market.clock.time -= 3_600_000;
  const renamed = { productId: `p-${hour}`, name: 'Satchel' };
  await market.put('catalogue', 'products', renamed.productId, productDocument(renamed));
  await listed({ name: 'Mango' });
  await expect.poll(() => suggest('satchex')).toMatchObject({ did_you_mean: 'satchel' });
});

it('names a store although others of that name, who list nothing, come first', async () => {
  for (let n = 1; n <= 45; n += 1) {
    const store = storeDocument({
      sellerId: `empty-${n}`,
      businessName: `Zuri ${n}`,
      newest: null,
    });
    await market.put('catalogue', 'stores', store.sellerId, store);
  }
  const [sellerId, businessName] = ['s-real', 'Zuri Bags'];
  await market.put('catalogue', 'stores', sellerId, storeDocument({ sellerId, businessName }));
  expect(await suggest('zuri')).toMatchObject({ stores: [{ user_id: sellerId, businessName }] });
});

it('names a new store as soon as its first goods are listed', async () => {
  await listed({ name: 'Ankara tote' });
  expect(await suggest('nneka')).toMatchObject({ stores: [] });
  const [sellerId, businessName] = ['s-9', 'Nneka Fabrics'];
  await market.put('catalogue', 'stores', sellerId, storeDocument({ sellerId, businessName }));
  await listed({ name: 'Wrapper', sellerId, businessName });
  await expect
    .poll(() => suggest('nneka'))
    .toMatchObject({ stores: [{ user_id: sellerId, businessName }] });
});

it('knows the words and the stores of all goods listed since, however many', async () => {
  await listed({ name: 'Robo toy' });
  await suggest('robo');
  const [sellerId, businessName] = ['s-9', 'Nneka Fabrics'];
  await market.put('catalogue', 'stores', sellerId, storeDocument({ sellerId, businessName }));
  const others = Array.from({ length: 2 * limits.page.size }, (_, n) => ({ name: `Thing ${n}` }));
  await listed({ name: 'Zobo drink', sellerId, businessName }, ...others);
  await expect
    .poll(() => suggest('nneka'))
    .toMatchObject({ stores: [{ user_id: sellerId, businessName }] });
  expect(await suggest('zobx')).toMatchObject({ did_you_mean: 'zobo' });
});

it('knows the words of more goods than are read one page after the other', async () => {
  await listed({ name: 'Robo toy' });
  await suggest('robo');
  const many = Array.from({ length: 20 * limits.page.size }, (_, n) => ({ name: `Thing ${n}` }));
  await listed({ name: 'Zobo drink' }, ...many);
  await expect.poll(() => suggest('zobx')).toMatchObject({ did_you_mean: 'zobo' });
});

it('offers no other spelling of a word that a renamed product has', async () => {
  await listed({ productId: 'renamed', name: 'Bag' }, { name: 'Robo toy' });
  await suggest('robo');
  const listedAt = new Date(Date.UTC(2025, 0, 1)).toISOString();
  const others = Array.from({ length: limits.page.size }, (_, n) => ({ name: `Thing ${n}` }));
  await listed({ productId: 'renamed', name: 'Zobo drink', listedAt }, ...others);
  expect(await suggest('zobo')).toMatchObject({
    goods: [{ prod_name: 'Zobo drink' }],
    did_you_mean: null,
  });
});

it('offers the nearest word where the one with other signs finds nothing', async () => {
  await listed({ name: 'Adidas T.shirt' }, { name: 'Black T-shirt' }, { name: 'Black skirt' });
  expect(await suggest('Black tshirt')).toMatchObject({ did_you_mean: 'black shirt' });
});

it('corrects three words, and looks no more of them up, since each is compared with all words', async () => {
  await listed({ name: 'Leather travel watch strap' });
  await suggest('leather');
  expect(await suggest('lether travl wacth strap')).toMatchObject({
    did_you_mean: 'leather travel watch strap',
  });
  expect(await suggest('lether travl wacth starp')).toMatchObject({ did_you_mean: null });
});

it.each([
  ['t-shrit', { did_you_mean: 't-shirt' }],
  ['t-shirts', { word_forms: 't-shirt' }],
  ['tshirts', { word_forms: 't-shirt' }],
  ['Black tshirt', { word_forms: 'black t-shirt' }],
  ['tshirt coton', { did_you_mean: 't-shirt cotton' }],
  ['T-Shirt coton', { did_you_mean: 't-shirt cotton' }],
  ['after-sun aloee', { did_you_mean: 'after-sun aloe' }],
  ['4-in-1 blendr', { did_you_mean: '4-in-1 blender' }],
  ['o’neal wacth', { did_you_mean: "o'neal watch" }],
  ['43" samsnug', { did_you_mean: '43 samsung' }],
  ['USB-C & blendr', { did_you_mean: 'usb-c blender' }],
  ['cotton, blak', { did_you_mean: 'cotton black' }],
  ['samsnug | tv', { did_you_mean: 'samsung tv' }],
  ['hand-bags', { word_forms: 'hand bag' }],
  ['handbags lether', { did_you_mean: 'hand bag leather' }],
  ['cotton & black', { word_forms: null, did_you_mean: 'cotton black' }],
  ['cotton t-shirt', { word_forms: null, did_you_mean: null }],
  ['| -- |', { word_forms: null, did_you_mean: null }],
])(
  'helps with words that have signs in or around them, and with the words beside: %s',
  async (typed, meant) => {
    await listed(
      { name: 'Heavy cotton T-shirt, black' },
      { name: 'Aloe after-sun gel' },
      { name: '4-in-1 blender & grinder, USB-C' },
      { name: "O'Neal watch" },
      { name: 'Samsung TV 43"' },
      { name: 'Leather hand bag' },
    );
    expect(await suggest(encodeURIComponent(typed))).toMatchObject(meant);
  },
);

it('reads the names for the first time a part in each turn of the loop', async () => {
  const collection = collectionName(readModels.catalogue, 1, 'products');
  const many = Array.from({ length: 1_201 }, (_, n) =>
    productDocument({ productId: `p-${n}`, name: `Bag of ${n}` }),
  );
  await market.documents.commit(
    many.map((document) => ({ type: 'put', collection, id: document.productId, document })),
  );
  let turn = 0;
  let isOver = false;
  const count = () => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  const readAt: number[] = [];
  const find = market.documents.find;
  vi.spyOn(market.documents, 'find').mockImplementation((name, query) => {
    if (name === collection && (query.limit ?? 0) >= 500) readAt.push(turn);
    return find(name, query);
  });
  count();
  await suggest('bgas');
  isOver = true;
  expect(readAt).toHaveLength(3);
  expect(new Set(readAt).size).toBe(3);
});
