import { InvalidEvent } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { anEvent, idsOf, listed, someEvents, wholeLog } from './eventstore.events.js';
import { freshLog, type MakeEventStore } from './eventstore.fixture.js';

const circular: Record<string, unknown> = {};
circular.self = circular;

const notJson: readonly (readonly [string, unknown])[] = [
  ['a bigint', { price: 1n }],
  ['NaN', { price: Number.NaN }],
  ['a date', { at: new Date(0) }],
  ['a function', { call: () => 1 }],
  ['a symbol', { mark: Symbol('x') }],
  ['bytes', { bytes: new Uint8Array(2) }],
  ['a map', { map: new Map() }],
  ['undefined in a list', { list: [undefined] }],
  ['itself', circular],
  ['nothing', null],
  ['a list for an object', []],
];

export function appending(make: MakeEventStore): void {
  describe('appending', () => {
    const log = freshLog(make);

    it('gives a stream its revisions from 0 on and the log rising positions', async () => {
      const store = await log.open();
      const first = await store.append('note-1', 'no-stream', someEvents(2));
      const second = await store.append('note-1', 1, someEvents(1));
      expect(first).toMatchObject({ ok: true, revision: 1 });
      expect(second).toMatchObject({ ok: true, revision: 2 });
      if (!first.ok || !second.ok) return;
      expect(second.position > first.position).toBe(true);
      expect(second.position).toMatch(/^\d{20}$/);
      expect(await store.head()).toBe(second.position);
    });

    it('keeps every value as JSON has it', async () => {
      const store = await log.open();
      const data = {
        text: 'Ọjà 🛍 \u0000 "',
        none: null,
        deep: [{ a: [1.5, -0.25, 2 ** 53 - 1] }],
        yes: true,
      };
      await store.append('note-1', 'no-stream', [anEvent(data)]);
      const [stored] = await listed(store.readStream('note-1'));
      expect(stored?.data).toEqual(data);
    });

    it.each([
      ['no-stream', 1, 1],
      [0, 1, 1],
      [2, 1, 1],
      [0, null, 'no-stream'],
      [7, null, 'no-stream'],
    ] as const)(
      'at %s refuses a stream whose last revision is %s, and names it',
      async (expected, last, actual) => {
        const store = await log.open();
        if (last !== null) await store.append('note-1', 'no-stream', someEvents(last + 1));
        const before = await wholeLog(store);
        expect(await store.append('note-1', expected, someEvents(2))).toEqual({
          ok: false,
          reason: 'wrong-revision',
          actual,
        });
        expect(await wholeLog(store)).toEqual(before);
      },
    );

    it('answers a repeated append as the first time, also after later writes', async () => {
      const store = await log.open();
      const events = someEvents(3);
      const first = await store.append('note-1', 'no-stream', events);
      expect(await store.append('note-1', 'no-stream', events)).toEqual(first);
      await store.append('note-1', 2, someEvents(2));
      await store.append('note-2', 'no-stream', someEvents(1));
      expect(await store.append('note-1', 'no-stream', events)).toEqual(first);
      expect(await wholeLog(store)).toHaveLength(6);
    });

    it('takes two tries that are under way at once for one', async () => {
      const [here, there] = [await log.open(), await log.open()];
      const events = someEvents(3);
      const tries = [here, there, here].map((store) => store.append('note-1', 'no-stream', events));
      const [first, ...others] = await Promise.all(tries);
      expect(first).toMatchObject({ ok: true, revision: 2 });
      for (const other of others) expect(other).toEqual(first);
      expect(idsOf(await wholeLog(here))).toEqual(idsOf(events));
    });

    it('writes one event when the answer to the first try was lost with its process', async () => {
      const events = someEvents(1);
      const dying = await log.open();
      const first = await dying.append('note-1', 'no-stream', events);
      await dying.close();
      const store = await log.open();
      expect(await store.append('note-1', 'no-stream', events)).toEqual(first);
      expect(idsOf(await wholeLog(store))).toEqual(idsOf(events));
    });

    it('takes the first events of an earlier batch for a repetition', async () => {
      const store = await log.open();
      const events = someEvents(3);
      await store.append('note-1', 'no-stream', events);
      expect(await store.append('note-1', 'no-stream', events.slice(0, 2))).toMatchObject({
        ok: true,
        revision: 1,
      });
      expect(await wholeLog(store)).toHaveLength(3);
    });

    it('refuses known ids together with a new one', async () => {
      const store = await log.open();
      const events = someEvents(2);
      await store.append('note-1', 'no-stream', events);
      expect(await store.append('note-1', 'no-stream', [...events, anEvent()])).toMatchObject({
        ok: false,
        actual: 1,
      });
      expect(await wholeLog(store)).toHaveLength(2);
    });

    it('appends known ids again when the revision is the current one', async () => {
      const store = await log.open();
      const events = someEvents(1);
      await store.append('note-1', 'no-stream', events);
      expect(await store.append('note-1', 0, events)).toMatchObject({ ok: true, revision: 1 });
      expect(await wholeLog(store)).toHaveLength(2);
    });

    it.each<readonly [string, readonly unknown[]]>([
      ['an id that is no UUID', ['note-1', 'no-stream', [{ ...anEvent(), id: 'one' }]]],
      ['an id in a list', ['note-1', 'no-stream', [{ ...anEvent(), id: [anEvent().id] }]]],
      ['an empty type', ['note-1', 'no-stream', [anEvent({}, ' ')]]],
      ['a type that is no text', ['note-1', 'no-stream', [{ ...anEvent(), type: true }]]],
      ['an empty stream', ['', 'no-stream', [anEvent()]]],
      ['a system stream', ['$all', 'no-stream', [anEvent()]]],
      ['a stream with a NUL', ['note-\0', 'no-stream', [anEvent()]]],
      ['a stream that is no text', [{}, 'no-stream', [anEvent()]]],
      ['no events', ['note-1', 'no-stream', []]],
      ['a negative revision', ['note-1', -1, [anEvent()]]],
      ['half a revision', ['note-1', 0.5, [anEvent()]]],
      ['a bigint as revision', ['note-1', 0n, [anEvent()]]],
      ['any revision', ['note-1', 'any', [anEvent()]]],
      ['two events of one id', ['note-1', 'no-stream', Array(2).fill(anEvent())]],
      ['more than 1 MiB', ['note-1', 'no-stream', [anEvent({ text: 'x'.repeat(1024 * 1024) })]]],
      ...notJson.map(
        ([what, data]) =>
          [`${what} in the data`, ['note-1', 'no-stream', [{ ...anEvent(), data }]]] as const,
      ),
    ])('refuses %s before anything is written', async (_, args) => {
      const store = await log.open();
      await expect(Reflect.apply(store.append, store, args)).rejects.toThrow(InvalidEvent);
      expect(await store.head()).toBeNull();
      expect(await store.append('note-1', 'no-stream', someEvents(1))).toMatchObject({ ok: true });
    });

    it.each([1, 3, 100])(
      'takes the heaviest append that is allowed, of %s events',
      async (many) => {
        const store = await log.open();
        const empty = Array.from({ length: many }, () => anEvent({ text: '' }));
        const spent = empty.reduce(
          (sum, { type, data, metadata }) =>
            sum + type.length + JSON.stringify(data).length + JSON.stringify(metadata).length,
          0,
        );
        const [first = anEvent(), ...others] = empty;
        const text = 'x'.repeat(1024 * 1024 - spent);
        const events = [{ ...first, data: { text } }, ...others];
        const appended = await store.append('note-1', 'no-stream', events);
        expect(appended).toMatchObject({ ok: true, revision: many - 1 });
        expect(idsOf(await listed(store.readStream('note-1')))).toEqual(idsOf(events));
      },
    );

    it('lets exactly one of 100 writers have a revision', async () => {
      const store = await log.open();
      const results = await Promise.all(
        Array.from({ length: 100 }, () => store.append('note-1', 'no-stream', someEvents(1))),
      );
      expect(results.filter(({ ok }) => ok)).toHaveLength(1);
      expect(await wholeLog(store)).toHaveLength(1);
    });

    it('takes 100 writers at once, each with a stream of its own', async () => {
      const store = await log.open();
      const perWriter = 20;
      await Promise.all(
        Array.from({ length: 100 }, async (_, writer) => {
          for (let index = 0; index < perWriter; index += 1) {
            const expected = index === 0 ? 'no-stream' : index - 1;
            const result = await store.append(`note-${writer}`, expected, someEvents(1));
            expect(result).toMatchObject({ ok: true, revision: index });
          }
        }),
      );
      const all = await wholeLog(store);
      expect(all).toHaveLength(100 * perWriter);
      const positions = all.map(({ position }) => position);
      expect(positions).toEqual([...new Set(positions)].sort());
    });
  });
}
