import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createEmbeddedEventStore, createEventStoreDb } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { ownLog } from './children/ownLog.mjs';
import { startChild } from './children.js';
import { runContract } from './engines.js';
import { someEvents, wholeLog } from './eventstore.events.js';
import { type EventStoreFixture, freshLog } from './eventstore.fixture.js';
import { eventStoreContract } from './eventstore.js';
import { amongStrangers } from './eventstore.strangers.js';
import { temporaryFolder } from './folders.js';

/** Pages for some events of 4 kB, but not for a hundred of them. */
const fewPages = 60;

async function embedded(): Promise<EventStoreFixture> {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'log');
  return {
    open: () => createEmbeddedEventStore({ file }),
    openOnSmallDisk: () => createEmbeddedEventStore({ file, maxPages: fewPages }),
    address: JSON.stringify({ embedded: { file } }),
    remove: folder.remove,
  };
}

/** A part of the server's log that begins at its present end. */
async function onServer(url: string): Promise<EventStoreFixture> {
  const server = await createEventStoreDb({ url });
  const part = { prefix: `test${randomUUID()}-`, after: await server.head() };
  await server.close();
  return {
    open: async () => ownLog(await createEventStoreDb({ url }), part),
    address: JSON.stringify({ server: { url, ...part } }),
    // The appended events stay, because a log deletes nothing.
    remove: async () => undefined,
  };
}

const url = process.env.EVENTSTORE_URL;

runContract('EventStore', eventStoreContract, [
  { name: 'SQLite', make: embedded },
  url
    ? { name: 'EventStoreDB', make: () => onServer(url) }
    : { name: 'EventStoreDB', missing: 'EVENTSTORE_URL is not set' },
]);

if (url) amongStrangers(url, () => onServer(url));

describe('The log in a SQLite file', () => {
  const log = freshLog(embedded);

  it('forgets a transaction whose process is killed between begin and commit', async () => {
    const store = await log.open();
    await store.append('note-1', 'no-stream', someEvents(3));
    const before = await wholeLog(store);
    const child = startChild('beginner.mjs', log.fixture().address);
    expect(await child.nextLine()).toBe('begun');
    const blocked = store.append('note-1', 2, someEvents(1));
    expect(await wholeLog(store)).toEqual(before);
    await child.killHard();
    expect(await blocked).toMatchObject({ ok: true, revision: 3 });
    expect((await wholeLog(store)).map(({ stream }) => stream)).toEqual(Array(4).fill('note-1'));
  });
});
