import { join } from 'node:path';
import { createEmbeddedEventStore } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { startChild } from './children.js';
import { runContract } from './engines.js';
import { someEvents, wholeLog } from './eventstore.events.js';
import { type EventStoreFixture, freshLog } from './eventstore.fixture.js';
import { eventStoreContract } from './eventstore.js';
import { temporaryFolder } from './folders.js';

/** Room for some events of 4 kB, and not for a hundred. */
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

const url = process.env.EVENTSTORE_URL;

runContract('EventStore', eventStoreContract, [
  { name: 'SQLite', make: embedded },
  {
    name: 'EventStoreDB',
    missing: url ? 'there is no adapter for it yet' : 'EVENTSTORE_URL is not set',
  },
]);

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
