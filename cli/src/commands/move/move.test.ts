import { randomBytes, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createPasswords } from '@oja/command-service';
import {
  type Access,
  createEmbeddedEventStore,
  createEmbeddedKeys,
  createEmbeddedState,
  createMemoryEventStore,
  createMemoryKeys,
  createMemoryKeysData,
  createMemoryLog,
  createMemoryState,
  createMemoryStateData,
  createSealer,
  createSessions,
  type JsonObject,
  openDataDir,
  type State,
  systemClock,
} from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseForeignLog, rememberLog } from '../../runtime/log-identity.js';
import { forgetMove, lastMove, movingOf, refuseMoved } from '../../runtime/moving.js';
import { openSource } from '../transfer/source.js';
import { checkArchive } from './archive.js';
import { lookBefore, moveIn } from './in.js';
import { kinds } from './kinds.js';
import { type Movable, moveOut } from './out.js';

const masterKey = randomBytes(32);
const tokenSecret = randomBytes(32).toString('hex');
const { signal } = new AbortController();
const { now } = systemClock;
/** Fake hashes, because real ones are slow and are only carried along here. */
const passwordsIn = (state: State) =>
  createPasswords(state, {
    hash: async (password) => `hash of ${password}`,
    verify: async (hashed, password) => hashed === `hash of ${password}`,
  });
let folder: string;
const closing: (() => Promise<void>)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'oja-move-'));
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  rmSync(folder, { recursive: true });
});

/** A process that shares the folder, or has it for itself as a market has. */
function openedIn(dataDir: string, exclusive: boolean) {
  const opened = openDataDir(dataDir, { exclusive });
  if (!opened.ok) throw new Error(opened.message);
  return opened.dataDir;
}

/** A market of this name on embedded engines. */
async function embedded(name: string): Promise<Movable> {
  const dataDir = join(folder, name);
  openedIn(dataDir, false).release();
  const engines = {
    eventStore: await createEmbeddedEventStore({ file: join(dataDir, 'log.db') }),
    state: await createEmbeddedState({ file: join(dataDir, 'state.db') }),
    keys: await createEmbeddedKeys({ file: join(dataDir, 'keys.db'), masterKey }),
  };
  closing.push(async () => {
    for (const engine of Object.values(engines)) await engine.close();
  });
  return marketOn(engines, dataDir, await engines.eventStore.logId());
}

const marketOn = (engines: Movable['engines'], dataDir: string, logId: string): Movable => ({
  engines,
  clock: systemClock,
  logId,
  config: { dataDir, demo: true, keysMasterKey: masterKey, tokenSecret },
});

/** The same on engines in memory; every call opens the same data. */
function inMemory(name: string): (access?: Access) => Movable {
  const [log, state, keys] = [
    createMemoryLog(name),
    createMemoryStateData(),
    createMemoryKeysData(masterKey),
  ];
  return (access) =>
    marketOn(
      {
        eventStore: createMemoryEventStore(log, access),
        state: createMemoryState(state, access),
        keys: createMemoryKeys(keys, access),
      },
      join(folder, name),
      name,
    );
}

const metadata = (id: string) => ({
  actor: 'test',
  commandId: id,
  correlationId: id,
  causationId: id,
  time: '2026-01-01T00:00:00.000Z',
  schemaVersion: 1,
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
});

async function happened(
  { engines: { eventStore } }: Movable,
  stream: string,
  revision: number,
  type: string,
  data: JsonObject = {},
): Promise<string> {
  const id = randomUUID();
  const expected = revision === 0 ? 'no-stream' : revision - 1;
  const event = { id, type, data, metadata: metadata(id) };
  const appended = await eventStore.append(stream, expected, [event]);
  if (!appended.ok) throw new Error('it was not appended');
  return appended.position;
}

interface Lived {
  readonly refreshToken: string;
  readonly sealed: { readonly sealed: string; readonly subject: string };
}

/** Fills a market: a person with a login and an order, an erased person, letters, a picture, and state that stays. */
async function lived(market: Movable): Promise<Lived> {
  const { state, keys } = market.engines;
  await passwordsIn(state).set('ada', 'a long enough secret', now());
  const { refreshToken } = await createSessions(state, tokenSecret).start('ada', now());
  const sealer = createSealer(keys);
  const { secret: sealed } = await sealer.seal('transaction:a', 'transaction-a', { secret: 'xyz' });
  await keys.obtain('transaction:b');
  await keys.destroy('transaction:b');
  await happened(market, 'transaction-a', 0, 'OrderPlaced', {
    transactionId: 'a',
    secret: { ...sealed },
  });
  const upTo = await happened(market, 'transaction-a', 1, 'PaymentVerified');
  await happened(market, 'transaction-b', 0, 'PaymentVerified');
  await happened(market, 'inbox-ada', 0, 'NotificationsCleared', { sellerId: 'ada', upTo });
  await state.put('letters', 'receipt/a', { outcome: 'sent' }, now());
  await state.put('webhooks', 'todo/1', { event: 'charge.success' }, now());
  await state.put('a later kind', 'x', { kept: true }, now());
  await state.put('rate-limit', 'somebody', { count: 9 }, now(), { expiresAt: now() + 60_000 });
  await state.put('reactions', 'checkpoint', { logId: 'old', position: upTo }, now());
  const pictures = join(market.config.dataDir, 'pictures/originals');
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(pictures, 'bag.jpg'), Buffer.from([0, 1, 2, 255]));
  return { refreshToken, sealed };
}

/** What a market shows after the move. */
async function seen({ engines, config }: Movable, { refreshToken, sealed }: Lived) {
  const { state, keys, eventStore } = engines;
  const places = new Map<string, string>();
  let upTo: unknown = null;
  for await (const { stream, revision, position, data } of eventStore.readAll({ after: null })) {
    places.set(`${stream}@${revision}`, position);
    if (stream === 'inbox-ada') upTo = data.upTo;
  }
  const spaces = new Set(await state.spaces());
  return {
    events: [...places.keys()],
    clearsUpTo: [...places].find(([, position]) => position === upTo)?.[0],
    logsIn: await passwordsIn(state).matches('ada', 'a long enough secret', now()),
    staysIn: (await createSessions(state, tokenSecret).refresh(refreshToken, now())) !== null,
    secret: await createSealer(keys).open('transaction-a', 'secret', sealed),
    erased: await keys.isDestroyed('transaction:b'),
    letter: (await state.get('letters', 'receipt/a', now()))?.value ?? null,
    webhook: (await state.get('webhooks', 'todo/1', now())) !== null,
    unknown: (await state.get('a later kind', 'x', now()))?.value ?? null,
    stayed: spaces.has('rate-limit') || spaces.has('letters-walked'),
    reactedUpTo: (await state.get('reactions', 'checkpoint', now()))?.value.position,
    picture: [...readFileSync(join(config.dataDir, 'pictures/originals/bag.jpg'))],
  };
}

const all = (head: unknown) => ({
  events: ['transaction-a@0', 'transaction-a@1', 'transaction-b@0', 'inbox-ada@0'],
  clearsUpTo: 'transaction-a@1',
  logsIn: true,
  staysIn: true,
  secret: 'xyz',
  erased: true,
  letter: { outcome: 'sent' },
  webhook: true,
  unknown: { kept: true },
  stayed: false,
  reactedUpTo: head,
  picture: [0, 1, 2, 255],
});

/** The same market, in which something happens just before a certain call of its State. */
function interrupted(
  market: Movable,
  isThen: (...call: readonly [method: string, space?: unknown]) => boolean,
  happens: () => unknown,
): Movable {
  let isLeft = true;
  const state = new Proxy(market.engines.state, {
    get:
      (target, method: keyof State) =>
      async (...given: readonly unknown[]) => {
        if (isLeft && isThen(method, given[0])) {
          isLeft = false;
          await happens();
        }
        return Reflect.apply(target[method], target, given);
      },
  });
  return { ...market, engines: { ...market.engines, state } };
}

const isMarked = (method: string, space: unknown) => method === 'put' && space === 'moving';

const file = (name: string) => join(folder, `of-${name}`);
const out = (market: Movable, name: string) => moveOut(market, file(name), signal, () => {});

async function archiveIn(name: string) {
  const source = await openSource(file(name), signal);
  const { header, trailer } = await checkArchive(source, signal);
  return { source, header, counts: trailer.counts };
}

const into = async (market: Movable, name: string) =>
  moveIn(market, await archiveIn(name), signal, () => {});

describe('a whole market', () => {
  it('moves from embedded engines to others and back, with all that people would miss', async () => {
    const first = await embedded('first');
    const life = await lived(first);
    const moved = await out(first, 'first.gz');
    expect(moved.counts).toEqual({ log: 4, state: 5, keys: 2, pictures: 1 });
    expect(statSync(file('first.gz')).mode & 0o777).toBe(0o600);

    const second = inMemory('second')();
    expect(await into(second, 'first.gz')).toMatchObject({ already: false, added: 4 });
    expect(await seen(second, life)).toEqual(all(await second.engines.eventStore.head()));
    await expect(refuseMoved(second)).resolves.toBeUndefined();
    expect(await into(second, 'first.gz')).toMatchObject({ already: true, added: 0 });

    // One more event there, so that the way back carries something new.
    await happened(second, 'review-1', 0, 'ReviewPosted');
    await out(second, 'second');
    const third = await embedded('third');
    await into(third, 'second');
    const head = await third.engines.eventStore.head();
    const { events, ...rest } = all(head);
    expect(await seen(third, life)).toEqual({ events: [...events, 'review-1@0'], ...rest });
  });

  it('takes every kind of State along without which something would be lost or done twice', async () => {
    const [first, second] = [await embedded('first'), inMemory('second')()];
    const spaces = Object.keys(kinds);
    // As a heartbeat this is of a process that is gone.
    const value = { host: hostname() };
    for (const space of spaces) await first.engines.state.put(space, 'one', value, now());
    await out(first, 'first');
    await into(second, 'first');
    const moved = [];
    for (const space of spaces)
      if ((await second.engines.state.get(space, 'one', now())) !== null) moved.push(space);
    expect(moved.sort()).toEqual([
      'dispute-checks',
      'failed-accounts',
      'forgotten',
      'forgotten-later',
      'idempotency',
      'image-adopted',
      'image-uploads',
      'letters',
      'letters-later',
      'login-known',
      'password',
      'payment-checks',
      'payment-sandbox',
      'payout-checks',
      'payouts',
      'refund-looks',
      'refunds',
      'refunds-taken',
      'seed',
      'session',
      'webhooks',
    ]);
  });

  it('is read through once to be compared with what is there, however long it is', async () => {
    const first = await embedded('first');
    await lived(first);
    await out(first, 'first');
    let readings = 0;
    const counting: Access = async (what, work) => {
      if (what === 'read all') readings += 1;
      return work();
    };
    expect(await into(inMemory('second')(counting), 'first')).toMatchObject({ added: 4 });
    expect(readings).toBe(1);
  });

  it('is closed where it came from, and opened again only when told so', async () => {
    const first = await embedded('first');
    await lived(first);
    await expect(refuseMoved(first)).resolves.toBeUndefined();
    writeFileSync(file('there'), '');
    await expect(out(first, 'there')).rejects.toThrow(/is there already/);
    await expect(refuseMoved(first)).resolves.toBeUndefined();
    const { id } = await out(first, 'one');
    await expect(refuseMoved(first)).rejects.toThrow(/was moved out/);
    expect((await out(first, 'two')).id).toBe(id);
    // Moving the archive into the market that it came from opens that market again.
    expect(await into(first, 'two')).toMatchObject({ already: false, added: 0 });
    expect(await movingOf(first)).toMatchObject({ id, way: 'in', done: true });
  });

  it('moves to another log alone, beside the state and keys that it was moved out of', async () => {
    const first = await embedded('first');
    const life = await lived(first);
    await rememberLog(first);
    const onOther = marketOn(
      { ...first.engines, eventStore: createMemoryEventStore(createMemoryLog('other')) },
      first.config.dataDir,
      'other',
    );
    await out(first, 'first');
    await expect(refuseForeignLog(onOther)).rejects.toThrow(/is not the one/);
    expect(await into(onOther, 'first')).toMatchObject({ added: 4 });
    const head = await onOther.engines.eventStore.head();
    expect(await seen(onOther, life)).toEqual({ ...all(head), stayed: true });
    await expect(refuseForeignLog(onOther)).resolves.toBeUndefined();
    await expect(refuseForeignLog(first)).rejects.toThrow(/is not the one/);
    // Now that it is whole, a log that is not its own is refused again, by a second run too.
    await expect(into(first, 'first')).rejects.toThrow(/is not the one/);
  });

  it('goes on after it was killed at any moment, and is closed until its end', async () => {
    const first = await embedded('first');
    const life = await lived(first);
    await out(first, 'first');
    let [killedAt, ended] = [0, false];
    while (!ended) {
      killedAt += 1;
      const open = inMemory(`after ${killedAt}`);
      let left = killedAt;
      const dying: Access = async (_, work) => {
        if (left === 0) throw new Error('killed');
        left -= 1;
        return work();
      };
      ended = await into(open(dying), 'first').then(
        () => true,
        () => false,
      );
      const market = open();
      const isBegun = (await movingOf(market)) !== null;
      if (!ended && isBegun) await expect(refuseMoved(market)).rejects.toThrow(/not complete yet/);
      await into(market, 'first');
      expect(await seen(market, life)).toEqual(all(await market.engines.eventStore.head()));
    }
    expect(killedAt).toBeGreaterThan(20);
  });

  it('is refused where another one is, before anything is written', async () => {
    const first = await embedded('first');
    await lived(first);
    await out(first, 'first');
    const withEvents = inMemory('with events')();
    await happened(withEvents, 'product-a', 0, 'ProductListed');
    const withOther = inMemory('with another event')();
    await happened(withOther, 'transaction-a', 0, 'OrderPlaced');
    const withState = inMemory('with state')();
    await withState.engines.state.put('password', 'obi', {}, now());
    const withKeys = inMemory('with keys')();
    await withKeys.engines.keys.obtain('seller:obi');
    for (const [market, why] of [
      [withEvents, /events of its own/],
      [withOther, /The stream transaction-a holds another event at revision 0/],
      [withState, /password in its state/],
      [withKeys, /keys of people/],
    ] as const) {
      const head = await market.engines.eventStore.head();
      await expect(lookBefore(market, await archiveIn('first'), signal)).rejects.toThrow(why);
      await expect(into(market, 'first')).rejects.toThrow(why);
      expect(await market.engines.eventStore.head()).toBe(head);
      expect(await movingOf(market)).toBeNull();
    }
  });

  it.each([
    ['a market of this machine opens', ({ config }: Movable) => openedIn(config.dataDir, true)],
    [
      'a service of another machine opens',
      ({ engines: { state } }: Movable) => {
        const service = { service: 'query-service', host: 'other', pid: 7 };
        return state.put('processes', 'query-service/other/7', service, now(), {
          expiresAt: now() + 20_000,
        });
      },
    ],
  ])('is refused where %s just before it is marked, and is as before', async (_, opens) => {
    const first = await embedded('first');
    await lived(first);
    const opening = interrupted(first, isMarked, () => opens(first));
    await expect(out(opening, 'refused')).rejects.toThrow(/runs: stop every service/);
    expect(await movingOf(first)).toBeNull();

    const other = await embedded('other');
    await lived(other);
    await out(other, 'other');
    const empty = await embedded('empty');
    const opened = interrupted(empty, isMarked, () => opens(empty));
    await expect(into(opened, 'other')).rejects.toThrow(/runs: stop every service/);
    expect(await movingOf(empty)).toBeNull();
    expect(await empty.engines.eventStore.head()).toBeNull();
  });

  it('is closed for good by one of two that move it out at once, and the other says so', async () => {
    const first = await embedded('first');
    await lived(first);
    const ended = await Promise.allSettled([out(first, 'both'), out(first, 'both')]);
    expect(ended.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await movingOf(first)).toMatchObject({ way: 'out', done: true });
    expect(await archiveIn('both')).toMatchObject({ header: { kind: 'oja-market' } });
  });

  it('is not opened again by a move out that another one has overtaken', async () => {
    const first = await embedded('first');
    await lived(first);
    const isReading = (method: string) => method === 'spaces';
    const slow = interrupted(first, isReading, () => out(first, 'quick'));
    await expect(out(slow, 'slow')).rejects.toThrow(/has moved or reopened this market meanwhile/);
    expect(await movingOf(first)).toMatchObject({ way: 'out', done: true });
    expect(existsSync(file('slow'))).toBe(false);
    await archiveIn('quick');
  });

  it('is not closed by a move out during which it was reopened', async () => {
    const first = await embedded('first');
    await lived(first);
    const isReading = (method: string) => method === 'spaces';
    const reopened = interrupted(first, isReading, async () => {
      const move = await lastMove(first);
      if (move !== null) await forgetMove(first, move);
    });
    await expect(out(reopened, 'gone')).rejects.toThrow(
      /has moved or reopened this market meanwhile/,
    );
    expect(existsSync(file('gone'))).toBe(false);
    await expect(refuseMoved(first)).resolves.toBeUndefined();
  });

  it('is not moved out while it is being moved in', async () => {
    const first = await embedded('first');
    await lived(first);
    await out(first, 'first');
    const second = await embedded('second');
    const isTakingState = (method: string, space: unknown) =>
      method === 'put' && space === 'password';
    const halfway = interrupted(second, isTakingState, () =>
      expect(out(second, 'half')).rejects.toThrow(/is being moved in here/),
    );
    await into(halfway, 'first');
    expect(existsSync(file('half'))).toBe(false);
  });

  it('is not written into any more by a move in that another one has overtaken', async () => {
    const first = await embedded('first');
    const life = await lived(first);
    await out(first, 'first');
    const second = await embedded('second');
    const { state } = second.engines;
    const slow = {
      ...second,
      engines: {
        ...second.engines,
        keys: {
          ...second.engines.keys,
          async adopt(kept: Parameters<typeof second.engines.keys.adopt>[0]) {
            await second.engines.keys.adopt(kept);
            await into(second, 'first');
            // The market is open by now, and its people go on.
            await passwordsIn(state).set('ada', 'a newer secret', now());
          },
        },
      },
    };
    await expect(into(slow, 'first')).rejects.toThrow(
      /has moved or reopened this market meanwhile/,
    );
    expect(await passwordsIn(state).matches('ada', 'a newer secret', now())).toBe(true);
    expect(await movingOf(second)).toMatchObject({ way: 'in', done: true });
    expect((await seen(second, life)).secret).toBe('xyz');
  });

  it('is refused where a part of it is missing, changed or not its own', async () => {
    const first = await embedded('first');
    await lived(first);
    await out(first, 'first.gz');
    const lines = gunzipSync(readFileSync(file('first.gz')))
      .toString()
      .trimEnd()
      .split('\n');
    const refused = async (changed: readonly string[], why: RegExp) => {
      writeFileSync(file('changed.gz'), gzipSync(`${changed.join('\n')}\n`));
      await expect(archiveIn('changed.gz')).rejects.toThrow(why);
    };
    await refused(
      lines.filter((line) => !line.includes('"part":"keys"')),
      /checksum/,
    );
    await refused(lines.slice(0, -1), /its end is missing/);
    await refused([...lines.slice(0, 1), ...lines.slice(2)], /checksum/);
    await refused(
      lines.map((line) => line.replace('pictures/originals/', 'pictures/../../')),
      /line \d+ does not belong to it/,
    );
    await refused(
      lines.map((line) => line.replace('"format":1', '"format":2')),
      /it was made by a later release/,
    );
    await refused(
      ['{"kind":"oja-export","format":1,"logId":"x","at":"x"}'],
      /passwords, sessions, keys and pictures are missing.*use oja import/,
    );
    writeFileSync(file('cut.gz'), readFileSync(file('first.gz')).subarray(0, 200));
    await expect(archiveIn('cut.gz')).rejects.toThrow(/cannot be read/);
    await expect(archiveIn('nowhere')).rejects.toThrow(/cannot be read \(ENOENT\)/);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
