import { randomUUID } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mongoDatabase, noMongo } from '../../test/contracts/mongo.fixture.js';
import { listenAsMongo } from '../../test/contracts/mongo-wire.js';
import { openMongoDocuments } from '../documents/mongo/engine.js';
import { openMongoKeys } from '../keys/mongo/engine.js';
import { openMongoState } from '../state/mongo/engine.js';
import { type ConnectMongo, connectMongo } from './connection.js';

const server = process.env.MONGODB_URL;

describe.skipIf(!server)('A connection to MongoDB', () => {
  const { url, remove } = mongoDatabase(server ?? '');
  let client: MongoClient;
  const name = /\/([^/?]+)(?:\?|$)/.exec(url)?.[1] ?? '';
  beforeAll(async () => {
    client = await new MongoClient(url).connect();
  });
  afterAll(async () => {
    await remove();
    await client.close();
  });

  it('is one for all that name the same address, until the last of them closes it', async () => {
    const [one, two] = await Promise.all([connectMongo(url), connectMongo(url)]);
    expect(two.client).toBe(one.client);
    await one.close();
    await one.close();
    expect(await two.client.db('admin').command({ ping: 1 })).toMatchObject({ ok: 1 });
    await two.close();
    const three = await connectMongo(url);
    expect(three.client).not.toBe(one.client);
    await three.close();
  });

  it('lets no read run for ever', async () => {
    const unbounded: string[] = [];
    const connect: ConnectMongo = async () => {
      const watched = await new MongoClient(url, { monitorCommands: true }).connect();
      watched.on('commandStarted', ({ commandName, command }) => {
        const isFollowing = command.pipeline?.some((stage: object) => '$changeStream' in stage);
        const reads = ['find', 'aggregate', 'distinct'].includes(commandName) && !isFollowing;
        // In a transaction the server itself bounds the time.
        const isBounded = command.maxTimeMS > 0 || command.autocommit === false;
        if (reads && !isBounded) unbounded.push(JSON.stringify(command));
      });
      return { client: watched, name, close: () => watched.close() };
    };
    const documents = await openMongoDocuments({ url, connect });
    const state = await openMongoState({ url, connect });
    const keys = await openMongoKeys({ url, masterKey: Buffer.alloc(32, 7), connect });
    const goods = `goods_${randomUUID().slice(0, 8)}`;
    await documents.ensure([{ name: goods, indexes: [{ kind: 'equality', fields: ['kind'] }] }]);
    await documents.commit([{ type: 'put', collection: goods, id: 'a', document: { kind: 'x' } }]);
    await documents.collections();
    await documents.get(goods, 'a');
    await documents.find(goods, { limit: 1 });
    await documents.find(goods, {});
    await documents.count(goods, []);
    await documents.facets(goods, [], ['kind']);
    await documents.misindexed(goods);
    await state.put('space', 'key', {}, 0);
    await state.get('space', 'key', 0);
    await state.list('space', '', 0);
    await state.spaces();
    await keys.obtain('somebody');
    await keys.isDestroyed('somebody');
    await keys.kept(null);
    await Promise.all([documents.close(), state.close(), keys.close()]);
    expect(unbounded).toEqual([]);
  });

  it.each([
    [`${name}_state`, 'entries', { purgeAt: 1 }, 'purge', openMongoState],
    [name, 'market.pulses', { at: 1 }, 'forgotten', openMongoDocuments],
  ] as const)(
    'keeps in %s.%s as long as this release says what an earlier one kept longer',
    async (database, collection, key, index, open) => {
      const rows = client.db(database).collection(collection);
      await rows.drop();
      await rows.createIndex(key, { name: index, expireAfterSeconds: 777_777 });
      await (await open({ url })).close();
      const found = (await rows.indexes()).find((each) => each.name === index);
      expect(found?.expireAfterSeconds).toBeLessThan(777_777);
    },
  );

  it('is closed while the server holds an answer back', async (test) => {
    const data = {
      failCommands: ['getMore'],
      namespace: `${name}.market.pulses`,
      ...{ blockConnection: true, blockTimeMS: 30_000 },
    };
    const documents = await openMongoDocuments({ url });
    const listening = new AbortController();
    const told = documents.changes(listening.signal)[Symbol.asyncIterator]();
    await told.next();
    const isSet = await client
      .db('admin')
      .command({ configureFailPoint: 'failCommand', mode: { times: 1 }, data })
      .catch(() => null);
    if (isSet) await expect.poll(heldBack).toBe(1);
    await documents.close();
    const stillHeld = await heldBack();
    listening.abort();
    await told.return?.();
    if (!isSet) return test.skip('the server was started without enableTestCommands');
    expect(stillHeld).toBe(1);
  });

  /** How many reads of pulses the fail point holds back: the server has not looked up their collection yet. */
  async function heldBack(): Promise<number> {
    const { inprog } = await client.db('admin').command({ currentOp: 1, $all: true });
    const isHeld = ({ ns, op }: { ns?: string; op?: string }) =>
      op === 'getmore' && ns === `${name}.$cmd`;
    return inprog.filter(isHeld).length;
  }
});

it('waits as long as the address says, however it spells that', async () => {
  const { port, close: stop } = await listenAsMongo(() => ({
    ok: 1,
    isWritablePrimary: true,
    helloOk: true,
    minWireVersion: 0,
    maxWireVersion: 21,
    setName: 'oja',
  }));
  const address = `mongodb://127.0.0.1:${port}/oja?directConnection=true&connecttimeoutms=1234`;
  const connection = await connectMongo(address);
  expect(connection.client.options.connectTimeoutMS).toBe(1_234);
  expect(connection.client.options.socketTimeoutMS).toBe(120_000);
  await connection.close();
  await stop();
});

if (!server) console.info(`skipped: A connection to MongoDB (${noMongo})`);
