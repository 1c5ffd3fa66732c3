import { randomBytes } from 'node:crypto';
import {
  createMongoDocuments,
  createMongoKeys,
  createMongoState,
  StoreUnavailable,
} from '@oja/platform';
import { Binary, type Document, Long, UUID } from 'mongodb';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { checkpoints, goods, put, remove } from './documents.fixture.js';
import { listenAsMongo, type Sent } from './mongo-wire.js';

type Listening = Awaited<ReturnType<typeof listenAsMongo>>;

let server: Listening;
afterEach(() => server.close());

const limits = { maxBsonObjectSize: 16_777_216, maxMessageSizeBytes: 48_000_000 };
const alone = {
  ok: 1,
  isWritablePrimary: true,
  helloOk: true,
  minWireVersion: 0,
  maxWireVersion: 21,
  maxWriteBatchSize: 100_000,
  ...limits,
  logicalSessionTimeoutMinutes: 30,
};
const isGreeting = (name: string) => ['hello', 'ismaster', 'isMaster'].includes(name);

/** An answer that replaces the one of the primary below; null: the primary answers. */
type Otherwise = (name: string, command: Document) => Document | 'silence' | null;

/** A primary with every collection and no documents, that reports success for every command. */
async function replicaSet(otherwise: Otherwise = () => null): Promise<Listening> {
  let port = 0;
  const rows: Document[] = [goods, checkpoints].map(({ name, indexes }) => {
    const countedSince = Object.fromEntries(
      indexes.flatMap((index) => (index.kind === 'counted' ? [[index.fields.join('+'), 1]] : [])),
    );
    return { _id: name, indexes, version: 1, countedSince };
  });
  const listening = await listenAsMongo((name, command) => {
    const me = `127.0.0.1:${port}`;
    const other = otherwise(name, command);
    if (other) return other;
    if (isGreeting(name)) return { ...alone, setName: 'oja', hosts: [me], me, primary: me };
    const firstBatch = command[name] === 'market.collections' ? rows : [];
    const ns = `${command.$db}.${command[name]}`;
    if (name === 'find') return { ok: 1, cursor: { id: Long.ZERO, ns, firstBatch } };
    if (name === 'aggregate') return { ok: 1, cursor: { id: Long.ZERO, ns, firstBatch: [{}] } };
    if (name === 'listIndexes') return { ok: 1, cursor: { id: Long.ZERO, ns, firstBatch: [] } };
    const n = 1;
    return { ok: 1, n, nModified: 1 };
  });
  port = listening.port;
  return listening;
}

const addressOf = ({ port }: Listening) => `mongodb://127.0.0.1:${port}/oja?replicaSet=oja`;
const named = (sent: readonly Sent[], name: string) =>
  sent.filter((one) => one.name === name).map(({ command }) => command);

describe('What the real driver sends for the MongoDB adapter', () => {
  it('refuses a server that is alone, in words that help', async () => {
    server = await listenAsMongo((name) => (isGreeting(name) ? alone : { ok: 1 }));
    const opening = createMongoDocuments({ url: `mongodb://127.0.0.1:${server.port}/oja` });
    await expect(opening).rejects.toThrow(StoreUnavailable);
    await expect(opening).rejects.toThrow(/not a replica set .* rs\.initiate\(\)/);
  });

  it('knows a replica set whose release has no hello yet', async () => {
    const notFound = { ok: 0, code: 59, codeName: 'CommandNotFound', errmsg: 'no such command' };
    server = await replicaSet((name) => (name === 'hello' ? notFound : null));
    const documents = await createMongoDocuments({ url: addressOf(server) });
    expect(await documents.collections()).toEqual([goods.name, checkpoints.name]);
    await documents.close();
  });

  it('ends what a killed process had begun to write, once it has stood still for five seconds', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const conflict = {
      ...{ ok: 0, code: 112, codeName: 'WriteConflict', errmsg: 'WriteConflict' },
      errorLabels: ['TransientTransactionError'],
    };
    const lsid = { id: new UUID(), uid: new Binary(Buffer.alloc(32)) };
    let isBlocked = true;
    server = await replicaSet((name, { aggregate, autocommit }) => {
      if (name === 'killSessions') isBlocked = false;
      if (name === 'aggregate' && aggregate === 1)
        return {
          ok: 1,
          cursor: { id: Long.ZERO, ns: 'admin.$cmd.aggregate', firstBatch: [{ lsid }] },
        };
      if (!isBlocked || name !== 'insert' || autocommit !== false) return null;
      vi.advanceTimersByTime(1_000);
      return conflict;
    });
    const documents = await createMongoDocuments({ url: addressOf(server) });
    expect(await documents.commit([put('a', { name: 'lg tv' })])).toBe('committed');
    await documents.close();

    expect(named(server.sent, 'killSessions').map((one) => one.killSessions)).toEqual([
      [{ id: lsid.id }],
    ]);
    const [looked] = named(server.sent, 'aggregate').filter(({ aggregate }) => aggregate === 1);
    // The server lists them with no other concern.
    expect(looked?.readConcern).toEqual({ level: 'local' });
    expect(looked?.pipeline).toEqual([
      { $currentOp: { allUsers: false, idleSessions: true } },
      {
        $match: {
          type: 'idleSession',
          appName: 'oja',
          'transaction.timeInactiveMicros': { $gt: 5_000_000 },
        },
      },
    ]);
  });

  it('commits a batch and its checkpoint in one snapshot transaction, by the majority', async () => {
    server = await replicaSet();
    const documents = await createMongoDocuments({ url: addressOf(server) });
    const guard = { collection: checkpoints.name, id: 'at', expected: { at: 1 } };
    const operations = [
      put('a', { name: 'lg tv', tags: ['x'] }),
      remove('b'),
      put('at', { at: 2 }, checkpoints.name),
    ];
    expect(await documents.commit(operations, [guard])).toBe('committed');
    await documents.close();

    const inside = server.sent.filter(({ command }) => command.autocommit === false);
    expect(inside.map(({ name, command }) => [name, command[name]])).toEqual([
      ['find', 'market.collections'],
      ['find', goods.name],
      ['update', checkpoints.name],
      ['insert', goods.name],
      ['delete', goods.name],
      ['update', `${goods.name}.counts`],
      ['update', checkpoints.name],
      ['commitTransaction', 1],
    ]);
    const [first, , checking, , , counting] = inside.map(({ command }) => command);
    expect(counting?.updates).toContainEqual(
      expect.objectContaining({
        q: { _id: 'place+kind:null,null,' },
        u: { $inc: { rows: 1 }, $setOnInsert: { f: { place: null, kind: null } } },
        upsert: true,
      }),
    );
    expect(first).toMatchObject({ startTransaction: true, readConcern: { level: 'snapshot' } });
    expect(checking?.updates[0]).toMatchObject({ q: { _id: 'at', json: '{"at":1}' } });
    expect(inside.at(-1)?.command.writeConcern).toMatchObject({ w: 'majority', j: true });
    expect(inside.slice(0, -1).every(({ command }) => !command.writeConcern)).toBe(true);
  });

  it('commits nothing when the checkpoint is not where the batch began', async () => {
    server = await replicaSet();
    const documents = await createMongoDocuments({ url: addressOf(server) });
    // The primary reports a match for every write, so no document counts as absent.
    const guard = { collection: checkpoints.name, id: 'at', expected: null };
    expect(await documents.commit([put('a', {})], [guard])).toBe('guard-failed');
    await documents.close();
    expect(named(server.sent, 'commitTransaction')).toEqual([]);
    expect(named(server.sent, 'abortTransaction')).toHaveLength(1);
  });

  it('sends nothing more into a transaction that a duplicate has ended, and begins it anew', async () => {
    const writeErrors = [{ index: 0, code: 11_000, errmsg: 'E11000 duplicate key' }];
    let left = 1;
    server = await replicaSet((name) =>
      name === 'insert' && left-- > 0 ? { ok: 1, n: 0, nModified: 0, writeErrors } : null,
    );
    const documents = await createMongoDocuments({ url: addressOf(server) });
    expect(await documents.commit([remove('b'), put('a', {})])).toBe('committed');
    await documents.close();
    const inside = server.sent.filter(({ command }) => command.autocommit === false);
    expect(inside.map(({ name }) => name)).toEqual([
      'find',
      'find',
      'insert',
      'abortTransaction',
      'find',
      'find',
      'insert',
      'delete',
      'update',
      'commitTransaction',
    ]);
  });

  it('waits for indexes however long the server takes: it answers the same command again when it is done', async () => {
    let silent = 3;
    server = await replicaSet((name, { createIndexes: place }) =>
      name === 'createIndexes' && place === goods.name && silent-- > 0 ? 'silence' : null,
    );
    const url = `${addressOf(server)}&socketTimeoutMS=100`;
    const documents = await createMongoDocuments({ url });
    const extra = { kind: 'equality', fields: ['place', 'kind'] } as const;
    await documents.ensure([{ ...goods, indexes: [...goods.indexes, extra] }]);
    await documents.close();
    const asked = named(server.sent, 'createIndexes')
      .filter(({ createIndexes }) => createIndexes === goods.name)
      .map(({ indexes }) => JSON.stringify(indexes));
    expect(asked).toHaveLength(new Set(asked).size + 3);
  });

  it('makes every index, with its fields in order, and asks for pages by the majority', async () => {
    server = await replicaSet();
    const documents = await createMongoDocuments({ url: addressOf(server) });
    const extra = { kind: 'equality', fields: ['place', 'kind'] } as const;
    await documents.ensure([{ ...goods, indexes: [...goods.indexes, extra] }]);
    const keys = named(server.sent, 'createIndexes')
      .filter(({ createIndexes }) => createIndexes === goods.name)
      .flatMap(({ indexes }) => indexes.map(({ key }: Document) => Object.entries(key)));
    expect(keys).toContainEqual([
      ['f.place', 1],
      ['f.kind', 1],
      ['_id', 1],
    ]);
    // Descending lists read it backwards.
    expect(keys.filter(([[field]]) => field === 'f.rank')).toEqual([
      [
        ['f.rank', 1],
        ['f.price', 1],
        ['_id', 1],
        ['f.name', 1],
      ],
    ]);
    expect(keys).toContainEqual([['t.name', 1]]);
    await documents.find(goods.name, { sort: [{ field: 'price', order: 'desc' }], limit: 24 });
    await documents.count(goods.name, [{ field: 'name', op: 'words', words: ['lg'] }]);
    await documents.facets(goods.name, [], ['kind', 'tags']);
    const [page] = named(server.sent, 'find').filter(({ projection }) => projection?.json === 1);
    expect(page).toMatchObject({
      find: goods.name,
      limit: 25,
      // One answer holds the whole page, read at one moment. The driver adds one, so that no cursor stays open.
      batchSize: 26,
      projection: { json: 1 },
      readConcern: { level: 'majority' },
    });
    const ids = Array.from({ length: 300 }, (_, n) => `${n}`);
    await documents.getMany(goods.name, ids);
    const asked = named(server.sent, 'find').at(-1);
    expect(asked).toMatchObject({ filter: { _id: { $in: ids } }, batchSize: 301 });
    expect(Object.entries(page?.sort)).toEqual([
      ['f.price', -1],
      ['_id', -1],
    ]);
    await documents.close();
  });

  it('asks by the words that the fewest entries hold, along their index where they are few', async () => {
    const rows = { tvset: 7_000, samsung: 40, lg: 2_000 };
    const words = Object.keys(rows);
    server = await replicaSet((name, command) => {
      const answer = (firstBatch: readonly Document[]) => {
        return { ok: 1, cursor: { id: Long.ZERO, ns: `oja.${command[name]}`, firstBatch } };
      };
      if (name === 'find' && command.find === 'market.collections')
        return answer([
          { _id: goods.name, indexes: goods.indexes, version: 1, layout: 'words in order' },
        ]);
      if (name === 'find' && command.find === `${goods.name}.words`)
        return answer(command.filter._id.$gt > 0 ? [] : [{ _id: 1, words: { name: words } }]);
      if (name === 'count') return { ok: 1, n: 100_000 };
      if (name !== 'aggregate') return null;
      const asked = JSON.stringify(command.pipeline);
      const n = Object.entries(rows).find(([word]) => asked.includes(word))?.[1] ?? 0;
      const [most] = command.pipeline.flatMap(({ $limit = [] }: Document) => $limit);
      return answer([{ n: Math.min(n, most) }]);
    });
    const documents = await createMongoDocuments({ url: addressOf(server) });
    const search = async (...pieces: readonly string[]) => {
      server.sent.length = 0;
      const filter = [{ field: 'name', op: 'words', words: pieces }] as const;
      await documents.find(goods.name, { filter, limit: 24 });
      return named(server.sent, 'find')
        .filter(({ find }) => find === goods.name)
        .at(-1);
    };
    const common = await search('tv');
    expect(JSON.stringify(common?.filter)).not.toContain('t.name');
    expect(common?.hint).toEqual({ _id: 1 });
    const rare = await search('tv', 'sam', 'lg');
    expect(rare?.filter.$and[0]).toEqual({ 't.name': { $in: ['samsung', null] } });
    expect(rare?.hint).toEqual({ 't.name': 1 });
    await documents.close();
  });

  it('writes state and keys by the majority, to databases of their own', async () => {
    server = await replicaSet();
    const state = await createMongoState({ url: addressOf(server) });
    const version = await state.put('lease', 'a', { by: 1 }, 1, { if: 'absent', expiresAt: 9 });
    expect(version).toBeGreaterThan(0);
    expect(await state.delete('lease', 'a', 3)).toBe(true);
    expect(await state.list('lease', 'a', 1)).toEqual([]);
    expect(await state.sweep(1)).toBe(1);
    await state.close();
    const keys = await createMongoKeys({ url: addressOf(server), masterKey: randomBytes(32) });
    expect(await keys.find('seller:1')).toBeNull();
    await keys.destroy('seller:1');
    await keys.close();
    const writes = ['update', 'delete', 'findAndModify'].flatMap((name) =>
      named(server.sent, name),
    );
    for (const { writeConcern } of writes)
      expect(writeConcern).toMatchObject({ w: 'majority', j: true });
    expect(new Set(writes.map(({ $db }) => $db))).toEqual(new Set(['oja_state', 'oja_keys']));
    // One write per put. No findAndModify: for retries the server keeps the document that it found, here a key.
    expect(writes.filter(({ $db }) => $db === 'oja_state')).toHaveLength(3);
    expect(named(server.sent, 'findAndModify')).toEqual([]);
    const expiring = named(server.sent, 'createIndexes').flatMap(({ indexes }) => indexes);
    expect(expiring).toContainEqual(expect.objectContaining({ expireAfterSeconds: 86_400 }));
  });

  it.each([
    ['documents', createMongoDocuments],
    ['state', createMongoState],
  ] as const)('leaves no connection open when the %s cannot be opened', async (_, open) => {
    const refusal = { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'not authorized' };
    server = await replicaSet((name) => (name === 'createIndexes' ? refusal : null));
    await expect(open({ url: addressOf(server) })).rejects.toThrow('not authorized');
    // The last command that a closing client sends.
    await expect.poll(() => named(server.sent, 'endSessions')).toHaveLength(1);
  });

  it.each([
    [
      18,
      'Authentication failed.',
      /^MongoDB refuses the name or the password in MONGODB_URL .*authSource/,
    ],
    [
      13,
      'not authorized on oja to execute command { createIndexes: "entries", $clusterTime: { hash: BinData(0, 6ECE) } }',
      /^MongoDB does not allow this to the user in MONGODB_URL \(not authorized on oja to execute command createIndexes\)/,
    ],
  ])(
    'says which user must be put right where the server refuses with %i',
    async (code, errmsg, why) => {
      server = await replicaSet((name) =>
        name === 'createIndexes' ? { ok: 0, code, errmsg } : null,
      );
      const failure = createMongoState({ url: addressOf(server) });
      await expect(failure).rejects.toThrow(why);
      await expect(failure).rejects.toMatchObject({ permanent: true });
    },
  );

  it('says why a commit failed, also when it cannot tidy up after it', async () => {
    const failure = (errmsg: string) => ({ ok: 0, code: 2, codeName: 'BadValue', errmsg });
    let isFailing = false;
    server = await replicaSet((name, command) => {
      if (name === 'insert' && command.insert === goods.name) {
        isFailing = true;
        return failure('the first failure');
      }
      return isFailing && command.find === 'market.collections' ? failure('the second') : null;
    });
    const documents = await createMongoDocuments({ url: addressOf(server) });
    await expect(documents.commit([put('a', { name: 'lg tv' })])).rejects.toThrow('the first');
    await documents.close();
  });

  it('says that MongoDB cannot be used when nobody is there', async () => {
    server = await replicaSet();
    const url = `mongodb://127.0.0.1:9/oja?serverSelectionTimeoutMS=100`;
    await expect(createMongoState({ url })).rejects.toThrow(StoreUnavailable);
  });

  it.each(['mongodb://', 'mongodb://a:secret word@b:c:d/x', 'mongodb://h/?secret=1&w'])(
    'refuses the address %s without repeating what is secret in it',
    async (url) => {
      server = await replicaSet();
      const refused = await createMongoState({ url }).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(StoreUnavailable);
      expect(String(refused)).not.toContain('secret word');
    },
  );
});
