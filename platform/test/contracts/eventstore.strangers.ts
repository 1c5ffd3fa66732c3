import { randomUUID } from 'node:crypto';
import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import type { Position } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { eventsIn, idsOf, listed, someEvents, takeUntil, wholeLog } from './eventstore.events.js';
import { freshLog, type MakeEventStore } from './eventstore.fixture.js';

const never = new AbortController().signal;

/** What other programs may do to a server that Oja shares with them. */
export function amongStrangers(url: string, make: MakeEventStore): void {
  describe('The log in EventStoreDB', () => {
    const log = freshLog(make);

    /** Writes directly to the server, as another program would. */
    async function asStranger(work: (client: EventStoreDBClient) => Promise<unknown>) {
      const client = EventStoreDBClient.connectionString(url);
      await work(client);
      await client.dispose();
    }

    it("passes over what is not Oja's, and its end is the last event that is", async () => {
      const store = await log.open();
      const [before, after] = [someEvents(1), someEvents(1)];
      await store.append('note-1', 'no-stream', before);
      const strange = `strange-${randomUUID()}`;
      const strangers = () =>
        asStranger(async (client) => {
          const event = () => jsonEvent({ type: 'Strange', data: { a: 1 } });
          await client.appendToStream(strange, [event(), event()], { expectedRevision: NO_STREAM });
          await client.setStreamMetadata(strange, { maxAge: 1_000 });
        });
      await strangers();
      const alone = await wholeLog(store);
      expect(await store.head()).toBe(alone.at(-1)?.position);
      expect(await store.readLast(1)).toEqual(alone);
      const second = await store.append('note-1', 0, after);
      expect(await store.head()).toBe(second.ok && second.position);
      const items = await takeUntil(
        store.subscribe({ after: null, signal: never }),
        ({ kind }) => kind === 'caught-up',
      );
      expect(idsOf(eventsIn(items))).toEqual(idsOf([...before, ...after]));
      expect(items.map(({ kind }) => kind)).toEqual(['event', 'event', 'caught-up']);
    });

    it('finds its end behind more than a page of what is not its own', async () => {
      const store = await log.open();
      await store.append('note-1', 'no-stream', someEvents(3));
      const all = await wholeLog(store);
      await asStranger((client) =>
        client.appendToStream(
          `strange-${randomUUID()}`,
          Array.from({ length: 200 }, () => jsonEvent({ type: 'Strange', data: {} })),
          { expectedRevision: NO_STREAM },
        ),
      );
      expect(await store.readLast(2)).toEqual(all.slice(-2));
      const another = await log.open();
      expect(await another.head()).toBe(all.at(-1)?.position);
    });

    it('does not read on in a stream of its own that a stranger has written to', async () => {
      const store = await log.open();
      await store.append('note-1', 'no-stream', someEvents(1));
      const part: { server: { prefix: string } } = JSON.parse(log.fixture().address);
      await asStranger((client) =>
        client.appendToStream(
          `${part.server.prefix}note-1`,
          jsonEvent({ type: 'Noted', data: {} }),
          { expectedRevision: 0n },
        ),
      );
      await expect(listed(store.readStream('note-1'))).rejects.toThrow(/has not written event 1/);
    });

    it('can be followed from a place between two events, where the server has none', async () => {
      const store = await log.open();
      const appended = await store.append('note-1', 'no-stream', someEvents(2));
      const end = appended.ok ? appended.position : null;
      const between = `${BigInt(end ?? 0) - 3n}`.padStart(20, '0') as Position;
      const items = await takeUntil(
        store.subscribe({ after: between, signal: never }),
        ({ kind }) => kind === 'caught-up',
      );
      expect(eventsIn(items).map(({ position }) => position)).toEqual([end]);
    });

    it('has one name for everybody', async () => {
      const names = await Promise.all(
        Array.from({ length: 3 }, async () => (await log.open()).logId()),
      );
      expect(new Set(names).size).toBe(1);
    });
  });
}
