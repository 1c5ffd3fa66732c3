import { createMongoDocuments, type Documents } from '@oja/platform';
import { type Db, MongoClient } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { goods, idsFound, put, remove } from './documents.fixture.js';
import { mongoDatabase, noMongo } from './mongo.fixture.js';
import { createStandIn } from './mongo-stand-in.js';

interface Server {
  readonly db: Db;
  open(): Promise<Documents>;
  remove(): Promise<void>;
}

async function standIn(): Promise<Server> {
  const { connect } = createStandIn();
  const { client, name } = await connect();
  return {
    db: client.db(name),
    open: () => createMongoDocuments({ url: 'mongodb://nowhere/oja', connect }),
    remove: async () => {},
  };
}

async function realServer(server: string): Promise<Server> {
  const { url, remove } = mongoDatabase(server);
  // The adapter reads with read concern majority, so these writes must reach a majority, too.
  const client = await new MongoClient(url, { writeConcern: { w: 'majority' } }).connect();
  return {
    db: client.db(),
    open: () => createMongoDocuments({ url }),
    async remove() {
      await client.close();
      await remove();
    },
  };
}

const address = process.env.MONGODB_URL;
if (!address) console.info(`skipped: How MongoDB's words are known, on a server (${noMongo})`);

describe.each([
  { on: 'a stand-in', make: standIn },
  ...(address ? [{ on: 'MongoDB', make: () => realServer(address) }] : []),
])("How MongoDB's words are known, on $on", ({ make }) => {
  let server: Server;
  let one: Documents;
  let other: Documents;
  beforeEach(async () => {
    server = await make();
    one = await server.open();
    other = await server.open();
    await one.ensure([goods]);
  });
  afterEach(async () => {
    await Promise.all([one.close(), other.close()]);
    await server.remove();
  });

  const idsWith = (documents: Documents, ...words: readonly string[]) =>
    idsFound(documents, goods.name, { filter: [{ field: 'name', op: 'words', words }] });

  interface Row {
    readonly _id: string;
    readonly place?: string;
  }
  const specs = () => server.db.collection<Row>('market.collections');
  async function placeOfGoods(): Promise<string> {
    return (await specs().findOne({ _id: goods.name }))?.place ?? '';
  }
  const wordsAt = (place: string) => server.db.collection<{ _id: number }>(`${place}.words`);

  it('finds what another process has put with a word that was not there when it looked before', async () => {
    await one.commit([put('a', { name: 'lg tv' })]);
    expect(await idsWith(other, 'tv')).toEqual(['a']);
    await one.commit([put('b', { name: 'tvset' })]);
    expect(await idsWith(other, 'tv')).toEqual(['a', 'b']);
    const filter = [{ field: 'name', op: 'words', words: ['set'] }] as const;
    expect(await other.count(goods.name, filter)).toBe(1);
    await one.commit([put('c', { name: 'settee', kind: 'x' })]);
    expect((await other.facets(goods.name, filter, ['kind'])).kind).toHaveLength(2);
  });

  it('teaches each other what two put at once, in any order', async () => {
    const rounds = Array.from({ length: 30 }, (_, n) => String(n).padStart(2, '0'));
    const putting = async (engine: Documents, own: string) => {
      for (const n of rounds) {
        await engine.commit([put(`${own}${n}`, { name: `shared${n} ${own}${n}` })]);
      }
    };
    await Promise.all([putting(one, 'a'), putting(other, 'b')]);
    const third = await server.open();
    for (const engine of [one, other, third]) {
      for (const n of rounds) expect(await idsWith(engine, `hared${n}`, `a${n}`)).toHaveLength(1);
      expect(await idsWith(engine, 'shared')).toHaveLength(2 * rounds.length);
    }
    expect(await third.misindexed(goods.name)).toEqual([]);
    await third.close();
    const written = await wordsAt(await placeOfGoods()).countDocuments({});
    expect(written).toBeLessThanOrEqual(2 * rounds.length);
  });

  it('puts together what many commits have taught, and loses none of it', async () => {
    const ids = Array.from({ length: 300 }, (_, n) => String(n).padStart(3, '0'));
    for (const n of ids) {
      await one.commit([put(n, { name: `word${n}` })]);
      // A process that has read a part of them.
      if (n === '100') expect(await idsWith(other, 'd10')).toEqual(['100']);
    }
    const batches = wordsAt(await placeOfGoods());
    await expect.poll(() => batches.countDocuments({})).toBeLessThan(50);
    // The next number that it knows of is free again.
    await other.commit([put('y', { name: 'novel' })]);
    expect(await idsWith(one, 'novel')).toEqual(['y']);
    const third = await server.open();
    for (const engine of [one, other, third]) {
      expect(await idsWith(engine, 'word000')).toEqual(['000']);
      expect(await idsWith(engine, 'rd255')).toEqual(['255']);
      expect(await idsWith(engine, 'd29')).toEqual(ids.slice(290));
      expect(await engine.misindexed(goods.name)).toEqual([]);
    }
    await third.commit([put('x', { name: 'word300' })]);
    expect(await idsWith(one, 'd300')).toEqual(['x']);
    await third.close();
  });

  it('puts together what an earlier release has left in many batches', async () => {
    const thirtyOf = (n: number) => Array.from({ length: 30 }, (_, at) => `w${n}x${at}`);
    await one.commit([put('a', { name: 'lg' })]);
    const batches = server.db.collection<{ _id: number; words: Record<string, string[]> }>(
      `${await placeOfGoods()}.words`,
    );
    for (let n = 0; n < 1_000; n += 1)
      await batches.insertOne({ _id: n + 2, words: { name: thirtyOf(n) } });
    expect(await idsWith(other, 'lg')).toEqual(['a']);
    // More than one may hold.
    await expect.poll(() => batches.countDocuments({})).toBe(2);
    await other.commit([put('b', { name: 'w7x29 tv' })]);
    expect(await idsWith(one, 'w7x29')).toEqual(['b']);
    const third = await server.open();
    expect(await idsWith(third, 'tv')).toEqual(['b']);
    await third.close();
  });

  it('finds what so many words hold that none of them is named', async () => {
    const many = Array.from({ length: 250 }, (_, n) => String(n).padStart(3, '0'));
    await one.commit(many.map((n) => put(n, { name: `bag${n} x` })));
    expect(await idsWith(one, 'ag')).toEqual(many);
    expect(await idsWith(one, 'ag', 'bag007')).toEqual(['007']);
    expect(await idsWith(one, 'g249', 'x')).toEqual(['249']);
  });

  it('knows no word of a collection that was dropped, and leaves none', async () => {
    await one.commit([put('a', { name: 'lg tv' })]);
    const place = await placeOfGoods();
    expect(await idsWith(other, 'tv')).toEqual(['a']);
    await one.drop(goods.name);
    expect(await wordsAt(place).countDocuments({})).toBe(0);
    await one.ensure([goods]);
    expect(await idsWith(other, 'tv')).toEqual([]);
    await other.commit([put('b', { name: 'tv' })]);
    expect(await idsWith(one, 'tv')).toEqual(['b']);
  });

  it('finds what an earlier release has put, and fills it when it begins', async () => {
    await one.commit([put('a', { name: 'lg tv' }), put('b', { name: 'samsung' })]);
    const place = await placeOfGoods();
    const entries = server.db.collection<{ _id: string }>(place);
    const pieces = { $set: { w: { name: ['lg', 'tv'] } }, $unset: { t: 1 } } as const;
    await entries.updateOne({ _id: 'a' }, pieces);
    expect(await idsWith(one, 'tv')).toEqual(['a']);
    expect(await idsWith(other, 'tv', 'lg')).toEqual(['a']);
    expect(await one.misindexed(goods.name)).toEqual([{ id: 'a', fields: ['name'] }]);
    await specs().updateOne({ _id: goods.name }, { $unset: { layout: 1 } });
    expect(await idsWith(one, 'tv')).toEqual(['a']);
    await server.db.dropCollection(`${place}.words`);
    const next = await server.open();
    expect(await idsWith(next, 'sung')).toEqual(['b']);
    await next.ensure([goods]);
    expect(await next.misindexed(goods.name)).toEqual([]);
    expect(await idsWith(next, 'tv')).toEqual(['a']);
    expect(await idsWith(one, 'sung')).toEqual(['b']);
    await next.close();
  });

  it('tells of documents that are not found, as their word is known to nobody', async () => {
    await one.commit([put('a', { name: 'lg' }), put('b', { name: 'tv' })]);
    await server.db.dropCollection(`${await placeOfGoods()}.words`);
    const fresh = await server.open();
    expect(await idsWith(fresh, 'lg')).toEqual([]);
    const lost = ['a', 'b'].map((id) => ({ id, fields: ['name'] }));
    expect(await fresh.misindexed(goods.name)).toEqual(lost);
    await fresh.commit([remove('a'), put('a', { name: 'lg' })]);
    expect(await fresh.misindexed(goods.name, ['a'])).toEqual([]);
    expect(await idsWith(fresh, 'lg')).toEqual(['a']);
    await fresh.close();
  });
});
