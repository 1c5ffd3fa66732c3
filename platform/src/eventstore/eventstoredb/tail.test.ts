import { PassThrough } from 'node:stream';
import type { AllStreamResolvedEvent } from '@eventstore/db-client';
import { describe, expect, it } from 'vitest';
import { eventAt } from '../../../test/server-event.js';
import { type Position, positionOf } from '../port.js';
import { type FollowOptions, follow } from './tail.js';

/** A client with one subscription, fed by the test. */
function fakeClient() {
  const stream = new PassThrough({ objectMode: true });
  let unsubscribed = 0;
  const client: FollowOptions['client'] = {
    subscribeToAll: () =>
      Object.assign(stream, {
        unsubscribe: async () => {
          unsubscribed += 1;
        },
      }),
  };
  return { client, stream, unsubscribed: () => unsubscribed };
}

const times = { silenceMs: 20, graceMs: 20 };

async function told(arrivals: AsyncIterable<AllStreamResolvedEvent>): Promise<string[]> {
  const list: string[] = [];
  for await (const { event } of arrivals) list.push(`event ${event?.revision}`);
  return list;
}

function following(client: FollowOptions['client'], about: Partial<FollowOptions> = {}) {
  return follow({
    client,
    from: null,
    signal: new AbortController().signal,
    times,
    seen: () => null,
    head: async () => null,
    ...about,
  });
}

describe('One subscription of the client', () => {
  it('hands out what has come before it tells of a failure', async () => {
    const { client, stream, unsubscribed } = fakeClient();
    const arrivals = following(client);
    const first = arrivals.next();
    stream.write(eventAt(1n));
    stream.emit('error', new Error('read ECONNRESET'));
    expect((await first).value).toMatchObject(eventAt(1n));
    await expect(arrivals.next()).rejects.toThrow('read ECONNRESET');
    expect(unsubscribed()).toBe(1);
  });

  it('is let go by whoever leaves early, and when the signal aborts while it waits', async () => {
    const left = fakeClient();
    left.stream.write(eventAt(1n));
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
