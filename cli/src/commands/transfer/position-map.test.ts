import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  createEmbeddedEventStore,
  createEmbeddedState,
  type EventStore,
  type JsonObject,
  type Position,
  type State,
  systemClock,
} from '@oja/platform';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventsIn, exportLog } from './export.js';
import { importLog } from './import.js';
import { openSource } from './source.js';

let folder: string;
let source: EventStore;
let target: EventStore;
let state: State;
const { signal } = new AbortController();

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'oja-places-'));
  source = await createEmbeddedEventStore({ file: join(folder, 'source') });
  target = await createEmbeddedEventStore({ file: join(folder, 'target') });
  state = await createEmbeddedState({ file: join(folder, 'state') });
});
afterEach(async () => {
  await Promise.all([source.close(), target.close(), state.close()]);
  rmSync(folder, { recursive: true });
});

async function happened(
  log: EventStore,
  stream: string,
  revision: number,
  type: string,
  data: JsonObject = {},
): Promise<Position> {
  const metadata = {
    actor: 'test',
    commandId: randomUUID(),
    correlationId: 'test',
    causationId: 'test',
    time: '2026-01-01T00:00:00.000Z',
    schemaVersion: 1,
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  };
  const expected = revision === 0 ? 'no-stream' : revision - 1;
  const appended = await log.append(stream, expected, [{ id: randomUUID(), type, data, metadata }]);
  if (!appended.ok) throw new Error('it was not appended');
  return appended.position;
}

async function moved(eventStore: EventStore = target): Promise<void> {
  const file = join(folder, `${randomUUID()}.ndjson`);
  const from = {
    config: { dataDir: folder },
    engines: { eventStore: source },
    clock: systemClock,
    logId: await source.logId(),
  };
  await exportLog(from, file, signal, () => {});
  const read = await openSource(file, signal);
  const importing = { events: () => eventsIn(read), suppressesLetter: () => true, isClosed: false };
  const into = { engines: { eventStore, state }, clock: systemClock };
  await importLog(into, importing, signal, () => {});
}

it('clears in the new log what was cleared in the old one, and nothing that came after', async () => {
  await happened(source, 'transaction-a', 0, 'PaymentVerified');
  const upTo = await happened(source, 'transaction-b', 0, 'PaymentVerified');
  await happened(source, 'transaction-c', 0, 'PaymentVerified');
  await happened(source, 'inbox-s', 0, 'NotificationsCleared', { sellerId: 's', upTo });
  // The new log has events already, so that every position in it differs from the old one.
  for (let n = 0; n < 7; n += 1) await happened(target, 'operations', n, 'SubjectErased');
  await moved();
  const places = new Map<string, Position>();
  let cleared: unknown = null;
  for await (const { stream, position, data } of target.readAll({ after: null })) {
    places.set(stream, position);
    if (stream === 'inbox-s') cleared = data.upTo;
  }
  expect(cleared).toBe(places.get('transaction-b'));
  await moved();
});

it('brings the events of one stream in one after the other, however many ways in there are', async () => {
  for (const stream of ['product-a', 'product-b'])
    for (let revision = 0; revision < 20; revision += 1)
      await happened(source, stream, revision, 'ProductUpdated');
  // An engine that is slow with the first event of a stream, so that later appends could overtake it.
  const slow: EventStore = {
    ...target,
    async append(stream, expected, events) {
      if (expected === 'no-stream') await nextTurn();
      return target.append(stream, expected, events);
    },
  };
  await moved(slow);
  let revisions = 0;
  for await (const { revision } of target.readStream('product-a'))
    expect(revision).toBe(revisions++);
  expect(revisions).toBe(20);
});
