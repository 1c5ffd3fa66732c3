import { type Checkpoint, hasPassed } from '@oja/platform';
import { describe, expect, it, vi } from 'vitest';
import {
  compare,
  comparedCopy,
  comparedGeneration,
  createCleanCopy,
  releaseStream,
} from '../src/index.js';
import { createGenerationSupervisor, supervise } from '../src/runner/generation-supervisor.js';
import { createWatchdog } from '../src/runner/watchdog.js';
import { deferred } from './support/deferred.js';
import { MemoryDocuments } from './support/documents.js';
import { contents, dieAfter, follow, rebuilt } from './support/follow.js';
import { MemoryLog, positionAt } from './support/log.js';
import { owner, quiet, recorded, shop, thing } from './support/shop.js';

describe('an event that changes very many documents', () => {
  const MANY = 1_000;
  /** Owner 0 has a thousand things, is renamed, and then gets one more. */
  function wideLog(): MemoryLog {
    const log = new MemoryLog();
    log.record(owner(0, ['before']));
    for (let n = 0; n < MANY; n += 1) log.record(thing(n, 0, []));
    log.record([recorded('owner-0', 1, 'OwnerNamed', { name: 'after' })]);
    log.record(thing(MANY, 0, [1]));
    return log;
  }

  it('is committed in pages, and passed only when all of them are', async () => {
    const log = wideLog();
    const renamedAt = log.events.findIndex(
      ({ revision, stream }) => stream === 'owner-0' && revision === 1,
    );
    const documents = new MemoryDocuments();
    let largest = 0;
    const commit = documents.commit.bind(documents);
    documents.commit = async (operations, guards) => {
      const outcome = await commit(operations, guards);
      const { things, owners } = contents(documents, shop);
      const renamed = Object.values(things ?? {}).filter((text) => text.includes('"after"'));
      if (renamed.length > 0 && Object.keys(things ?? {}).length <= MANY)
        largest = Math.max(largest, operations.length);
      const checkpoint = await documents.get<Checkpoint>('checkpoints', 'shop_v1_g1');
      const passed = (checkpoint?.position ?? '') >= positionAt(renamedAt + 1);
      expect(passed).toBe(owners?.['0']?.includes('"after"') ?? false);
      if (passed) expect(renamed.length).toBeGreaterThanOrEqual(MANY);
      return outcome;
    };
    // Less than the event changes, so that most of its documents are committed before the event is passed.
    await follow(log, documents, shop, { batchSize: 100 });
    expect(largest).toBeGreaterThan(0);
    expect(largest).toBeLessThanOrEqual(250);
    expect(contents(documents, shop)).toEqual(await rebuilt(log));
    expect(Object.values(contents(documents, shop).things ?? {})).toHaveLength(MANY + 1);
  });

  it('is not begun again by the watch for dead subscriptions, however long its pages take', async () => {
    const log = wideLog();
    const documents = new MemoryDocuments();
    const supervisor = createGenerationSupervisor({
      eventStore: log,
      documents,
      projection: shop,
      logger: quiet,
      batchSize: 100,
    });
    await supervisor.begin();
    const head = positionAt(log.events.length);
    const warn = vi.fn();
    const watchdog = createWatchdog({ warn });
    const round = () =>
      watchdog.check(
        head,
        supervisor.fed().map(({ worker }) => ({
          name: 'things',
          position: worker.checkpoint()?.position ?? null,
          pages: worker.pages(),
          restart: worker.restart,
        })),
      );
    // Each commit takes two rounds, and the event has five pages: more than the watch is patient for.
    documents.beforeCommit = async () => {
      round();
      round();
    };
    const stop = new AbortController();
    const running = supervise([supervisor], { documents, logger: quiet }, stop.signal);
    const passed = () =>
      supervisor.fed().some(({ worker }) => hasPassed(worker.checkpoint(), head));
    await expect.poll(passed).toBe(true);
    stop.abort();
    await running;
    expect(warn).not.toHaveBeenCalled();
    expect(contents(documents, shop)).toEqual(await rebuilt(log));
  });

  it('goes on after a kill with the documents that it has not changed yet', async () => {
    const log = wideLog();
    const documents = new MemoryDocuments();
    const renamed = () =>
      Object.values(contents(documents, shop).things ?? {}).filter((text) =>
        text.includes('"after"'),
      ).length;
    await dieAfter(log, documents, shop, 6, 500);
    const before = renamed();
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(MANY);
    let written = 0;
    const commit = documents.commit.bind(documents);
    documents.commit = async (operations, guards) => {
      written += operations.filter(({ collection }) => collection.endsWith('_things')).length;
      return commit(operations, guards);
    };
    await follow(log, documents, shop, { batchSize: 500 });
    // And the thing that was made after it.
    expect(written).toBe(MANY - before + 1);
  });

  it('is whole after kills between its pages, also where two projectors work on it', async () => {
    const log = wideLog();
    const documents = new MemoryDocuments();
    for (const commits of [4, 6, 7, 8]) await dieAfter(log, documents, shop, commits, 500);
    await Promise.all([
      follow(log, documents, shop, { batchSize: 300 }),
      follow(log, documents, shop, { batchSize: 700 }),
    ]);
    expect(contents(documents, shop)).toEqual(await rebuilt(log));
    const { things } = contents(documents, shop);
    expect(Object.values(things ?? {}).every((text) => text.includes('"after"'))).toBe(true);
  });

  it('is no difference for whoever compares the model while its pages are committed', async () => {
    const log = wideLog();
    const documents = new MemoryDocuments();
    const [between, goOn] = [deferred(), deferred()];
    const half = () =>
      Object.values(contents(documents, shop).things ?? {}).filter((t) => t.includes('"after"'))
        .length >=
      MANY / 2;
    documents.beforeCommit = async () => {
      if (!half()) return;
      between.resolve();
      await goOn.promise;
    };
    const following = follow(log, documents, shop, { batchSize: 500 });
    await between.promise;
    const { signal } = new AbortController();
    const copy = await createCleanCopy({ eventStore: log, projection: shop, signal });
    const comparing = (timeoutMs?: number) =>
      compare(shop, comparedGeneration(documents, shop, 1), comparedCopy(copy), {
        signal,
        ...(timeoutMs !== undefined && { timeoutMs }),
      });
    const kinds = new Set((await comparing(0)).differences.map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(['moving']));
    const compared = comparing();
    goOn.resolve();
    expect((await compared).differences).toEqual([]);
    await following;
    expect(await documents.get('checkpoints', 'shop_v1_g1')).not.toHaveProperty('spreading');
    await copy.close();
  });

  it('is waited for once, not for each chunk of what looks different', async () => {
    const log = wideLog();
    const documents = new MemoryDocuments();
    await dieAfter(log, documents, shop, 6, 500);
    const { signal } = new AbortController();
    const copy = await createCleanCopy({ eventStore: log, projection: shop, signal });
    const live = comparedGeneration(documents, shop, 1);
    const reads = new Map<string, number>();
    const counted = {
      ...live,
      read(collection: string, ids: readonly string[]) {
        const chunk = JSON.stringify(ids);
        reads.set(chunk, (reads.get(chunk) ?? 0) + 1);
        return live.read(collection, ids);
      },
    };
    // Long enough for two reads on a machine that does much else.
    await compare(shop, counted, comparedCopy(copy), { signal, timeoutMs: 500 });
    const [first = 0, ...others] = [...reads.values()];
    expect(first).toBeGreaterThan(1);
    expect(new Set(others)).toEqual(new Set([1]));
    await copy.close();
  });

  it('changes nothing while it waits behind a poison that came with it, nor when it is skipped', async () => {
    const log = new MemoryLog();
    log.record(owner(0, ['before']));
    for (let n = 0; n < MANY; n += 1) log.record(thing(n, 0, []));
    const documents = new MemoryDocuments();
    await follow(log, documents, shop, { batchSize: 2_000 });
    log.record([
      recorded('owner-0', 1, 'OwnerNamed', { name: 7 }),
      recorded('owner-0', 2, 'OwnerNamed', { name: 'after' }),
    ]);
    await follow(log, documents, shop, { batchSize: 2_000 });
    expect(documents.tables.get('quarantine')?.size).toBe(1);
    expect(JSON.stringify(contents(documents, shop))).not.toContain('after');
    const skipping = { eventStore: log, documents, projection: shop, generation: 1 };
    const skipped = await releaseStream({ ...skipping, stream: 'owner-0', skip: [1, 2] });
    expect(skipped).toMatchObject({ ok: true });
    await follow(log, documents, shop, { batchSize: 2_000 });
    expect(JSON.stringify(contents(documents, shop))).not.toContain('after');
  });
});
