import {
  CHECKPOINTS,
  type CollectionSpec,
  createMemoryState,
  createMemoryStateData,
  createReadModels,
  type Guard,
  type Loading,
  NoRoom,
  type Operation,
  ReadModelMissing,
  StoreUnavailable,
  systemClock,
} from '@oja/platform';
import { describe, expect, it, onTestFinished } from 'vitest';
import { catchUp, createProjector, pointerOf, runRebuild } from '../src/index.js';
import { deferred } from './support/deferred.js';
import { MemoryDocuments } from './support/documents.js';
import { contents, dieAfter, follow } from './support/follow.js';
import { MemoryJobs } from './support/jobs.js';
import { MemoryLog, positionAt } from './support/log.js';
import { quiet, recorded, shop } from './support/shop.js';

const READERS_NEED = 'shop_v1_g1_things';

/** Documents that note how collections are loaded, and whether readers already find the model then. */
class WatchedDocuments extends MemoryDocuments {
  readonly ensured: { readonly loading: Loading | null; readonly found: boolean }[] = [];
  beforeIndexes: () => Promise<void> = async () => {};

  override async ensure(
    collections: readonly CollectionSpec[],
    options: { readonly loading?: Loading } = {},
  ): Promise<void> {
    await super.ensure(collections);
    if (!collections.some(({ name }) => name === READERS_NEED)) return;
    if (options.loading === undefined) await this.beforeIndexes();
    this.ensured.push({ loading: options.loading ?? null, found: await isFound(this) });
  }
}

async function isFound(documents: MemoryDocuments): Promise<boolean> {
  const readModels = createReadModels(documents);
  const checkpoint = await readModels.checkpointOf(shop);
  const live = await readModels.live(shop).catch((error: unknown) => {
    expect(error).toBeInstanceOf(ReadModelMissing);
    return null;
  });
  // A reader finds both or none.
  expect(checkpoint === null).toBe(live === null);
  return live !== null;
}

const stream = [
  recorded('owner-0', 0, 'OwnerNamed', { name: 'a' }),
  recorded('thing-0', 0, 'ThingMade', { owner: '0' }),
  ...[1, 2, 3, 4, 5].map((by, i) => recorded('thing-0', i + 1, 'ThingCounted', { by })),
];

function logOf(events: Parameters<MemoryLog['record']>[0]): MemoryLog {
  const log = new MemoryLog();
  log.record(events);
  return log;
}

describe('a new read model of a log that has events', () => {
  it('is not there for readers before it has all events and indexes', async () => {
    const documents = new WatchedDocuments();
    const foundAtCommits: boolean[] = [];
    documents.beforeCommit = async () => void foundAtCommits.push(await isFound(documents));
    await follow(logOf(stream), documents, shop, { batchSize: 2 });
    // The last indexes are created before readers find it, and none while it is loaded.
    expect(documents.ensured.slice(0, 3)).toEqual([
      { loading: 'alone', found: false },
      { loading: 'alone', found: false },
      { loading: null, found: false },
    ]);
    expect(foundAtCommits.length).toBeGreaterThan(3);
    expect(foundAtCommits).toEqual(foundAtCommits.map(() => false));
    expect(await isFound(documents)).toBe(true);
    expect(await pointerOf(documents, shop)).not.toHaveProperty('loading');
  });

  it('is loaded further by the next projector when one was killed, wherever', async () => {
    const log = logOf(stream);
    const whole = new MemoryDocuments();
    await follow(log, whole, shop, { batchSize: 500 });
    for (let commits = 0; commits < 8; commits++) {
      const documents = new WatchedDocuments();
      await dieAfter(log, documents, shop, commits, 1);
      const wasFound = await isFound(documents);
      await follow(log, documents, shop, { batchSize: 2 });
      expect(contents(documents, shop)).toEqual(contents(whole, shop));
      expect(await isFound(documents)).toBe(true);
      // Readers had it only if its indexes were there.
      if (wasFound) expect(documents.ensured.map(({ loading }) => loading)).toContain(null);
    }
  });

  it('is there for readers up to an event that holds all of it', async () => {
    const documents = new WatchedDocuments();
    const bad = recorded('thing-0', 6, 'ThingCounted', {});
    const whole = { ...shop, scope: 'shared' } as const;
    const stop = deferred();
    const running = follow(logOf([...stream, bad]), documents, whole, {
      batchSize: 2,
      until: stop.promise,
      only: true,
    });
    await expect.poll(() => isFound(documents), { timeout: 10_000 }).toBe(true);
    expect(documents.ensured.at(-1)?.loading).toBe(null);
    expect(await createReadModels(documents).isHeld(whole)).toBe(true);
    stop.resolve();
    await running;
  });

  it('is loaded alike where no projector runs', async () => {
    const log = logOf(stream);
    const documents = new WatchedDocuments();
    const head = await log.head();
    if (head === null) throw new Error('the log is empty');
    const { signal } = new AbortController();
    const deps = { eventStore: log, documents, projection: shop, logger: quiet, signal };
    expect(await catchUp(deps, head)).toEqual({ kind: 'passed' });
    expect(documents.ensured).toEqual([
      { loading: 'alone', found: false },
      { loading: 'alone', found: false },
      { loading: null, found: false },
    ]);
    expect(await isFound(documents)).toBe(true);
  });
});

/** Documents whose commits are always too long for others, and never for a load. */
class SlowDocuments extends MemoryDocuments {
  override readonly commitMs = 0;
  override readonly loadMs = Infinity;
  override readonly loadEvents: number = 700;
  /** How many documents each commit holds besides the checkpoint, of those that hold any. */
  readonly batches: number[] = [];
  /** What every such commit fails of. */
  refuses: Error | null = null;

  override async commit(operations: readonly Operation[], guards: readonly Guard[] = []) {
    const things = operations.filter(({ collection }) => collection.endsWith('_things')).length;
    if (things > 0 && this.refuses !== null) throw this.refuses;
    if (things > 0) this.batches.push(things);
    return super.commit(operations, guards);
  }
}

const made = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) =>
    recorded(`thing-${from + at}`, 0, 'ThingMade', { owner: '0' }),
  );

it('a read model is loaded in batches as long as its store takes them, caught up likewise, and followed in short ones', async () => {
  const documents = new SlowDocuments();
  const log = logOf(made(0, 1_000));
  await follow(log, documents, shop, { batchSize: 5_000 });
  expect(Math.max(...documents.batches)).toBe(700);

  documents.batches.length = 0;
  log.record(made(1_000, 2_000));
  const stop = deferred();
  const running = follow(log, documents, shop, {
    batchSize: 5_000,
    until: stop.promise,
    only: true,
  });
  const { signal } = new AbortController();
  const hasAll = (events: number) =>
    createReadModels(documents).waitFor([shop], positionAt(events), 30_000, signal);
  await hasAll(2_000);
  expect(Math.max(...documents.batches)).toBeGreaterThan(500);

  documents.batches.length = 0;
  log.record(made(2_000, 3_000));
  await hasAll(3_000);
  expect(Math.max(...documents.batches)).toBeLessThanOrEqual(100);
  stop.resolve();
  await running;
});

it('a generation beside the live one is built in short batches, for which others wait', async () => {
  const documents = new SlowDocuments();
  const log = logOf(made(0, 1_000));
  await follow(log, documents, shop, { batchSize: 5_000 });
  documents.batches.length = 0;
  const { signal } = new AbortController();
  const deps = { eventStore: log, documents, projection: shop, logger: quiet, signal };
  expect(await runRebuild(deps)).toMatchObject({ ok: true });
  expect(documents.batches.length).toBeGreaterThan(5);
  expect(Math.max(...documents.batches)).toBeLessThanOrEqual(100);
});

it('a command loads a read model in long batches, too', async () => {
  const documents = new SlowDocuments();
  const log = logOf(made(0, 1_000));
  const { signal } = new AbortController();
  const deps = { eventStore: log, documents, projection: shop, logger: quiet, signal };
  expect(await catchUp(deps, positionAt(1_000))).toEqual({ kind: 'passed' });
  expect(Math.max(...documents.batches)).toBeGreaterThan(500);
});

it.each([
  new NoRoom('documents.db takes no more writes: database or disk is full'),
  new StoreUnavailable('SQLite', 'documents.db is damaged (page 2 is none)', true),
])('a command ends with what somebody must see to: $message', async (error) => {
  const documents = new SlowDocuments();
  const log = logOf(made(0, 1_000));
  const { signal } = new AbortController();
  const deps = { eventStore: log, documents, projection: shop, logger: quiet, signal };
  documents.refuses = error;
  await expect(catchUp(deps, positionAt(1_000))).rejects.toBe(error);
  documents.refuses = null;
  expect(await catchUp(deps, positionAt(1_000))).toEqual({ kind: 'passed' });
});

/** Documents that note how far each model has come, and are slow for the model `shop`. */
class PacedDocuments extends MemoryDocuments {
  readonly at = new Map<string, number>();
  furthest = 0;

  override async commit(operations: readonly Operation[], guards: readonly Guard[] = []) {
    const [guard] = guards;
    if (guard?.id === 'shop_v1_g1')
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    const outcome = await super.commit(operations, guards);
    const checkpoint = operations.find(({ collection }) => collection === CHECKPOINTS);
    if (checkpoint?.type === 'put')
      this.at.set(checkpoint.id, Number(checkpoint.document.position ?? 0));
    this.furthest = Math.max(this.furthest, this.ahead());
    return outcome;
  }

  ahead(): number {
    return (this.at.get('other_v1_g1') ?? 0) - (this.at.get('shop_v1_g1') ?? 0);
  }
}

it('read models that are loaded at once keep together, so that the log is read once', async () => {
  const documents = new PacedDocuments();
  const log = logOf(made(0, 8_000));
  const { signal } = new AbortController();
  const load = (projection: typeof shop) =>
    catchUp({ eventStore: log, documents, projection, logger: quiet, signal }, positionAt(8_000));
  expect(await Promise.all([load(shop), load({ ...shop, name: 'other' })])).toEqual([
    { kind: 'passed' },
    { kind: 'passed' },
  ]);
  expect(documents.furthest).toBeGreaterThan(0);
  expect(documents.furthest).toBeLessThanOrEqual(3_000);
});

it('a long batch lets other work of the process run meanwhile', async () => {
  const longMs = 30;
  let turns = 0;
  const between: number[] = [];
  const tick = () => {
    turns += 1;
    ticking = setImmediate(tick);
  };
  let ticking = setImmediate(tick);
  onTestFinished(() => clearImmediate(ticking));
  const slow: typeof shop = {
    ...shop,
    project(fact, documents) {
      between.push(turns);
      for (const until = performance.now() + longMs; performance.now() < until; );
      return shop.project(fact, documents);
    },
  };
  const documents = new SlowDocuments();
  await follow(logOf(made(0, 10)), documents, slow, { batchSize: 5_000 });
  expect(documents.batches).toEqual([10]);
  // Between any two of these events.
  expect(new Set(between).size).toBe(10);
});

it('a projector has caught up once what it loads is there for readers', async () => {
  const documents = new WatchedDocuments();
  const reached = deferred();
  const made = deferred();
  documents.beforeIndexes = () => {
    reached.resolve();
    return made.promise;
  };
  const log = logOf(stream);
  const projector = createProjector({
    eventStore: log,
    documents,
    state: createMemoryState(createMemoryStateData()),
    jobs: new MemoryJobs(),
    projections: [shop],
    reactions: [],
    logger: quiet,
    clock: systemClock,
    metrics: { setProjectionLag: () => {} },
  });
  await projector.start();
  let foundWhenCaughtUp: boolean | null = null;
  const head = (await log.head()) ?? positionAt(0);
  const caughtUp = projector.caughtUp(head).then(async () => {
    foundWhenCaughtUp = await isFound(documents);
  });
  await reached.promise;
  // Not taken for a dead subscription, however long it takes.
  expect((await projector.status()).projections).toMatchObject([
    { checkpoint: head, stopped: 'its last indexes are being created' },
  ]);
  expect(foundWhenCaughtUp).toBe(null);
  made.resolve();
  await caughtUp;
  expect(foundWhenCaughtUp).toBe(true);
  expect((await projector.status()).projections).toMatchObject([{ stopped: null }]);
  await projector.stop();
});

it('a read model of an empty log is there at once', async () => {
  const documents = new WatchedDocuments();
  await follow(new MemoryLog(), documents, shop, { batchSize: 2 });
  expect(documents.ensured.every(({ loading }) => loading === null)).toBe(true);
  expect(await isFound(documents)).toBe(true);
});
