import type { Position } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { anEvent, eventsIn, idsOf, someEvents, takeUntil, wholeLog } from './eventstore.events.js';
import { freshLog, type MakeEventStore } from './eventstore.fixture.js';

const never = new AbortController().signal;

export function subscribing(make: MakeEventStore): void {
  describe('subscribing', () => {
    const log = freshLog(make);

    it('brings what is there, says that it has caught up, and then what comes', async () => {
      const store = await log.open();
      const [a, b, c] = [someEvents(2), someEvents(1), someEvents(1)];
      await store.append('note-1', 'no-stream', a);
      const kinds: string[] = [];
      const ids: string[] = [];
      for await (const item of store.subscribe({ after: null, signal: never })) {
        kinds.push(item.kind);
        if (item.kind === 'event') ids.push(item.event.id);
        if (item.kind === 'caught-up') await store.append('note-2', 'no-stream', b);
        if (item.kind === 'event' && item.event.stream === 'note-2') {
          if (item.event.revision === 0) await store.append('note-2', 0, c);
          else break;
        }
      }
      expect(kinds).toEqual(['event', 'event', 'caught-up', 'event', 'event']);
      expect(ids).toEqual(idsOf([...a, ...b, ...c]));
    });

    it('starts after the position it is given', async () => {
      const store = await log.open();
      await store.append('note-1', 'no-stream', someEvents(3));
      const all = await wholeLog(store);
      const after = all[0]?.position ?? null;
      const items = await takeUntil(
        store.subscribe({ after, signal: never }),
        ({ kind }) => kind === 'caught-up',
      );
      expect(eventsIn(items)).toEqual(all.slice(1));
    });

    it('brings what came while nobody listened', async () => {
      const store = await log.open();
      const isCaughtUp = ({ kind }: { readonly kind: string }) => kind === 'caught-up';
      await store.append('note-1', 'no-stream', someEvents(1));
      const after = await store.head();
      await takeUntil(store.subscribe({ after, signal: never }), isCaughtUp);
      const missed = someEvents(2);
      await store.append('note-2', 'no-stream', missed);
      const items = await takeUntil(store.subscribe({ after, signal: never }), isCaughtUp);
      expect(idsOf(eventsIn(items))).toEqual(idsOf(missed));
    });

    it('says how far it has come when what it passed was not asked for', async () => {
      const store = await log.open();
      await store.append('note-1', 'no-stream', [anEvent({}, 'Wanted'), ...someEvents(5)]);
      const items = await takeUntil(
        store.subscribe({ after: null, signal: never, types: ['Wanted'] }),
        ({ kind }) => kind === 'caught-up',
      );
      expect(eventsIn(items)).toHaveLength(1);
      const checkpoints = items.flatMap((i) => (i.kind === 'checkpoint' ? [i.position] : []));
      expect(checkpoints.at(-1)).toBe(await store.head());
      expect(items.at(-1)?.kind).toBe('caught-up');
    });

    it('goes on from any place that it named, and has passed nothing by that was asked for', async () => {
      const store = await log.open();
      // First more unwanted events than an engine skips without a checkpoint, then wanted and unwanted ones.
      for (let i = 0; i < 16; i += 1) {
        await store.append(`note-${i}`, 'no-stream', someEvents(250));
        if (i < 11) continue;
        await store.append(`note-${i}`, 249, [anEvent({}, 'Wanted'), anEvent({}, 'WantedNot')]);
      }
      const types = ['Wanted', 'Other.*'];
      const catchingUp = (after: Position | null) =>
        takeUntil(
          store.subscribe({ after, signal: never, types }),
          ({ kind }) => kind === 'caught-up',
        );
      const items = await catchingUp(null);
      const wanted = (await wholeLog(store)).filter(({ type }) => type === 'Wanted');
      expect(eventsIn(items)).toEqual(wanted);
      const places = items.flatMap((item) => {
        if (item.kind === 'event') return [item.event.position];
        return item.kind === 'checkpoint' ? [item.position] : [];
      });
      expect(places).toEqual([...new Set(places)].sort());
      expect(places.at(-1)).toBe(await store.head());
      expect(items.filter(({ kind }) => kind === 'checkpoint').length).toBeGreaterThan(1);
      for (const place of places) {
        const rest = eventsIn(await catchingUp(place));
        expect(rest).toEqual(wanted.filter(({ position }) => position > place));
      }
    });

    it('says when a place was recorded where it knows that, and always at the end of the log', async () => {
      const store = await log.open();
      await store.append('note-1', 'no-stream', [anEvent({}, 'Wanted'), ...someEvents(3)]);
      const items = await takeUntil(
        store.subscribe({ after: null, signal: never, types: ['Wanted'] }),
        ({ kind }) => kind === 'caught-up',
      );
      const last = items.findLast(({ kind }) => kind === 'checkpoint');
      expect(last).toMatchObject({ position: await store.head(), time: anEvent().metadata.time });
    });

    it('says so for live events too', async () => {
      const store = await log.open();
      const items = store.subscribe({ after: null, signal: never, types: ['Wanted'] });
      let end: Position | null = null;
      const taken = await takeUntil(
        (async function* appending() {
          for await (const item of items) {
            if (item.kind === 'caught-up') {
              const appended = await store.append('note-1', 'no-stream', someEvents(2));
              end = appended.ok ? appended.position : null;
            }
            yield item;
          }
        })(),
        (item) => item.kind === 'checkpoint' && item.position === end,
      );
      expect(eventsIn(taken)).toEqual([]);
      expect(end).toBe(await store.head());
    });

    it('ends without an error when it is aborted, waiting or not', async () => {
      const store = await log.open();
      await store.append('note-1', 'no-stream', someEvents(3));
      const idle = new AbortController();
      const waiting = takeUntil(
        store.subscribe({ after: null, signal: idle.signal }),
        ({ kind }) => {
          if (kind === 'caught-up') setImmediate(() => idle.abort());
          return false;
        },
      );
      expect(eventsIn(await waiting)).toHaveLength(3);
      const busy = new AbortController();
      const stopped = await takeUntil(store.subscribe({ after: null, signal: busy.signal }), () => {
        busy.abort();
        return false;
      });
      expect(stopped).toHaveLength(1);
      expect(
        await takeUntil(store.subscribe({ after: null, signal: busy.signal }), () => false),
      ).toEqual([]);
    });

    it('ends when the store is closed', async () => {
      const store = await log.open();
      const items = takeUntil(store.subscribe({ after: null, signal: never }), ({ kind }) => {
        if (kind === 'caught-up') void store.close();
        return false;
      });
      expect(await items).toEqual([{ kind: 'caught-up' }]);
    });

    it('loses nothing for a slow subscriber while others write on', async () => {
      const store = await log.open();
      const writing = (async () => {
        for (let i = 0; i < 1_200; i += 1) {
          await store.append(`note-${i}`, 'no-stream', someEvents(1));
        }
      })();
      const taken = await takeUntil(
        (async function* slowly() {
          for await (const item of store.subscribe({ after: null, signal: never })) {
            if (item.kind === 'event') await store.head();
            yield item;
          }
        })(),
        (_, soFar) => eventsIn(soFar).length === 1_200,
      );
      await writing;
      expect(eventsIn(taken)).toEqual(await wholeLog(store));
      expect(taken.filter(({ kind }) => kind === 'caught-up')).toHaveLength(1);
    });

    it('hears what another instance writes, in the order of the log', async () => {
      const here = await log.open();
      const there = await log.open();
      const items = takeUntil(here.subscribe({ after: null, signal: never }), (_, soFar) => {
        return eventsIn(soFar).length === 60;
      });
      await Promise.all(
        [here, there].map(async (store, side) => {
          for (let i = 0; i < 30; i += 1) {
            await store.append(`note-${side}x${i}`, 'no-stream', someEvents(1));
          }
        }),
      );
      expect(eventsIn(await items)).toEqual(await wholeLog(here));
    });
  });
}
