import { type Position, positionOf } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { anEvent, idsOf, listed, someEvents, wholeLog } from './eventstore.events.js';
import { freshLog, type MakeEventStore } from './eventstore.fixture.js';

const beyondEverything = '9'.repeat(20) as Position;

export function reading(make: MakeEventStore): void {
  describe('reading', () => {
    const log = freshLog(make);

    it('finds nothing in an empty log', async () => {
      const store = await log.open();
      expect(await store.head()).toBeNull();
      expect(await wholeLog(store)).toEqual([]);
      expect(await listed(store.readStream('note-1'))).toEqual([]);
    });

    it('reads a stream from a revision on, which is included', async () => {
      const store = await log.open();
      const events = someEvents(5);
      await store.append('note-1', 'no-stream', events);
      await store.append('note-2', 'no-stream', someEvents(2));
      const read = await listed(store.readStream('note-1', { from: 3 }));
      expect(read.map(({ revision }) => revision)).toEqual([3, 4]);
      expect(idsOf(read)).toEqual(idsOf(events.slice(3)));
      expect(read.every(({ stream }) => stream === 'note-1')).toBe(true);
      expect(await listed(store.readStream('note-1', { from: 5 }))).toEqual([]);
      expect(await listed(store.readStream('note-1', { from: 1_000 }))).toEqual([]);
    });

    it('reads the log after a position, which is excluded, as far as the limit', async () => {
      const store = await log.open();
      for (let i = 0; i < 6; i += 1) await store.append(`note-${i}`, 'no-stream', someEvents(1));
      const all = await wholeLog(store);
      const after = all[1]?.position ?? null;
      expect(await listed(store.readAll({ after, limit: 3 }))).toEqual(all.slice(2, 5));
      expect(await listed(store.readAll({ after: all[5]?.position ?? null }))).toEqual([]);
      expect(await listed(store.readAll({ after: beyondEverything }))).toEqual([]);
    });

    it('reads the log after a number that no event stands at', async () => {
      const store = await log.open();
      for (let i = 0; i < 6; i += 1) await store.append(`note-${i}`, 'no-stream', someEvents(1));
      const all = await wholeLog(store);
      const place = BigInt(all[2]?.position ?? 1);
      for (const after of [place - 1n, place + 1n].map(positionOf))
        expect(await listed(store.readAll({ after }))).toEqual(
          all.filter(({ position }) => position > after),
        );
    });

    it('reads the last events of the log, in their order', async () => {
      const store = await log.open();
      expect(await store.readLast(3)).toEqual([]);
      for (let i = 0; i < 6; i += 1) await store.append(`note-${i}`, 'no-stream', someEvents(1));
      const all = await wholeLog(store);
      expect(await store.readLast(3)).toEqual(all.slice(-3));
      expect(await store.readLast(100)).toEqual(all);
      expect(await store.readLast(0)).toEqual([]);
    });

    it('reads a log of many pages and heavy events whole and in order', async () => {
      const store = await log.open();
      const light = someEvents(1_300);
      await store.append('note-1', 'no-stream', light);
      const heavy = Array.from({ length: 4 }, () => anEvent({ text: 'x'.repeat(900_000) }));
      for (const [index, event] of heavy.entries()) {
        await store.append('note-2', index === 0 ? 'no-stream' : index - 1, [event]);
      }
      expect(idsOf(await wholeLog(store))).toEqual(idsOf([...light, ...heavy]));
      expect(idsOf(await listed(store.readStream('note-1')))).toEqual(idsOf(light));
      expect(idsOf(await listed(store.readStream('note-2')))).toEqual(idsOf(heavy));
    });

    it('has everything after a restart, and goes by the same name', async () => {
      const before = await log.open();
      await before.append('note-1', 'no-stream', someEvents(3));
      const name = await before.logId();
      const events = await wholeLog(before);
      await before.close();
      const after = await log.open();
      expect(await after.logId()).toBe(name);
      expect(await wholeLog(after)).toEqual(events);
      expect(await after.append('note-1', 2, someEvents(1))).toMatchObject({ revision: 3 });
    });
  });
}
