import { randomUUID } from 'node:crypto';
import {
  type CollectionSpec,
  createMongoDocuments,
  type Documents,
  StoreUnavailable,
  UnknownCollection,
} from '@oja/platform';
import { Collection, Db, MongoClient, MongoServerError } from 'mongodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { goods, idsFound, put, remove } from './documents.fixture.js';
import { mongoDatabase, noMongo } from './mongo.fixture.js';

const server = process.env.MONGODB_URL;
const noSuchTransaction = 251;

/** What the contract cannot test on every engine: a server that fails, or is changed, in the middle of work. */
describe.skipIf(!server)('Documents on MongoDB, hindered', () => {
  let client: MongoClient;
  let database: ReturnType<typeof mongoDatabase>;
  let db: Db;
  let documents: Documents;
  let other: Documents;

  beforeAll(async () => {
    client = await new MongoClient(server ?? '').connect();
  });
  afterAll(() => client.close());
  beforeEach(async () => {
    database = mongoDatabase(server ?? '');
    db = client.db(/\/([^/?]+)(?:\?|$)/.exec(database.url)?.[1]);
    documents = await createMongoDocuments({ url: database.url });
    other = await createMongoDocuments({ url: database.url });
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await Promise.all([documents.close(), other.close()]);
    await database.remove();
  });

  const bare: CollectionSpec = { name: goods.name, indexes: [] };
  const marketsOwn = /^(market\.|system\.)/;

  async function placesOf(): Promise<readonly string[]> {
    const found = await db.listCollections({}, { nameOnly: true }).toArray();
    return found.map(({ name }) => name).filter((name) => !marketsOwn.test(name));
  }

  /** Collections that hold entries, without their word and count collections. */
  const entriesOf = async () =>
    (await placesOf()).filter((name) => !/\.(words|counts)$/.test(name));

  /**
   * Makes the server fail the next command of this name on the collection (by default the goods). Returns false
   * when the server does not support fail points.
   */
  async function failing(
    command: string,
    how: Record<string, unknown>,
    collection?: string,
  ): Promise<boolean> {
    const place = collection ?? (await entriesOf())[0];
    const data = { failCommands: [command], namespace: `${db.databaseName}.${place}`, ...how };
    try {
      const mode = { times: 1 };
      await client.db('admin').command({ configureFailPoint: 'failCommand', mode, data });
      return true;
    } catch {
      return false;
    }
  }
  const switches = 'the server was started without --setParameter enableTestCommands=1';

  it('is not kept waiting by a process that stands still in the middle of a write', async () => {
    await documents.ensure([bare]);
    expect(await documents.commit([put('a', { at: 1 })])).toBe('committed');
    const [place = ''] = await entriesOf();
    const stopped = await new MongoClient(database.url, { appName: 'oja' }).connect();
    const session = stopped.startSession();
    session.startTransaction();
    const entries = stopped.db().collection<{ _id: string }>(place);
    await entries.updateOne({ _id: 'a' }, { $set: { json: '{"at":2}' } }, { session });

    expect(await other.commit([put('a', { at: 3 })])).toBe('committed');
    expect(await documents.get(goods.name, 'a')).toEqual({ at: 3 });
    await expect(session.commitTransaction()).rejects.toMatchObject({ code: noSuchTransaction });
    await stopped.close();
  });

  it('reads a page far behind by what is on it, and not by all that came before', async () => {
    const shown: CollectionSpec = {
      name: goods.name,
      indexes: [
        { kind: 'sorted', fields: ['shown'], by: ['name'], order: 'asc', beside: ['price'] },
      ],
    };
    await documents.ensure([shown]);
    const nameOf = (place: number) => `tv ${String(place).padStart(4, '0')}`;
    await documents.commit(
      Array.from({ length: 2_000 }, (_, place) =>
        put(`g${place}`, { shown: true, name: nameOf(place), price: place }),
      ),
    );
    const page = (cursor?: string | null) =>
      documents.find(goods.name, {
        filter: [{ field: 'shown', op: 'eq', value: true }],
        sort: [{ field: 'name', order: 'asc' }],
        limit: 100,
        ...(cursor ? { cursor } : {}),
      });
    let { next } = await page();
    for (let read = 1; read < 15; read += 1) ({ next } = await page(next));
    await db.command({ profile: 2 });
    const { items } = await page(next);
    await db.command({ profile: 0 });
    expect(items[0]?.document).toMatchObject({ name: nameOf(1_500) });
    const reads = await db
      .collection('system.profile')
      .find({ op: 'query', nreturned: { $gte: 100 } })
      .toArray();
    expect(reads).toHaveLength(1);
    expect(reads[0]?.keysExamined).toBeLessThan(200);
  });

  it('fills a page although a document that it had found for it is deleted meanwhile', async () => {
    await documents.ensure([goods]);
    const ids = Array.from({ length: 200 }, (_, n) => `id-${String(n).padStart(3, '0')}`);
    await documents.commit(ids.map((id) => put(id, { name: `gold lamp ${id}` })));
    const query = {
      filter: [{ field: 'name', op: 'words', words: ['gold', 'lamp'] }],
      sort: [{ field: 'name', order: 'asc' }],
      limit: 5,
    } as const;
    const find = Collection.prototype.find;
    let deleted = 0;
    vi.spyOn(Collection.prototype, 'find').mockImplementation(function (
      this: Collection,
      ...[filter, options]: Parameters<typeof find>
    ) {
      const cursor = find.call(this, filter ?? {}, options);
      if (Object.keys(options?.hint ?? {}).join() !== '_id' || deleted++ > 0) return cursor;
      const toArray = cursor.toArray.bind(cursor);
      return Object.assign(cursor, {
        toArray: async () => {
          await other.commit([remove('id-001')]);
          return toArray();
        },
      });
    });
    const { items, next } = await documents.find(goods.name, query);
    expect(deleted).toBe(1);
    expect(items.map(({ id }) => id)).toEqual(['id-000', ...ids.slice(2, 6)]);
    expect(next).not.toBeNull();
  });

  it.each([
    ['along one index that has them all', ['place', 'kind']],
    ['each along an index of its own', ['place', 'shelf']],
  ])('counts values %s, and reads no document', async (_, fields) => {
    const counted: CollectionSpec = {
      name: goods.name,
      indexes: [
        { kind: 'sorted', fields: ['shown'], by: ['name'] },
        { kind: 'sorted', fields: ['shown'], by: ['place', 'kind', 'name', 'price'] },
        { kind: 'equality', fields: ['shown', 'shelf'] },
      ],
    };
    await documents.ensure([counted]);
    await documents.commit(
      Array.from({ length: 300 }, (_, i) =>
        put(`g${i}`, {
          shown: i % 3 > 0,
          name: `tv ${i}`,
          place: `place ${i % 2}`,
          kind: 'New',
          shelf: `shelf ${i % 5}`,
          price: i,
        }),
      ),
    );
    await db.command({ profile: 2 });
    const shown = [{ field: 'shown', op: 'eq', value: true }] as const;
    const found = await documents.facets(goods.name, shown, fields);
    await db.command({ profile: 0 });
    expect(found.place).toEqual([
      { value: 'place 0', count: 100 },
      { value: 'place 1', count: 100 },
    ]);
    const reads = await db
      .collection('system.profile')
      .find({ 'command.aggregate': { $exists: true }, keysExamined: { $gt: 100 } })
      .toArray();
    expect(reads.length).toBeGreaterThan(0);
    expect(reads.map(({ docsExamined }) => docsExamined)).toEqual(reads.map(() => 0));
  });

  /** Delays the next write of a commit, inside its transaction, until `go` is called. */
  function heldBack(): { readonly reached: Promise<void>; go(): void } {
    let go = () => {};
    const gone = new Promise<void>((resolve) => {
      go = resolve;
    });
    const original = Collection.prototype.bulkWrite;
    const reached = new Promise<void>((resolve) => {
      vi.spyOn(Collection.prototype, 'bulkWrite').mockImplementationOnce(async function (
        this: Collection,
        ...args
      ) {
        resolve();
        await gone;
        return original.apply(this, args);
      });
    });
    return { reached, go };
  }

  it('ends a drop that failed, and lists it until then', async (test) => {
    await documents.ensure([goods]);
    await documents.commit([put('a', { price: 1 })]);
    if (!(await failing('drop', { errorCode: 96 }))) return test.skip(switches);
    await expect(documents.drop(goods.name)).rejects.toThrow(StoreUnavailable);
    await expect(other.get(goods.name, 'a')).rejects.toThrow(UnknownCollection);
    expect(await other.collections()).toEqual([goods.name]);
    await other.drop(goods.name);
    expect(await other.collections()).toEqual([]);
    expect(await placesOf()).toEqual([]);
  });

  it('makes anew what a drop has left half gone, with nothing in it', async (test) => {
    await documents.ensure([goods]);
    await documents.commit([put('a', { price: 1 })]);
    if (!(await failing('drop', { errorCode: 96 }))) return test.skip(switches);
    await expect(documents.drop(goods.name)).rejects.toThrow(StoreUnavailable);
    await other.ensure([goods]);
    expect(await documents.get(goods.name, 'a')).toBeNull();
    expect(await entriesOf()).toHaveLength(1);
  });

  it('leaves nothing of a dropped collection that a commit was about to write to', async () => {
    await documents.ensure([goods]);
    const held = heldBack();
    const lost = put('a', { price: 1, name: 'lg tv' });
    const committing = documents.commit([lost]).catch(() => undefined);
    await held.reached;
    await other.drop(goods.name);
    held.go();
    await committing;
    expect(await placesOf()).toEqual([]);
    await other.ensure([goods]);
    await other.commit([put('b', { price: 2 })]);
    const byPrice = { sort: [{ field: 'price', order: 'asc' }] } as const;
    expect(await idsFound(documents, goods.name, byPrice)).toEqual(['b']);
  });

  it('finds by indexes declared while a commit was under way what that one has put', async () => {
    await documents.ensure([bare]);
    // The indexes exist but are not recorded yet. Creating them during the commit would restart it.
    const refused = new MongoServerError({ message: 'not now', code: 96 });
    vi.spyOn(Collection.prototype, 'updateOne').mockRejectedValueOnce(refused);
    await expect(other.ensure([goods])).rejects.toThrow(StoreUnavailable);
    const held = heldBack();
    const committing = documents.commit([put('a', { name: 'lg tv', price: 1, tags: ['x'] })]);
    await held.reached;
    await other.ensure([goods]);
    held.go();
    await committing;
    const filter = [
      { field: 'name', op: 'words', words: ['lg'] },
      { field: 'tags', op: 'contains', value: 'x' },
    ] as const;
    expect(await idsFound(other, goods.name, { filter })).toEqual(['a']);
    expect(await documents.misindexed(goods.name)).toEqual([]);
  });

  it('goes on with filling new indexes where it was stopped', async (test) => {
    await documents.ensure([bare]);
    const many = 1_200;
    await documents.commit(
      Array.from({ length: many }, (_, n) => put(`${n}`.padStart(4, '0'), { price: n })),
    );
    if (!(await failing('update', { errorCode: 96 }))) return test.skip(switches);
    await expect(documents.ensure([goods])).rejects.toThrow(StoreUnavailable);
    expect(await other.misindexed(goods.name)).toHaveLength(many);
    await other.ensure([goods]);
    expect(await documents.misindexed(goods.name)).toEqual([]);
  });

  it('has one index where two declarations need the same', async () => {
    const indexes: CollectionSpec['indexes'] = [
      { kind: 'equality', fields: ['kind'] },
      { kind: 'sorted', fields: [], by: ['kind'] },
      { kind: 'equality', fields: ['kind', 'price'] },
      { kind: 'sorted', fields: ['kind'], by: ['price'], order: 'asc' },
    ];
    await documents.ensure([{ name: goods.name, indexes: indexes.slice(0, 1) }]);
    await other.ensure([{ name: goods.name, indexes }]);
    await documents.commit([put('a', { kind: 'x', price: 1 }), put('b', { kind: 'x', price: 0 })]);
    const filter = [{ field: 'kind', op: 'eq', value: 'x' }] as const;
    const sort = [{ field: 'price', order: 'asc' }] as const;
    expect(await idsFound(documents, goods.name, { filter, sort })).toEqual(['b', 'a']);
  });

  it('takes over a collection of an earlier release, which lies under its own name', async () => {
    await db.createCollection(goods.name);
    const indexes = [{ kind: 'sorted', fields: [], by: ['price'] }];
    await db.collection(goods.name).createIndex({ 'f.price': 1, _id: 1 }, { name: 'price.asc-id' });
    await db
      .collection<{ _id: string }>('market.collections')
      .insertOne(
        { _id: goods.name, ...{ indexes, version: 1 } },
        { writeConcern: { w: 'majority' } },
      );
    await documents.commit([put('a', { price: 1, tags: ['x'] })]);
    await documents.ensure([goods]);
    expect(await entriesOf()).toEqual([goods.name]);
    expect(await documents.misindexed(goods.name)).toEqual([]);
    await documents.drop(goods.name);
    await documents.ensure([goods]);
    expect(await documents.count(goods.name, [])).toBe(0);
  });

  it.each([
    [
      'in the order of the text only',
      { $unset: { wordOrders: true as const } },
      'beside|rank|price',
    ],
    ['in all orders, with nothing beside', { $set: { wordOrders: true } }, 'beside'],
  ])(
    'takes over a collection of an earlier release, which has words %s',
    async (_, change, lacking) => {
      const newest = { kind: 'sorted', fields: [], by: ['price'], order: 'desc' } as const;
      const spec = {
        name: goods.name,
        indexes: [...goods.indexes, { ...newest, beside: ['name'] }],
      };
      await documents.ensure([spec]);
      await documents.commit([
        put('a', { name: 'lg tv', price: 1, rank: 2 }),
        put('b', { name: 'tv stand', price: 2, rank: 1 }),
        put('c', { name: 'radio', price: 3, rank: 3 }),
      ]);
      const [place = ''] = await entriesOf();
      const indexNames = async () => (await db.collection(place).indexes()).map(({ name }) => name);
      const all = await indexNames();
      expect(all.filter((name = '') => /^words-in-order-name-/.test(name))).toHaveLength(3);
      for (const name of all)
        if (new RegExp(`^words-in-order-name-(${lacking})`).test(name ?? ''))
          await db.collection(place).dropIndex(name ?? '');
      const earlier = ([1, -1] as const).map((way) => ({
        name: `words-in-order-name.${way > 0 ? 'asc' : 'desc'}`,
        key: new Map<string, 1 | -1>([
          ['t.name', 1],
          ['f.name', way],
          ['_id', 1],
        ]),
      }));
      await db.collection(place).createIndexes(earlier);
      await db
        .collection<{ _id: string }>('market.collections')
        .updateOne({ _id: goods.name }, change, { writeConcern: { w: 'majority' } });
      const filter = [{ field: 'name', op: 'words', words: ['tv'] }] as const;
      const finds = async () => {
        for (const engine of [documents, other])
          for (const field of ['name', 'price', 'rank']) {
            const by = field === 'rank' ? [field, 'price'] : [field];
            const order = field === 'name' ? ('asc' as const) : ('desc' as const);
            const sort = by.map((one) => ({ field: one, order }));
            const found = await idsFound(engine, goods.name, { filter, sort, limit: 5 });
            expect(found).toEqual(field === 'price' ? ['b', 'a'] : ['a', 'b']);
          }
      };
      await finds();
      await other.ensure([spec]);
      expect(new Set(await indexNames())).toEqual(
        new Set([...all, ...earlier.map(({ name }) => name)]),
      );
      await finds();
    },
  );

  it.each([
    ['is not answered', { closeConnection: true }],
    ['meets an election', { errorCode: 189, errorLabels: ['RetryableWriteError'] }],
  ])('has committed once when the commit %s', async (_, how) => {
    await documents.ensure([goods]);
    const data = { failCommands: ['commitTransaction'], ...how };
    const mode = { times: 1 };
    await client
      .db('admin')
      .command({ configureFailPoint: 'failCommand', mode, data })
      .catch(() => undefined);
    const guard = { collection: goods.name, id: 'a', expected: null };
    expect(await documents.commit([put('a', { price: 1 })], [guard])).toBe('committed');
    expect(await documents.get(goods.name, 'a')).toEqual({ price: 1 });
  });

  it('makes a collection at the next try that could not be made', async () => {
    const refused = new MongoServerError({ message: 'not now', code: 96 });
    vi.spyOn(Db.prototype, 'createCollection').mockRejectedValueOnce(refused);
    await expect(documents.ensure([goods])).rejects.toThrow(StoreUnavailable);
    await other.ensure([goods]);
    await documents.commit([put('a', { price: 1 })]);
    expect(await other.get(goods.name, 'a')).toEqual({ price: 1 });
    expect(await entriesOf()).toHaveLength(1);
  });

  it.each([
    ['', null],
    [', and its cursor cannot be ended', { errorCode: 96 }],
    [', and the way to the server ends with it', { closeConnection: true }],
  ])('closes while it waits to be told of changes%s', async (_, how) => {
    const engine = await createMongoDocuments({ url: database.url });
    await engine.ensure([{ name: `other_${randomUUID().slice(0, 8)}`, indexes: [] }]);
    const stop = new AbortController();
    const told = engine.changes(stop.signal)[Symbol.asyncIterator]();
    await told.next();
    if (how !== null) await failing('killCursors', how, 'market.pulses');
    await engine.close();
    stop.abort();
    await told.return?.();
    await documents.ensure([goods]);
    expect(await documents.count(goods.name, [])).toBe(0);
  });
});

if (!server) console.info(`skipped: Documents on MongoDB, hindered (${noMongo})`);
