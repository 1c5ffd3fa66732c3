import { createHash } from 'node:crypto';
import { catalogue } from '@oja/contracts/models';
import {
  type CollectionSpec,
  type Condition,
  createMongoDocuments,
  type Document,
  type Documents,
  type Query,
} from '@oja/platform';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { put } from './documents.fixture.js';
import { mongoDatabase, noMongo } from './mongo.fixture.js';

const server = process.env.MONGODB_URL;

const goods = 6_000;
/** Few enough for one transaction, also on a slow server. */
const putAtOnce = 250;
const pageSize = 24;
const spec: CollectionSpec = {
  name: 'catalogue_v1_g1_products',
  indexes: catalogue.collections.products,
};

const series = ['uno', 'duo', 'tri', 'quad'];
const makers = ['akira', 'bolu', 'chidi', 'dami', 'ebele', 'farin', 'gbenga', 'hauwa'];
const things = ['lamp', 'shirt', 'phone', 'kettle', 'sandal', 'basket', 'drum', 'chair', 'radio'];

/** A number below `below`, always the same for a product and a field, and independent between fields. */
const drawn = (i: number, what: string, below: number): number =>
  createHash('sha256').update(`${what} ${i}`).digest().readUInt32BE() % below;

/**
 * A product; one in eight is not shown. No word that is searched for begins a name, because such goods would lie
 * together in A-Z order.
 */
function productAt(i: number): Document {
  const of = <T>(list: readonly T[], what: string): T | undefined =>
    list[drawn(i, what, list.length)];
  const shelf = drawn(i, 'shelf', 60);
  const place = drawn(i, 'place', 20);
  const number = String(i).padStart(5, '0');
  return {
    shown: drawn(i, 'shown', 8) > 0,
    nameKey: `${of(series, 'series')} ${number} ${of(makers, 'maker')} ${of(things, 'thing')}`,
    listedAt: drawn(i, 'listed', 1_000_000),
    trending: drawn(i, 'trending', 97),
    price: 10_000 + drawn(i, 'price', 990_000),
    category: `category ${shelf % 12}`,
    subcategory: `row ${shelf}`,
    subcategoryId: `row-${shelf}`,
    state: place < 3 ? 'Enugu' : 'Lagos',
    localGovt: `place ${place}`,
    shownCondition: of(['New', 'Used', 'Refurbished'], 'condition') ?? null,
    businessNameKey: `store ${i % 50}`,
    sellerId: `seller-${i % 50}`,
    status: 'listed',
  };
}

const shown: Condition = { field: 'shown', op: 'eq', value: true };
const equal = (field: string, value: string): Condition => ({ field, op: 'eq', value });
const words = (...looked: string[]): Condition => ({
  field: 'nameKey',
  op: 'words',
  words: looked,
});
const prices = (from: number, to: number): readonly Condition[] => [
  { field: 'price', op: 'gte', value: from },
  { field: 'price', op: 'lte', value: to },
];

/** The most index keys, and the most documents, that a page may examine for each product on it. */
const most = 20;

/** Typical searches, the most common first. */
const searches: readonly (readonly [what: string, filter: readonly Condition[]])[] = [
  ['a word that few goods have', [words('00042')]],
  ['a word that many have', [words('lamp')]],
  ['two words, one of them rare', [words('lamp', '00042')]],
  ['two words that many have', [words('akira', 'lamp')]],
  ['a subcategory', [equal('subcategoryId', 'row-7')]],
  ['everything', []],
  ['a category', [equal('category', 'category 3')]],
  ['a place', [equal('state', 'Lagos'), equal('localGovt', 'place 7')]],
  ['a subcategory at a place', [equal('subcategoryId', 'row-7'), equal('localGovt', 'place 17')]],
  ['a state', [equal('state', 'Enugu')]],
  ['prices', prices(100_000, 400_000)],
  ['a subcategory and prices', [equal('subcategoryId', 'row-7'), ...prices(100_000, 400_000)]],
];

/** Searches whose conditions are all told by the keys of one index in alphabetical order. */
const fromKeys: typeof searches = [
  ['two words that many have', [words('akira', 'lamp')]],
  ['two words and prices', [words('uno', 'lamp'), ...prices(100_000, 900_000)]],
  [
    'a word, prices and a condition',
    [words('uno'), ...prices(100_000, 900_000), equal('shownCondition', 'Used')],
  ],
  ['a subcategory and prices', [equal('subcategoryId', 'row-7'), ...prices(100_000, 900_000)]],
  [
    'a category and a condition',
    [equal('category', 'category 3'), equal('shownCondition', 'Used')],
  ],
  ['a place and prices', [equal('localGovt', 'place 7'), ...prices(100_000, 400_000)]],
  ['a condition at a place', [equal('shownCondition', 'New'), equal('localGovt', 'place 7')]],
  ['prices', prices(100_000, 400_000)],
];

const orders: readonly NonNullable<Query['sort']>[] = [
  [{ field: 'nameKey', order: 'asc' }],
  [{ field: 'nameKey', order: 'desc' }],
  [{ field: 'listedAt', order: 'desc' }],
  [
    { field: 'trending', order: 'desc' },
    { field: 'listedAt', order: 'desc' },
  ],
];

/** A command in the server's profile. */
interface Profiled {
  readonly op: string;
  readonly keysExamined: number;
  readonly docsExamined: number;
  readonly nreturned: number;
  readonly planSummary: string;
}

describe.skipIf(!server)('The searches of the market on MongoDB', () => {
  const database = mongoDatabase(server ?? '');
  let client: MongoClient;
  let db: Db;
  let documents: Documents;

  beforeAll(async () => {
    client = await new MongoClient(server ?? '').connect();
    db = client.db(/\/([^/?]+)(?:\?|$)/.exec(database.url)?.[1]);
    documents = await createMongoDocuments({ url: database.url });
    await documents.ensure([spec]);
    for (let from = 0; from < goods; from += putAtOnce)
      await documents.commit(
        Array.from({ length: putAtOnce }, (_, i) =>
          put(`g${from + i}`, productAt(from + i), spec.name),
        ),
      );
  });
  afterAll(async () => {
    await documents?.close();
    await database.remove();
    await client?.close();
  });

  /** Profiles the commands of some work, except those that look up a collection's declaration. */
  async function profiled(work: () => Promise<unknown>): Promise<readonly Profiled[]> {
    await db.command({ profile: 2 });
    await work();
    await db.command({ profile: 0 });
    const profile = db.collection<Profiled & { ns: string }>('system.profile');
    const all = await profile
      .find({ ns: { $not: /\.(market\.\w+|system\.\w+|.*\.words)$/ } })
      .toArray();
    await profile.drop();
    return all;
  }

  it.each(searches)('finds a page of %s by little more than what is on it', async (_, filter) => {
    for (const sort of orders) {
      const query = { filter: [shown, ...filter], sort, limit: pageSize };
      await documents.find(spec.name, query);
      let found = 0;
      const told = await profiled(async () => {
        found = (await documents.find(spec.name, query)).items.length;
      });
      const said = JSON.stringify([sort, told.map(({ planSummary }) => planSummary)]);
      const pages = told.filter(({ docsExamined }) => docsExamined > 0);
      expect(pages, said).toHaveLength(1);
      for (const { keysExamined, docsExamined } of pages) {
        expect(keysExamined, said).toBeLessThanOrEqual(most * Math.max(found, pageSize));
        expect(docsExamined, said).toBeLessThanOrEqual(most * Math.max(found, pageSize));
      }
      // Everything else reads only keys, and no more of them than a page may.
      for (const { keysExamined } of told)
        expect(keysExamined, said).toBeLessThanOrEqual(most * pageSize);
    }
  });

  it.each(fromKeys)(
    'finds a page of %s, from A to Z, by reading only what is on it',
    async (_, filter) => {
      for (const order of ['asc', 'desc'] as const) {
        const sort = [{ field: 'nameKey', order }];
        const query = { filter: [shown, ...filter], sort, limit: pageSize };
        await documents.find(spec.name, query);
        let next: string | null = null;
        const told = await profiled(async () => {
          next = (await documents.find(spec.name, query)).next;
        });
        expect(next).not.toBeNull();
        const read = told.reduce((sum, { docsExamined }) => sum + docsExamined, 0);
        expect(read, JSON.stringify(told)).toBe(pageSize + 1);
      }
    },
  );

  it('counts what has common words without looking at one of the goods', async () => {
    for (const filter of [
      [words('uno')],
      [words('uno', 'o')],
      [words('uno'), ...prices(100_000, 400_000)],
    ]) {
      const asked = [shown, ...filter];
      const told = await profiled(async () => {
        await documents.count(spec.name, asked);
        await documents.facets(spec.name, asked, ['localGovt', 'shownCondition']);
      });
      expect(told).not.toEqual([]);
      for (const { docsExamined } of told) expect(docsExamined, JSON.stringify(told)).toBe(0);
    }
  });

  it.each(searches.filter(([, filter]) => filter.every(({ op }) => op === 'eq')))(
    'counts %s without looking at one of the goods',
    async (_, filter) => {
      const told = await profiled(() =>
        documents.facets(spec.name, [shown, ...filter], ['localGovt', 'shownCondition']),
      );
      expect(told).not.toEqual([]);
      for (const { keysExamined, docsExamined } of told) {
        expect(keysExamined).toBeLessThan(goods / 2);
        expect(docsExamined).toBeLessThan(goods / 2);
      }
    },
  );
});

if (!server) console.info(`skipped: the searches of the market on MongoDB (${noMongo})`);
