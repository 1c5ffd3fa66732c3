import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@oja/platform';
import { expect, it, vi } from 'vitest';
import {
  createCleanCopy,
  recordOperation,
  releaseStream,
  repair,
  runRebuild,
} from '../src/index.js';
import { createQuarantines } from '../src/operations/records.js';
import { readParkedStreams } from '../src/runner/quarantine.js';
import { MemoryDocuments } from './support/documents.js';
import { contents, follow } from './support/follow.js';
import { MemoryLog } from './support/log.js';
import { quiet, recorded, shop } from './support/shop.js';

const STREAM = 'thing-0';
const counted = (revision: number, by: unknown) =>
  recorded(STREAM, revision, 'ThingCounted', { by: by as number });

/** A log with an unreadable event, and a read model that has quarantined its stream. */
async function parkedShop() {
  const eventStore = new MemoryLog();
  eventStore.record([
    recorded('owner-0', 0, 'OwnerNamed', { name: 'Ada' }),
    recorded(STREAM, 0, 'ThingMade', { owner: '0' }),
    counted(1, 1),
    counted(2, 'many'),
    counted(3, 10),
    counted(4, 100),
  ]);
  const documents = new MemoryDocuments();
  await follow(eventStore, documents, shop, { batchSize: 500 });
  const rebuild = () =>
    runRebuild({
      eventStore,
      documents,
      projection: shop,
      logger: quiet,
      signal: new AbortController().signal,
    });
  /** Does what `oja quarantine skip` does; with `dies`, it is killed between its two steps. */
  const skip = (revisions: readonly number[], dies = false) =>
    releaseStream({
      eventStore,
      documents,
      projection: shop,
      generation: 1,
      stream: STREAM,
      skip: revisions,
      async decided() {
        const at = '2026-03-01T08:00:00.000Z';
        const data = {
          projection: 'shop',
          stream: STREAM,
          how: 'skip' as const,
          reason: 'a faulty release',
          at,
          skipped: [...revisions],
        };
        await recordOperation(
          { eventStore, clock: systemClock },
          { type: 'StreamReleased', data },
          { actor: 'operator', commandId: 'c0a80101-0000-7000-8000-000000000001' },
        );
        if (dies) throw new Error('killed');
      },
    });
  return { eventStore, documents, rebuild, skip };
}

it('passes over the same events in every rebuild, readable ones among them', async () => {
  const { eventStore, documents, rebuild, skip } = await parkedShop();
  expect(await rebuild()).toMatchObject({ ok: false, reason: 'poisoned' });
  expect(await skip([2, 3])).toEqual({ ok: true, events: 1 });
  expect(contents(documents, shop).things?.['0']).toContain('"count":101');
  expect(await rebuild()).toEqual({ ok: true, generation: 2 });
  expect(contents(documents, shop, 2)).toEqual(contents(documents, shop));

  const signal = new AbortController().signal;
  const copy = await createCleanCopy({ eventStore, projection: shop, signal });
  await copy.advance(await eventStore.head());
  expect(await copy.documents.get(copy.physical('things'), '0')).toMatchObject({ count: 101 });
  expect(copy.parked()).toEqual([]);
  await copy.close();
});

it('knows what was decided by a command that was killed before the stream was let go', async () => {
  const { documents, rebuild, skip } = await parkedShop();
  await expect(skip([2], true)).rejects.toThrow('killed');
  expect((await readParkedStreams(documents, 'shop_v1_g1')).parked.size).toBe(1);
  expect(await rebuild()).toMatchObject({ ok: true });
  expect(await skip([2])).toEqual({ ok: true, events: 2 });
  expect(contents(documents, shop, 2)).toEqual(contents(documents, shop));
});

it('says since when a stream is parked, and not how old its event is', async () => {
  const began = Date.now();
  const { documents } = await parkedShop();
  const { parked } = await readParkedStreams(documents, 'shop_v1_g1');
  for (const { since } of parked.values()) expect(Date.parse(since)).toBeGreaterThanOrEqual(began);
  expect(parked.size).toBe(1);
});

it('records what is parked once, however many projectors look and however often', async () => {
  const { eventStore, documents } = await parkedShop();
  const parked = [...(await readParkedStreams(documents, 'shop_v1_g1')).parked.values()];
  const now = [{ projection: 'shop', version: 1, parked }];
  const stores = { eventStore, clock: systemClock };
  const one = createQuarantines(stores);
  await Promise.all([one.record(now), createQuarantines(stores).record(now)]);
  await one.record(now);
  const told = eventStore.events.filter(({ stream }) => stream === 'operations');
  expect(told).toMatchObject([
    {
      type: 'StreamQuarantined',
      data: { projection: 'shop', stream: STREAM, reason: 'a malformed ThingCounted' },
      metadata: { actor: 'projector' },
    },
  ]);
});

it('repairs no stream while another waits that the code can project by now: it would count twice', async () => {
  const { eventStore, documents } = await parkedShop();
  eventStore.record([recorded('owner-0', 1, 'OwnerNamed', { name: 'Ada Obi' })]);
  const mended: typeof shop = {
    ...shop,
    parse: (type, data) => shop.parse(type, data.by === 'many' ? { ...data, by: 1_000 } : data),
  };
  await follow(eventStore, documents, mended, { batchSize: 500 });
  expect((await readParkedStreams(documents, 'shop_v1_g1')).parked.size).toBe(1);
  const repaired = async () => {
    const signal = new AbortController().signal;
    const options = { eventStore, projection: mended, signal, trace: 'owner-0' };
    const copy = await createCleanCopy(options);
    const result = await repair(documents, mended, 1, copy);
    await copy.close();
    return result;
  };
  const before = contents(documents, shop);
  expect(await repaired()).toEqual({ ok: false, reason: 'parked', streams: [STREAM] });
  expect(contents(documents, shop)).toEqual(before);

  const retried = { eventStore, documents, projection: mended, generation: 1, stream: STREAM };
  expect(await releaseStream({ ...retried, skip: [], decided: async () => {} })).toMatchObject({
    ok: true,
  });
  expect(contents(documents, shop).things?.['0']).toContain('"count":1111');
  expect(await repaired()).toEqual({ ok: true, repaired: [] });
});

it('repairs a stream while another waits for an event that nobody can project yet', async () => {
  const { eventStore, documents } = await parkedShop();
  const signal = new AbortController().signal;
  const copy = await createCleanCopy({ eventStore, projection: shop, signal, trace: 'owner-0' });
  expect(await repair(documents, shop, 1, copy)).toEqual({ ok: true, repaired: [] });
  await copy.close();
});

it('leaves no folder of a clean copy that could not be begun', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'oja-projector-'));
  vi.stubEnv('TMPDIR', folder);
  const eventStore = new MemoryLog();
  vi.spyOn(eventStore, 'readStream').mockImplementation(() => {
    throw new Error('the log is away');
  });
  const signal = new AbortController().signal;
  const copy = createCleanCopy({ eventStore, projection: shop, signal });
  await expect(copy).rejects.toThrow('the log is away');
  expect(readdirSync(folder)).toEqual([]);
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});
