import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { AllStreamResolvedEvent } from '@eventstore/db-client';
import { afterEach, describe, expect, it } from 'vitest';
import { eventAt, metadata } from '../../../test/server-event.js';
import { type Position, positionOf, StoreUnavailable, type SubscriptionItem } from '../port.js';
import { subscription } from '../subscription.js';
import { RetryPolicy } from './failures.js';
import type { ReadDeps } from './read.js';
import { createSource } from './source.js';
import { Tail, type TailDeps } from './tail.js';

const noted = (at: number) => eventAt(BigInt(at), metadata);
type Stream = PassThrough & { unsubscribe(): Promise<void>; cancel(): Promise<void> };

/** A fake server with a log; tests can break its reads and subscriptions. */
function serverOf(length: number) {
  const log = Array.from({ length }, (_, index) => noted(index + 1));
  const followers = new Set<Stream>();
  const asked = { pages: 0, follows: [] as (bigint | string)[] };
  let failure: { readonly code: number } | null = null;
  let lagging = 0;
  const readAt: number[] = [];
  const placeOf = (from: unknown): bigint | string =>
    typeof from === 'object' && from !== null && 'commit' in from
      ? (from.commit as bigint)
      : String(from);
  const standsAfter = (place: bigint | string, { event }: AllStreamResolvedEvent, isIn: boolean) =>
    typeof place === 'string' || (event?.position?.commit ?? 0n) > place - (isIn ? 1n : 0n);
  const stream = (events: readonly AllStreamResolvedEvent[]): Stream => {
    const made = new PassThrough({ objectMode: true, highWaterMark: 10_000 });
    for (const event of events) made.write(event);
    return Object.assign(made, {
      unsubscribe: async () => void followers.delete(made as Stream),
      cancel: async () => undefined,
    });
  };
  const away = (code = 14) => Object.assign(new Error('away'), { code });
  const client = {
    subscribeToAll(options) {
      const place = placeOf(options?.fromPosition);
      asked.follows.push(place);
      const follower = stream(log.filter((event) => standsAfter(place, event, false)));
      const { code } = failure ?? {};
      if (code !== undefined) setImmediate(() => follower.destroy(away(code)));
      followers.add(follower);
      return follower;
    },
    readAll(options) {
      asked.pages += 1;
      readAt.push(performance.now());
      lagging -= 1;
      const place = placeOf(options?.fromPosition);
      const found = log.filter((event) => standsAfter(place, event, true));
      const { code } = failure ?? {};
      const isEmpty = code !== undefined || lagging >= 0;
      const read = stream(isEmpty ? [] : found.slice(0, Number(options?.maxCount)));
      if (code !== undefined) setImmediate(() => read.destroy(away(code)));
      else read.end();
      return read;
    },
  } as TailDeps['client'] & Pick<ReadDeps['client'], 'readAll'>;
  return {
    asked,
    client: client as ReadDeps['client'],
    head: async (): Promise<Position | null> => {
      if (failure !== null) throw new StoreUnavailable('EventStoreDB', 'away', failure.code === 7);
      return log.length === 0 ? null : positionOf(log.length);
    },
    append() {
      const event = noted(log.length + 1);
      log.push(event);
      for (const follower of followers) follower.write(event);
    },
    /** So many reads find nothing, although the server's head is further on. Returns when it was read. */
    lagFor(reads: number): readonly number[] {
      lagging = reads;
      return readAt;
    },
    breakOff() {
      for (const follower of followers) follower.destroy(away());
    },
    /** The server is away until the returned function is called. */
    leave() {
      failure = { code: 14 };
      return () => {
        failure = null;
      };
    },
    refuse() {
      failure = { code: 7 };
    },
    followers: () => followers.size,
  };
}

describe('Subscriptions to the log of one server', () => {
  let stopping = new AbortController();
  afterEach(() => {
    stopping.abort();
    stopping = new AbortController();
  });

  function following({ client, head }: ReturnType<typeof serverOf>) {
    const { signal } = stopping;
    const trouble = new EventEmitter();
    const onResubscribe = (why: string) => void trouble.emit('told', why);
    const reading: ReadDeps = {
      client,
      retries: new RetryPolicy(0),
      silenceMs: 60_000,
      onForeign() {},
    };
    const times = { silenceMs: 60_000, graceMs: 60_000 };
    const tail = new Tail({ client, head, times, onForeign() {}, onResubscribe });
    const source = createSource({ reading, tail, closing: signal, onResubscribe });
    /** The positions of the first `many` events of a subscription; `onItem` gets each item. */
    async function taken(many: number, onItem = (_: SubscriptionItem) => {}) {
      const positions: string[] = [];
      for await (const item of subscription(source, { after: null, signal })) {
        if (item.kind === 'event') positions.push(item.event.position);
        onItem(item);
        if (positions.length === many) break;
      }
      return positions;
    }
    return { taken, nextTrouble: () => once(trouble, 'told') };
  }

  const firsts = (many: number) => Array.from({ length: many }, (_, at) => positionOf(at + 1));

  /** Calls `then` when `many` subscriptions have caught up. */
  function whenAll(many: number, then: () => void) {
    let left = many;
    return ({ kind }: SubscriptionItem) => {
      if (kind === 'caught-up') left -= 1;
      if (kind === 'caught-up' && left === 0) then();
    };
  }

  it('read it once for all that catch up together, and follow its end once', async () => {
    const server = serverOf(1_200);
    const { taken } = following(server);
    const onItem = whenAll(10, () => server.append());
    const all = Array.from({ length: 10 }, () => taken(1_201, onItem));
    for (const positions of await Promise.all(all)) expect(positions).toEqual(firsts(1_201));
    expect(server.asked.pages).toBeLessThanOrEqual(4);
    expect(server.asked.follows).toEqual([1_200n]);
    expect(server.followers()).toBe(0);
  });

  it('miss nothing of what came while the connection was broken', async () => {
    const server = serverOf(2);
    const { taken } = following(server);
    const onItem = whenAll(2, () => {
      server.breakOff();
      server.append();
      server.append();
    });
    const both = await Promise.all([taken(4, onItem), taken(4, onItem)]);
    expect(both).toEqual([firsts(4), firsts(4)]);
    expect(server.asked.follows).toEqual([2n, 4n]);
  });

  it('wait for a server that is away, and say so', async () => {
    const server = serverOf(2);
    const { taken, nextTrouble } = following(server);
    const comesBack = server.leave();
    const told = nextTrouble();
    const positions = taken(3);
    expect(await told).toEqual([expect.stringContaining('away')]);
    await nextTrouble();
    comesBack();
    server.append();
    expect(await positions).toEqual(firsts(3));
  });

  it('leave a node in peace that lags behind the leader', async () => {
    const server = serverOf(2);
    const { taken } = following(server);
    const catchesUp = server.lagFor(4);
    expect(await taken(2)).toEqual(firsts(2));
    const [first = 0, ...others] = catchesUp;
    const pauses = others.map((at, index) => at - (others[index - 1] ?? first));
    expect(pauses).toHaveLength(4);
    for (const pause of pauses) expect(pause).toBeGreaterThan(40);
  });

  it('are brought all of it where more comes than is kept', async () => {
    const server = serverOf(1);
    const { taken } = following(server);
    const onItem = whenAll(1, () => {
      for (let i = 0; i < 5_000; i += 1) server.append();
    });
    expect(await taken(5_001, onItem)).toEqual(firsts(5_001));
  });

  it('end with the reason when the server refuses', async () => {
    const server = serverOf(0);
    const { taken } = following(server);
    server.refuse();
    await expect(taken(1)).rejects.toThrow(/does not let the log be followed|refuses to read/);
  });
});
