import { type Documents, POINTERS, type SubscribeOptions } from '@oja/platform';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  checkpointOf,
  dropVersion,
  otherVersions,
  pointerOf,
  releaseStream,
  removeOldGenerations,
  rollback,
  runRebuild,
  switchTo,
} from '../src/index.js';
import { createGenerationSupervisor, supervise } from '../src/runner/generation-supervisor.js';
import { deferred } from './support/deferred.js';
import { MemoryDocuments } from './support/documents.js';
import { contents, dieAfter, follow, rebuilt } from './support/follow.js';
import { interleave, picks } from './support/interleave.js';
import { MemoryLog, positionAt } from './support/log.js';
import { owner, quiet, recorded, shop, thing } from './support/shop.js';

const name = fc.string({ maxLength: 4 });
const streams = fc
  .tuple(
    fc.array(fc.array(name, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
    fc.array(fc.tuple(fc.nat({ max: 3 }), fc.array(fc.nat({ max: 9 }), { maxLength: 6 })), {
      maxLength: 6,
    }),
  )
  .map(([owners, things]) => [
    ...owners.map((names, i) => owner(i, names)),
    ...things.map(([of, counts], i) => thing(i, of, counts)),
    [recorded('other-1', 0, 'SomethingElse', {})],
  ]);

/** A rebuild that is killed when it reads on after so many events of the log. */
function killedRebuild(log: MemoryLog, documents: MemoryDocuments, events: number) {
  const killed = new AbortController();
  async function* subscribe(options: SubscribeOptions) {
    for await (const item of log.subscribe(options)) {
      if (item.kind === 'event' && item.event.position > positionAt(events)) killed.abort();
      yield item;
    }
  }
  return runRebuild({
    eventStore: Object.assign(Object.create(log), { subscribe }),
    documents,
    projection: shop,
    logger: quiet,
    signal: killed.signal,
    batchSize: 2,
  });
}

describe('a projection', () => {
  it('makes the same documents whatever the batches, the kills and the order of streams', async () => {
    const batchSize = fc.integer({ min: 1, max: 500 });
    const kills = fc.array(fc.nat({ max: 6 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(
        streams,
        picks,
        picks,
        batchSize,
        kills,
        async (lists, one, other, size, deaths) => {
          const log = new MemoryLog();
          log.record(interleave(lists, one));
          const documents = new MemoryDocuments();
          for (const commits of deaths) {
            await dieAfter(log, documents, shop, commits, size);
          }
          await follow(log, documents, shop, { batchSize: size });
          expect(contents(documents, shop)).toEqual(await rebuilt(log));

          const otherwise = new MemoryLog();
          otherwise.record(interleave(lists, other));
          expect(contents(documents, shop)).toEqual(await rebuilt(otherwise));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('drops its batch when another projector has moved the checkpoint', async () => {
    const log = new MemoryLog();
    log.record([...owner(0, ['a', 'b', 'c']), ...thing(0, 0, [1, 2, 3, 4, 5, 6, 7, 8])]);
    const documents = new MemoryDocuments();
    await Promise.all([
      follow(log, documents, shop, { batchSize: 2 }),
      follow(log, documents, shop, { batchSize: 3 }),
    ]);
    expect(contents(documents, shop)).toEqual(await rebuilt(log));
  });

  it('works a batch out while the one before is committed, and again where that fails', async () => {
    const log = new MemoryLog();
    log.record(thing(0, 0, [1, 2, 3, 4, 5, 6, 7]));
    const documents = new MemoryDocuments();
    const held = deferred();
    let projected = 0;
    const counted = {
      ...shop,
      project(...of: Parameters<typeof shop.project>) {
        projected += 1;
        return shop.project(...of);
      },
    };
    const following = follow(log, documents, counted, { batchSize: 2 });
    documents.beforeCommit = async () => {
      if (projected < 2) return;
      await held.promise;
      documents.beforeCommit = async () => {};
      throw new Error('the disk was away');
    };
    await expect.poll(() => projected).toBe(4);
    held.resolve();
    await following;
    expect(contents(documents, shop)).toEqual(await rebuilt(log));
    expect(projected).toBe(4 + log.events.length);
  });

  it('parks the stream of an event it cannot read, and only that one', async () => {
    const log = new MemoryLog();
    log.record([
      ...thing(0, 0, [1]),
      recorded('thing-0', 2, 'ThingCounted', { by: 'many' }),
      recorded('thing-0', 3, 'ThingCounted', { by: 5 }),
      ...thing(1, 0, [2]),
    ]);
    const documents = new MemoryDocuments();
    await follow(log, documents, shop, { batchSize: 2 });
    const { things } = contents(documents, shop);
    expect(things?.['0']).toContain('"count":1');
    expect(things?.['1']).toContain('"count":2');
    expect(await documents.get('quarantine', 'shop_v1_g1/thing-0')).toMatchObject({
      stream: 'thing-0',
      revision: 2,
      position: positionAt(3),
      events: 2,
      error: 'a malformed ThingCounted',
    });
  });

  it('lets a parked stream go once its event is passed over', async () => {
    const log = new MemoryLog();
    log.record([
      ...thing(0, 0, [1]),
      recorded('thing-0', 2, 'ThingCounted', { by: 'many' }),
      recorded('thing-0', 3, 'ThingCounted', { by: 5 }),
      ...thing(1, 0, [2]),
    ]);
    const documents = new MemoryDocuments();
    await follow(log, documents, shop, { batchSize: 500 });
    const parked = {
      eventStore: log,
      documents,
      projection: shop,
      generation: 1,
      stream: 'thing-0',
    };
    expect(await releaseStream(parked)).toMatchObject({ ok: false, reason: 'poisoned' });
    expect(await releaseStream({ ...parked, skip: [2] })).toEqual({ ok: true, events: 1 });
    expect(await releaseStream(parked)).toEqual({ ok: false, reason: 'not-parked' });
    log.record([recorded('thing-0', 4, 'ThingCounted', { by: 1 })]);
    await follow(log, documents, shop, { batchSize: 500 });
    expect(contents(documents, shop).things?.['0']).toContain('"count":7');
  });

  /** A projector that finds the restored log builds this generation, and feeds no other. */
  async function isBuiltAnew(restored: MemoryLog, documents: MemoryDocuments, generation: number) {
    const stop = deferred();
    const running = follow(restored, documents, shop, {
      batchSize: 500,
      until: stop.promise,
      only: true,
    });
    await expect
      .poll(async () => (await pointerOf(documents, shop))?.fed, { timeout: 10_000 })
      .toEqual([generation]);
    stop.resolve();
    await running;
    expect(contents(documents, shop, generation)).toEqual(await rebuilt(restored));
  }

  it('begins anew when the log was restored and ends before the checkpoint', async () => {
    const before = new MemoryLog();
    before.record([...owner(0, ['a', 'b', 'c']), ...thing(0, 0, [1, 2, 3])]);
    const documents = new MemoryDocuments();
    await follow(before, documents, shop, { batchSize: 500 });
    const restored = new MemoryLog();
    restored.record([...owner(0, ['a']), ...thing(0, 0, [1])]);
    await isBuiltAnew(restored, documents, 2);
    expect(await documents.get('pointers', 'shop_v1')).toMatchObject({ live: 2 });
  });

  it('begins anew when the log was restored, also beside a rebuild that had read what is gone', async () => {
    const before = new MemoryLog();
    before.record([...owner(0, ['a', 'b', 'c']), ...thing(0, 0, [1, 2, 3])]);
    const documents = new MemoryDocuments();
    await follow(before, documents, shop, { batchSize: 500 });
    expect(await killedRebuild(before, documents, 6)).toMatchObject({ generation: 2 });
    const restored = new MemoryLog();
    restored.record([...owner(0, ['a']), ...thing(0, 0, [1])]);
    await isBuiltAnew(restored, documents, 3);
  });
});

it('says what event keeps a model of a restored log from being built anew', async () => {
  const before = new MemoryLog();
  before.record([...owner(0, ['a', 'b', 'c']), ...thing(0, 0, [1, 2, 3])]);
  const documents = new MemoryDocuments();
  await follow(before, documents, shop, { batchSize: 500 });
  const restored = new MemoryLog();
  restored.record([...thing(0, 0, [1]), recorded('thing-0', 2, 'ThingCounted', {})]);
  const error = vi.fn();
  const supervisor = createGenerationSupervisor({
    eventStore: restored,
    documents,
    projection: shop,
    logger: { ...quiet, error },
  });
  await supervisor.begin();
  const stop = new AbortController();
  const running = supervise([supervisor], { documents, logger: quiet }, stop.signal);
  const told = {
    model: 'shop_v1_g2',
    position: positionAt(3),
    type: 'ThingCounted',
    stream: 'thing-0',
    error: 'a malformed ThingCounted',
  };
  await expect
    .poll(() => error.mock.calls)
    .toContainEqual([told, 'a projection stopped at an event']);
  expect(supervisor.fed()).toMatchObject([{ generation: 1, stopped: told.error }]);
  stop.abort();
  await running;
});

it('asks in one query what all models feed, and tells an outage once', async () => {
  const documents = new MemoryDocuments();
  const models = [shop, { ...shop, name: 'store' }].map((projection) =>
    createGenerationSupervisor({
      eventStore: new MemoryLog(),
      documents,
      projection,
      logger: quiet,
    }),
  );
  for (const model of models) await model.begin();
  const asked = vi.spyOn(documents, 'getMany').mockRejectedValueOnce(new Error('away'));
  const warn = vi.fn();
  const stop = new AbortController();
  const running = supervise(models, { documents, logger: { ...quiet, warn } }, stop.signal);
  await expect.poll(() => models.every((model) => model.fed().length > 0)).toBe(true);
  stop.abort();
  await running;
  const pointers = asked.mock.calls.filter(([collection]) => collection === POINTERS);
  for (const [, ids] of pointers) expect(ids).toEqual(['shop_v1', 'store_v1']);
  expect(warn).toHaveBeenCalledOnce();
});

describe('a rebuild', () => {
  const rebuild = (eventStore: MemoryLog, documents: MemoryDocuments, batchSize = 2) =>
    runRebuild({
      eventStore,
      documents,
      projection: shop,
      logger: quiet,
      signal: new AbortController().signal,
      batchSize,
    });

  it('builds the next generation beside the live one, switches, goes back and cleans up', async () => {
    const log = new MemoryLog();
    log.record([...owner(0, ['a', 'b']), ...thing(0, 0, [1, 2, 3])]);
    const documents = new MemoryDocuments();
    await follow(log, documents, shop, { batchSize: 500 });
    expect(await rebuild(log, documents)).toEqual({ ok: true, generation: 2 });
    expect((await pointerOf(documents, shop))?.live).toBe(1);
    expect(await switchTo(documents, shop, 2)).toEqual({ ok: true, from: 1, to: 2 });
    expect(contents(documents, shop, 2)).toEqual(contents(documents, shop, 1));
    expect(await rollback(documents, shop)).toEqual({ ok: true, from: 2, to: 1 });
    expect((await removeOldGenerations(documents, shop, 0)).generations).toEqual([2]);
    expect((await documents.collections()).filter((c) => c.includes('_g2_'))).toEqual([]);
    expect(await switchTo(documents, shop, 2)).toEqual({ ok: false, reason: 'not-fed' });
  });

  it('leaves nothing of a version that no code knows any more, and all of the others', async () => {
    const log = new MemoryLog();
    log.record([...owner(0, ['a', 'b']), ...thing(0, 0, [1, 2, 3])]);
    const documents = new MemoryDocuments();
    const later = { ...shop, version: 12 };
    const namesake = { ...shop, name: 'shop_very' };
    for (const version of [shop, later, namesake])
      await follow(log, documents, version, { batchSize: 500 });
    await rebuild(log, documents);
    expect(await otherVersions(documents, later)).toEqual([{ name: 'shop', version: 1 }]);
    await dropVersion(documents, { name: 'shop', version: 1 }, 0);
    expect(await otherVersions(documents, later)).toEqual([]);
    expect(
      (await documents.collections()).filter((name) => /^shop_v1_g\d+_(owners|things)/.test(name)),
    ).toEqual([]);
    expect(await documents.get('pointers', 'shop_v1')).toBeNull();
    expect(await documents.get('checkpoints', 'shop_v1_g2')).toBeNull();
    expect(contents(documents, later)).toEqual(contents(documents, namesake));
    expect((await pointerOf(documents, later))?.live).toBe(1);
  });

  it('is not switched to while it stands behind the live one', async () => {
    const log = new MemoryLog();
    log.record(owner(0, ['a']));
    const documents = new MemoryDocuments();
    await follow(log, documents, shop, { batchSize: 500 });
    await rebuild(log, documents);
    log.record(thing(0, 0, [1]));
    const pointer = await pointerOf(documents, shop);
    if (pointer === null) throw new Error('no pointer');
    await documents.commit([
      {
        type: 'put',
        collection: 'pointers',
        id: 'shop_v1',
        document: { ...pointer, fed: [1] },
      },
    ]);
    await follow(log, documents, shop, { batchSize: 500 });
    await documents.commit([
      { type: 'put', collection: 'pointers', id: 'shop_v1', document: pointer },
    ]);
    expect(await switchTo(documents, shop, 2)).toEqual({ ok: false, reason: 'behind' });
  });

  it('stops at poison and leaves the live one alone', async () => {
    const log = new MemoryLog();
    log.record([...thing(0, 0, [1]), recorded('thing-0', 2, 'ThingCounted', {})]);
    const documents = new MemoryDocuments();
    await follow(log, documents, shop, { batchSize: 500 });
    expect(await rebuild(log, documents)).toMatchObject({ ok: false, reason: 'poisoned' });
    expect(await pointerOf(documents, shop)).toMatchObject({ live: 1, fed: [1], building: 2 });
  });

  it('is lost, and not fed, when it is cleaned away while its last indexes are made', async () => {
    const log = new MemoryLog();
    log.record([...owner(0, ['a', 'b']), ...thing(0, 0, [1, 2, 3])]);
    const documents = new MemoryDocuments();
    await follow(log, documents, shop, { batchSize: 500 });
    const ensure = documents.ensure.bind(documents);
    documents.ensure = async (...[collections, options]: Parameters<Documents['ensure']>) => {
      await ensure(collections);
      if (options?.loading !== undefined || collections[0]?.name !== 'shop_v1_g2_owners') return;
      expect((await removeOldGenerations(documents, shop, 0)).generations).toEqual([2]);
    };
    expect(await rebuild(log, documents)).toEqual({ ok: false, reason: 'lost', generation: 2 });
    expect(await pointerOf(documents, shop)).toMatchObject({ live: 1, fed: [1], building: null });
  });

  it('goes on where a killed one stopped', async () => {
    const log = new MemoryLog();
    log.record([...owner(0, ['a', 'b']), ...thing(0, 0, [1, 2, 3, 4, 5])]);
    const documents = new MemoryDocuments();
    await follow(log, documents, shop, { batchSize: 500 });
    const killed = await killedRebuild(log, documents, 4);
    expect(killed).toEqual({ ok: false, reason: 'aborted', generation: 2 });
    expect((await checkpointOf(documents, shop, 2))?.position).toBe(positionAt(2));
    expect(await rebuild(log, documents)).toEqual({ ok: true, generation: 2 });
    expect(contents(documents, shop, 2)).toEqual(contents(documents, shop, 1));
  });
});
