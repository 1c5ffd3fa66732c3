import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  createEmbeddedDocuments,
  createEmbeddedEventStore,
  type Documents,
  type EventStore,
  files,
  type JsonObject,
} from '@oja/platform';
import { expect } from 'vitest';

/** A market's files, opened beside the market as the command line does. */
export interface Opened {
  readonly documents: Documents;
  readonly eventStore: EventStore;
  close(): Promise<void>;
}

export async function openFiles(dataDir: string): Promise<Opened> {
  const documents = await createEmbeddedDocuments({ file: join(dataDir, files.documents) });
  const eventStore = await createEmbeddedEventStore({ file: join(dataDir, files.log) });
  return {
    documents,
    eventStore,
    async close() {
      await Promise.all([documents.close(), eventStore.close()]);
    },
  };
}

const unruled = (type: string, data: JsonObject) => {
  const id = randomUUID();
  const caused = { commandId: id, correlationId: id, causationId: id };
  const time = new Date().toISOString();
  return { id, type, data, metadata: { actor: 'test', ...caused, time, schemaVersion: 1 } };
};

/** Appends what no rule of the market would have let through, as the event of this revision. */
export async function appendUnruled(
  log: EventStore,
  stream: string,
  revision: number,
  type: string,
  data: JsonObject,
): Promise<void> {
  const expected = revision === 0 ? 'no-stream' : revision - 1;
  const result = await log.append(stream, expected, [unruled(type, data)]);
  expect(result).toMatchObject({ ok: true });
}

/** Appends to an order, all at once, what may have happened to it: now, if the data have no `at`. */
export async function appendToOrder(
  dataDir: string,
  transactionId: string,
  ...events: readonly (readonly [type: string, data: JsonObject])[]
): Promise<void> {
  const { eventStore, close } = await openFiles(dataDir);
  const stream = `transaction-${transactionId}`;
  let revision = -1;
  for await (const event of eventStore.readStream(stream)) revision = event.revision;
  const at = new Date().toISOString();
  const happened = events.map(([type, data]) => unruled(type, { transactionId, at, ...data }));
  expect(await eventStore.append(stream, revision, happened)).toMatchObject({ ok: true });
  await close();
}
