import { PassThrough } from 'node:stream';
import type { AllStreamSubscription } from '@eventstore/db-client';
import { describe, expect, it } from 'vitest';
import { eventAt } from '../../../test/server-event.js';
import { type Position, positionOf } from '../port.js';
import { type Arrival, type FollowOptions, follow } from './follow.js';

/** A client whose one subscription brings what the test puts into it. */
function fakeClient() {
  const stream = new PassThrough({ objectMode: true });
  let unsubscribed = 0;
  let scanned: (at: bigint) => void = () => undefined;
  const client: FollowOptions['client'] = {
    subscribeToAll(options) {
      const subscription: AllStreamSubscription = Object.assign(stream, {
        unsubscribe: async () => {
          unsubscribed += 1;
        },
      });
      scanned = (at) =>
        void options?.filter?.checkpointReached?.(subscription, { commit: at, prepare: at });
      return subscription;
    },
  };
  return {
    client,
    stream,
    scanned: (at: bigint) => scanned(at),
    unsubscribed: () => unsubscribed,
  };
}

const times = { silenceMs: 20, graceMs: 20 };

/** In a word or two each, without lulls. */
async function told(arrivals: AsyncIterable<Arrival>): Promise<string[]> {
  const list: string[] = [];
  for await (const arrival of arrivals) {
    if (arrival.kind === 'event') list.push(`event ${arrival.resolved.event?.revision}`);
    else if (arrival.kind === 'scanned') list.push(`scanned ${arrival.position.commit}`);
    else if (arrival.kind === 'caught-up') list.push('caught up');
  }
  return list;
}

function following(client: FollowOptions['client'], about: Partial<FollowOptions> = {}) {
  return follow({
    client,
    from: null,
    types: null,
    signal: new AbortController().signal,
    times,
    seen: () => null,
    head: async () => null,
    ...about,
  });
}

describe('One subscription of the client', () => {
  it('is told in its order, although announcements run ahead of events', async () => {
    const { client, stream, scanned, unsubscribed } = fakeClient();
    const arrivals = following(client);
    const first = arrivals.next();
    for (const at of [1n, 2n, 3n]) stream.write(eventAt(at));
    scanned(3n);
    stream.emit('caughtUp');
    stream.write(eventAt(4n));
    scanned(9n);
    stream.end();
    expect((await first).value).toMatchObject({ kind: 'lull' });
    const rest = await told(arrivals);
    expect(rest).toEqual([
      'event 1',
      'event 2',
      'event 3',
      'scanned 3',
      'caught up',
      'event 4',
      'scanned 9',
    ]);
    expect(unsubscribed()).toBe(1);
  });

  it('hands out what has come before it tells of a failure', async () => {
    const { client, stream } = fakeClient();
    const arrivals = following(client);
    await arrivals.next();
    stream.write(eventAt(1n));
    stream.emit('error', new Error('read ECONNRESET'));
    const next = async () => (await arrivals.next()).value;
    expect(await next()).toMatchObject({ kind: 'event' });
    await expect(next()).rejects.toThrow('read ECONNRESET');
  });

  it('is let go by whoever leaves early, and when the signal aborts while it waits', async () => {
    const left = fakeClient();
    for await (const _ of following(left.client)) break;
    expect(left.unsubscribed()).toBe(1);
    const aborted = fakeClient();
    const stopping = new AbortController();
    const ended = told(
      following(aborted.client, {
        signal: stopping.signal,
        times: { ...times, silenceMs: 60_000 },
      }),
    );
    setImmediate(() => stopping.abort());
    expect(await ended).toEqual([]);
    expect(aborted.unsubscribed()).toBe(1);
  });

  it('is given up when it stands still while the log goes on', async () => {
    const { client, unsubscribed } = fakeClient();
    expect(await told(following(client, { head: async () => positionOf(5) }))).toEqual([]);
    expect(unsubscribed()).toBe(1);
  });

  it('is kept while there is nothing it could have missed', async () => {
    const { client, stream } = fakeClient();
    let looks = 0;
    const head = async (): Promise<Position> => {
      looks += 1;
      if (looks === 3) stream.end(eventAt(6n));
      return positionOf(5);
    };
    expect(await told(following(client, { head, seen: () => positionOf(5) }))).toEqual(['event 6']);
    expect(looks).toBe(3);
  });
});
