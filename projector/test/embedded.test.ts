import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createEmbeddedDocuments,
  createEmbeddedEventStore,
  createEmbeddedState,
  createReadModels,
  type Documents,
  type EventStore,
  type JsonObject,
  type Position,
  type State,
  systemClock,
} from '@oja/platform';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  catchUp,
  createProjector,
  declareImported,
  type Reaction,
  removeOldGenerations,
  runRebuild,
  skipReactionsTo,
  storedStatus,
  switchTo,
} from '../src/index.js';
import { canonical } from './support/documents.js';
import { MemoryJobs } from './support/jobs.js';
import { quiet, recorded, shop } from './support/shop.js';

let folder: string;
let eventStore: EventStore;
let documents: Documents;
let state: State;
let jobs: MemoryJobs;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oja-projector-'));
  eventStore = await createEmbeddedEventStore({ file: join(folder, 'log') });
  documents = await createEmbeddedDocuments({ file: join(folder, 'documents') });
  state = await createEmbeddedState({ file: join(folder, 'state') });
  jobs = new MemoryJobs();
});

afterEach(async () => {
  await Promise.all([eventStore.close(), documents.close(), state.close()]);
  rmSync(folder, { recursive: true });
});

const counted: Reaction = {
  name: 'counted',
  events: ['ThingCounted'],
  react: ({ stream, data }) => [{ queue: 'counts', target: stream, data }],
};

/** The lags that projectors reported, by projection. */
const lags = new Map<string, object>();
const metrics: Parameters<typeof createProjector>[0]['metrics'] = {
  setProjectionLag(name, lag) {
    if (lag === null) lags.delete(name);
    else lags.set(name, lag);
  },
};

function projector(over: Documents = documents) {
  return createProjector({
    eventStore,
    documents: over,
    state,
    jobs,
    projections: [shop],
    reactions: [counted],
    logger: quiet,
    clock: systemClock,
    metrics,
  });
}

let ids = 0;
const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
async function append(
  stream: string,
  revision: number,
  type: string,
  data: JsonObject,
): Promise<Position> {
  const event = recorded(stream, revision, type, data);
  const id = idOf(++ids);
  const { metadata } = event;
  const expected = revision === 0 ? 'no-stream' : revision - 1;
  const result = await eventStore.append(stream, expected, [
    {
      id,
      type,
      data,
      metadata: { ...metadata, commandId: id, correlationId: id, causationId: id },
    },
  ]);
  if (!result.ok) throw new Error(result.reason);
  return result.position;
}

async function all(of: Documents): Promise<string> {
  const models = createReadModels(of);
  const names = ['owners', 'things'];
  const pages = names.map(async (name) =>
    canonical((await of.find(await models.liveCollection(shop, name), {})).items),
  );
  return (await Promise.all(pages)).join('\n');
}

it('tells how far it is behind once it knows where it stands, and reads no log for it before', async () => {
  const before = projector();
  await before.start();
  const position = await append('owner-1', 0, 'OwnerNamed', { name: 'Ada' });
  await before.caughtUp(position);
  const isThere = async () => (await before.status()).reactions.checkpoint === position;
  await vi.waitFor(async () => expect(await isThere()).toBe(true), 10_000);
  await before.stop();
  lags.clear();
  const told = vi.spyOn(metrics, 'setProjectionLag');
  const read = vi.spyOn(eventStore, 'readAll');
  const after = projector();
  await after.start();
  await vi.waitFor(() => expect(lags.has('reactions')).toBe(true), 10_000);
  await after.stop();
  expect(read.mock.calls.filter(([options]) => options.after === null)).toEqual([]);
  for (const [, lag] of told.mock.calls) expect(lag?.events ?? 0).toBe(0);
});

it('shows what was just written, and the same after a clean rebuild', async () => {
  const live = projector();
  await live.start();
  const models = createReadModels(documents);
  await Promise.all(
    [0, 1, 2, 3].map(async (n) => {
      await append(`owner-${n}`, 0, 'OwnerNamed', { name: `Owner ${n}` });
      for (let i = 0; i < 20; i++) {
        await append(`thing-${n}${i}`, 0, 'ThingMade', { owner: String(n) });
        await append(`thing-${n}${i}`, 1, 'ThingCounted', { by: i });
      }
    }),
  );
  const position = await append('owner-1', 1, 'OwnerNamed', { name: 'Renamed' });
  expect(await models.waitFor([shop], position, 5_000)).toBe(true);
  const things = await models.liveCollection(shop, 'things');
  expect(await documents.get(things, '17')).toMatchObject({ ownerName: 'Renamed', count: 7 });
  const nothingForIt = await append('other-1', 0, 'SomethingElse', {});
  expect(await models.waitFor([shop], nothingForIt, 5_000)).toBe(true);
  // Readers see a commit slightly before the projector knows that it succeeded.
  expect(await live.caughtUp(nothingForIt)).toBe(true);
  const status = await live.status();
  expect(status.projections).toMatchObject([
    { projection: 'shop', version: 1, generation: 1, live: true, lag: { events: 0, seconds: 0 } },
  ]);
  await live.stop();

  const again = await createEmbeddedDocuments({ file: join(folder, 'again') });
  const clean = projector(again);
  await clean.start();
  expect(await clean.caughtUp(nothingForIt)).toBe(true);
  await clean.stop();
  expect(await all(again)).toBe(await all(documents));
  await again.close();
});

it('lags since nothing follows the log, however old the events are that came then', async () => {
  const live = projector();
  await live.start();
  const position = await append('owner-1', 0, 'OwnerNamed', { name: 'Owner 1' });
  expect(await live.caughtUp(position)).toBe(true);
  await vi.waitUntil(async () => (await state.spaces()).includes('behind'), { timeout: 30_000 });
  await live.stop();
  await append('owner-2', 0, 'OwnerNamed', { name: 'Of long ago' });
  const later = Date.now() + 600_000;
  const [lagging] = await storedStatus({ eventStore, documents, state }, [shop], later);
  expect(lagging?.lag.events).toBe(1);
  expect(lagging?.lag.seconds).toBeGreaterThanOrEqual(600);
  expect(lagging?.lag.seconds).toBeLessThan(700);
});

it('reacts to each event once, and not to what it was told to pass over', async () => {
  await append('thing-1', 0, 'ThingMade', { owner: '1' });
  const seeded = await append('thing-1', 1, 'ThingCounted', { by: 1 });
  await skipReactionsTo(eventStore, state, seeded, 0);
  const later = await append('thing-1', 2, 'ThingCounted', { by: 2 });
  for (const run of ['first', 'second']) {
    const following = projector();
    await following.start();
    await expect
      .poll(async () => (await following.status()).reactions.checkpoint, { message: run })
      .toBe(later);
    await following.stop();
  }
  expect([...jobs.added.values()]).toEqual([
    { queue: 'counts', data: { by: 2, correlationId: expect.any(String) } },
  ]);
  expect([...jobs.added.keys()][0]).toMatch(/^[0-9a-f-]{36}-counted-thing-1$/);
});

it('forgets the error of its reactions once they go on', async () => {
  const following = projector();
  vi.spyOn(jobs, 'add').mockRejectedValueOnce(new Error('the queue is away'));
  const position = await append('thing-1', 0, 'ThingCounted', { by: 1 });
  await following.start();
  await expect
    .poll(async () => (await following.status()).reactions)
    .toMatchObject({ checkpoint: position, lastError: null });
  await following.stop();
});

it('reports no lag any more of a generation that is gone', async () => {
  await append('owner-1', 0, 'OwnerNamed', { name: 'Ada' });
  const following = projector();
  await following.start();
  const { signal } = new AbortController();
  const rebuilt = { eventStore, documents, projection: shop, logger: quiet, signal };
  expect(await runRebuild(rebuilt)).toEqual({ ok: true, generation: 2 });
  await expect.poll(() => [...lags.keys()].toSorted()).toEqual(['reactions', 'shop', 'shop_g2']);
  await switchTo(documents, shop, 2, { regardless: true });
  await removeOldGenerations(documents, shop, 0);
  await expect.poll(() => [...lags.keys()].toSorted()).toEqual(['reactions', 'shop']);
  await following.stop();
});

it('never reacts to what an import that was killed has appended last, but to people meanwhile', async () => {
  jobs.added.clear();
  const following = projector();
  await following.start();
  // The import declared its events and appended them, but was killed before it moved the checkpoint.
  await declareImported(state, [idOf(ids + 2), idOf(ids + 4)], 0);
  await append('thing-999', 0, 'ThingMade', { owner: '1' });
  await append('thing-999', 1, 'ThingCounted', { by: 30 });
  await append('thing-999', 2, 'ThingCounted', { by: 4 });
  const last = await append('thing-999', 3, 'ThingCounted', { by: 50 });
  await expect.poll(async () => (await following.status()).reactions.checkpoint).toBe(last);
  await following.stop();
  expect([...jobs.added.values()].map(({ data }) => data)).toEqual([
    { by: 4, correlationId: expect.any(String) },
  ]);
});

it('a model that moves on with the log while somebody looks has not come beyond its end', async () => {
  const { signal } = new AbortController();
  const follow = (position: Position) =>
    catchUp({ eventStore, documents, projection: shop, logger: quiet, signal }, position);
  await follow(await append('owner-1', 0, 'OwnerNamed', { name: 'Ada' }));
  const get = documents.get.bind(documents);
  const looked = vi.spyOn(documents, 'get').mockImplementationOnce(async (...place) => {
    await follow(await append('owner-2', 0, 'OwnerNamed', { name: 'Bisi' }));
    return get(...place);
  });
  const status = await storedStatus({ eventStore, documents, state }, [shop], systemClock.now());
  expect(looked).toHaveBeenCalled();
  expect(status).toMatchObject([{ role: 'live', aheadOfLog: false }]);
});

it('the end of the log is read once, however many read models are looked at', async () => {
  const { signal } = new AbortController();
  const last = await append('owner-1', 0, 'OwnerNamed', { name: 'Ada' });
  await catchUp({ eventStore, documents, projection: shop, logger: quiet, signal }, last);
  const head = vi.spyOn(eventStore, 'head');
  const status = await storedStatus({ eventStore, documents, state }, [shop, shop], Date.now());
  expect(status).toHaveLength(2);
  expect(head).toHaveBeenCalledOnce();
});
