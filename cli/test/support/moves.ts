import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { afterEach, beforeEach } from 'vitest';
import { checkArchive } from '../../src/commands/move/archive.js';
import { moveIn } from '../../src/commands/move/in.js';
import { type MoveSource, moveOut } from '../../src/commands/move/out.js';
import { openSource } from '../../src/commands/transfer/source.js';

const masterKey = randomBytes(32);
const tokenSecret = randomBytes(32).toString('hex');
export const { signal } = new AbortController();
export const { now } = systemClock;
/** Fake hashes, because real ones are slow and are only carried along here. */
export const passwordsIn = (state: State) =>
  createPasswords(state, {
    hash: async (password) => `hash of ${password}`,
    verify: async (hashed, password) => hashed === `hash of ${password}`,
  });

/** A process that shares the folder, or has it for itself as a market has. */
export function openedIn(dataDir: string, exclusive: boolean) {
  const opened = openDataDir(dataDir, { exclusive });
  if (!opened.ok) throw new Error(opened.message);
  return opened.dataDir;
}

export const marketOn = (
  engines: MoveSource['engines'],
  dataDir: string,
  logId: string,
): MoveSource => ({
  engines,
  clock: systemClock,
  logId,
  config: { dataDir, demo: true, keysMasterKey: masterKey, tokenSecret },
});

const metadata = (id: string) => ({
  actor: 'test',
  commandId: id,
  correlationId: id,
  causationId: id,
  time: '2026-01-01T00:00:00.000Z',
  schemaVersion: 1,
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
});

export async function happened(
  { engines: { eventStore } }: MoveSource,
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
export async function lived(market: MoveSource): Promise<Lived> {
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
export async function seen({ engines, config }: MoveSource, { refreshToken, sealed }: Lived) {
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

export const all = (head: unknown) => ({
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
export function interrupted(
  market: MoveSource,
  isThen: (...call: readonly [method: string, space?: unknown]) => boolean,
  happens: () => unknown,
): MoveSource {
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

export const isMarked = (method: string, space: unknown) => method === 'put' && space === 'moving';

/** For the tests of a file: markets in a folder that goes after each test, and moves between them through files in it. */
export function setUpMoves() {
  let folder: string;
  const closing: (() => Promise<void>)[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'oja-move-'));
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
    rmSync(folder, { recursive: true });
  });

  /** A market of this name on embedded engines. */
  async function embedded(name: string): Promise<MoveSource> {
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

  /** A market of this name on engines in memory; every call opens the same data. */
  function inMemory(name: string): (access?: Access) => MoveSource {
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

  const file = (name: string) => join(folder, `of-${name}`);
  const out = (market: MoveSource, name: string) => moveOut(market, file(name), signal, () => {});

  async function archiveIn(name: string) {
    const source = await openSource(file(name), signal);
    const { header, trailer } = await checkArchive(source, signal);
    return { source, header, counts: trailer.counts };
  }

  const into = async (market: MoveSource, name: string) =>
    moveIn(market, await archiveIn(name), signal, () => {});

  return { archiveIn, embedded, file, inMemory, into, out, files: () => readdirSync(folder) };
}
