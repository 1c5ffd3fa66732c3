import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
  type CommandContext,
  createCommandHandler,
  createEmbeddedEventStore,
  type EventStore,
  StoreUnavailable,
} from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anEvent, idsOf, listed, wholeLog } from './contracts/eventstore.events.js';
import { temporaryFolder } from './contracts/folders.js';
import { counter, tooMany } from './handle.decider.js';

const noon = Date.UTC(2026, 0, 2, 12);

const asked = (commandId: string = randomUUID()): CommandContext => ({
  actor: 'seller:1',
  commandId,
  correlationId: 'request 1',
  causationId: 'click 1',
});

describe('handle', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let store: EventStore;
  let time: number;
  let conflicts: string[];
  /** A handler whose event store has these methods replaced. */
  const handling = (changes: Partial<EventStore> = {}) =>
    createCommandHandler(
      { ...store, ...changes },
      { clock: () => time, onConflict: (stream) => conflicts.push(stream) },
    );

  beforeEach(async () => {
    folder = await temporaryFolder();
    store = await createEmbeddedEventStore({ file: join(folder.path, 'log') });
    time = noon;
    conflicts = [];
  });
  afterEach(async () => {
    await store.close();
    await folder.remove();
  });

  it('appends what was decided and answers with the state after it', async () => {
    const context = asked();
    const handled = await handling().handle(counter, 'a', { add: [1, 2] }, context);
    expect(handled).toMatchObject({ ok: true, revision: 1, state: 3, repeated: false });
    if (!handled.ok) return;
    expect(handled.position).toBe(await store.head());
    const stored = await listed(store.readStream('counter-a'));
    expect(handled.events).toEqual(stored.map(({ position: _, ...event }) => event));
    expect(new Set(idsOf(handled.events)).size).toBe(2);
    expect(handled.events[1]?.metadata).toEqual({
      ...context,
      time: '2026-01-02T12:00:00.000Z',
      schemaVersion: 3,
    });
  });

  it('loads an instance, also one that is not there', async () => {
    const { handle, load } = handling();
    expect(await load(counter, 'a')).toEqual({
      state: 0,
      revision: 'no-stream',
      position: null,
      lastTime: null,
      begunUnder: null,
      commands: new Set(),
    });
    const context = asked();
    await handle(counter, 'a', { add: [5] }, context);
    const loaded = await load(counter, 'a');
    expect(loaded).toMatchObject({ state: 5, revision: 0 });
    expect(loaded.commands).toEqual(new Set([context.commandId]));
  });

  it('answers a repeated command as the first time, whatever came after', async () => {
    const { handle } = handling();
    const context = asked();
    const first = await handle(counter, 'a', { add: [1, 2] }, context);
    const between = await handle(counter, 'a', { add: [97] }, asked());
    const again = await handle(counter, 'a', { add: [1, 2] }, context);
    // `known`, from which the next command starts, is the present state of the stream.
    expect(again).toEqual({ ...first, repeated: true, known: between.ok && between.known });
    expect(await wholeLog(store)).toHaveLength(3);
  });

  it('hands a refusal on and writes nothing', async () => {
    expect(await handling().handle(counter, 'a', { add: [101] }, asked())).toEqual({
      ok: false,
      conflict: false,
      refusal: tooMany,
    });
    expect(await store.head()).toBeNull();
  });

  it('writes nothing for a command that has nothing to do', async () => {
    const { handle } = handling();
    expect(await handle(counter, 'a', { add: [] }, asked())).toMatchObject({
      ok: true,
      events: [],
      revision: 'no-stream',
      position: null,
    });
    const { position } = { position: null, ...(await handle(counter, 'a', { add: [1] }, asked())) };
    expect(await handle(counter, 'a', { add: [] }, asked())).toMatchObject({
      ok: true,
      revision: 0,
      position,
      state: 1,
    });
  });

  it('reads its stream once, whatever it appends, and once more for each conflict', async () => {
    let reads = 0;
    let intruders = 0;
    const { handle } = handling({
      readStream(...of) {
        reads += 1;
        return store.readStream(...of);
      },
      async append(stream, expected, events) {
        if (intruders-- > 0) await store.append(stream, expected, [anEvent({ by: 1 }, 'Counted')]);
        return store.append(stream, expected, events);
      },
    });
    const context = asked();
    expect(await handle(counter, 'a', { add: [1, 1] }, context)).toMatchObject({ state: 2 });
    expect(reads).toBe(1);
    expect(await handle(counter, 'a', { add: [1, 1] }, context)).toMatchObject({ repeated: true });
    expect(reads).toBe(2);
    intruders = 1;
    await handle(counter, 'b', { add: [1] }, asked());
    expect(reads).toBe(4);
  });

  it('decides again on what others wrote in between, and counts the conflict', async () => {
    let intruders = 1;
    const { handle } = handling({
      async append(stream, expected, events) {
        if (intruders-- > 0) {
          await store.append(stream, expected, [anEvent({ by: 99 }, 'Counted')]);
        }
        return store.append(stream, expected, events);
      },
    });
    expect(await handle(counter, 'a', { add: [2] }, asked())).toMatchObject({
      refusal: tooMany,
    });
    expect(conflicts).toEqual(['counter-a']);
  });

  it('gives up when others came first in the first try and in three more', async () => {
    let tries = 0;
    const { handle } = handling({
      async append() {
        tries += 1;
        return { ok: false, reason: 'wrong-revision', actual: 0 };
      },
    });
    expect(await handle(counter, 'a', { add: [1] }, asked())).toEqual({
      ok: false,
      conflict: true,
    });
    expect(tries).toBe(4);
    expect(conflicts).toHaveLength(4);
  });

  it('writes one event when the answer of the log is lost', async () => {
    let lost = false;
    const { handle } = handling({
      async append(stream, expected, events) {
        const result = await store.append(stream, expected, events);
        if (lost) return result;
        lost = true;
        throw new StoreUnavailable('SQLite', 'The connection went away', false);
      },
    });
    expect(await handle(counter, 'a', { add: [1] }, asked())).toMatchObject({ ok: true, state: 1 });
    expect(await wholeLog(store)).toHaveLength(1);
  });

  it('writes one event when the answer is lost and others write before the next try', async () => {
    let lost = false;
    const { handle } = handling({
      async append(stream, expected, events) {
        const result = await store.append(stream, expected, events);
        if (lost) return result;
        lost = true;
        await store.append(stream, 0, [anEvent({ by: 10 }, 'Counted')]);
        throw new StoreUnavailable('SQLite', 'The connection went away', false);
      },
    });
    expect(await handle(counter, 'a', { add: [1] }, asked())).toMatchObject({
      revision: 0,
      state: 1,
    });
    expect(await wholeLog(store)).toHaveLength(2);
  });

  it('answers with what is written where another process decided otherwise on the same command', async () => {
    const context = asked();
    const known = await handling().load(counter, 'a');
    await handling().handle(counter, 'a', { add: [1] }, context, known);
    // Both processes read the stream before either appended to it.
    const second = await handling().handle(counter, 'a', { add: [7] }, context, known);
    expect(second).toMatchObject({ ok: true, repeated: true, state: 1 });
    if (second.ok) expect(second.events.map(({ data }) => data)).toEqual([{ by: 1 }]);
    expect(await listed(store.readStream('counter-a'))).toHaveLength(1);
  });

  it('does not insist when the log has stopped for good', async () => {
    let tries = 0;
    const { handle } = handling({
      async append() {
        tries += 1;
        throw new StoreUnavailable('SQLite', 'The disk is full', true);
      },
    });
    await expect(handle(counter, 'a', { add: [1] }, asked())).rejects.toThrow(StoreUnavailable);
    expect(tries).toBe(1);
  });

  it('never lets time run backwards in a stream', async () => {
    const { handle } = handling();
    await handle(counter, 'a', { add: [1] }, asked());
    time = noon - 3_600_000;
    await handle(counter, 'a', { add: [1] }, asked());
    time = noon + 1;
    await handle(counter, 'a', { add: [1] }, asked());
    const times = (await wholeLog(store)).map(({ metadata }) => Date.parse(metadata.time));
    expect(times).toEqual([noon, noon, noon + 1]);
  });

  it('skips events of types it does not know, and stops at a malformed one', async () => {
    const { handle, load } = handling();
    await store.append('counter-a', 'no-stream', [anEvent({}, 'Renamed')]);
    expect(await handle(counter, 'a', { add: [1] }, asked())).toMatchObject({ revision: 1 });
    await store.append('counter-a', 1, [anEvent({ by: 'one' }, 'Counted')]);
    await expect(load(counter, 'a')).rejects.toThrow(
      /^Event 2 of counter-a is no Counted: by: .*expected number/,
    );
    await expect(handle(counter, 'a', { add: [1] }, asked())).rejects.toThrow();
  });

  it('reads on in a long stream from where it was, and knows a command that is far back', async () => {
    let read = 0;
    const { handle, load } = handling({
      async *readStream(...of) {
        for await (const event of store.readStream(...of)) {
          read += 1;
          yield event;
        }
      },
    });
    const early = asked();
    const first = await handle(counter, 'a', { add: [1] }, early);
    for (let n = 0; n < 150; n += 1) await handle(counter, 'a', { add: [n % 2 ? 1 : -1] }, asked());
    await store.append('counter-a', 150, [anEvent({ by: 7 }, 'Counted')]);
    read = 0;
    const next = asked();
    expect(await handle(counter, 'a', { add: [2] }, next)).toMatchObject({
      revision: 152,
      state: 10,
    });
    const { known } = { known: null, ...(await handle(counter, 'a', { add: [2] }, next)) };
    expect(read).toBe(1 + 153);
    expect(known).toEqual(await handling().load(counter, 'a'));
    expect(await load(counter, 'a')).toEqual(known);
    expect(await handle(counter, 'a', { add: [1] }, early)).toEqual({
      ...first,
      repeated: true,
      known,
    });
    const late = { add: [100] };
    expect(await handle(counter, 'a', late, asked())).toMatchObject({ refusal: tooMany });
  });

  it('lets 100 clicks of one command happen once, in one process and in two', async () => {
    const other = await createEmbeddedEventStore({ file: join(folder.path, 'log') });
    const [here, there] = [handling(), createCommandHandler(other, { clock: () => time })];
    const context = asked();
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        (i % 2 ? here : there).handle(counter, 'a', { add: [1, 2] }, context),
      ),
    );
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(await wholeLog(store)).toHaveLength(2);
    await other.close();
  });
});
