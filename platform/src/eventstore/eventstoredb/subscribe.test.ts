import { PassThrough } from 'node:stream';
import type { AllStreamResolvedEvent } from '@eventstore/db-client';
import { describe, expect, it } from 'vitest';
import { eventAt, metadata } from '../../../test/server-event.js';
import { positionOf, StoreUnavailable, type SubscriptionItem } from '../port.js';
import { type SubscribeDeps, subscription } from './subscribe.js';

/** Says that all was sent, then breaks as a connection does in the middle of a frame. */
const breaksOff = Symbol('breaks off');
type Connection = readonly AllStreamResolvedEvent[] | typeof breaksOff | null;

const noted = (at: bigint) => eventAt(at, metadata);

/** A server to which each entry is what one more subscription brings; a null keeps silent for ever. */
function serverOf(connections: readonly Connection[]) {
  const starts: (bigint | string | undefined)[] = [];
  const client: SubscribeDeps['client'] = {
    subscribeToAll(options) {
      const from = options?.fromPosition;
      const brings = connections[starts.length];
      starts.push(typeof from === 'object' ? from.commit : from);
      const stream = new PassThrough({ objectMode: true });
      if (brings === breaksOff)
        setImmediate(() => {
          stream.emit('caughtUp');
          setImmediate(() => stream.destroy(Object.assign(new Error('broken'), { code: 13 })));
        });
      else if (brings) {
        for (const event of brings) stream.write(event);
        stream.end();
      }
      return Object.assign(stream, { unsubscribe: async () => undefined });
    },
  };
  return { client, starts };
}

describe('A subscription to the log', () => {
  const stopping = new AbortController();
  const first = async (items: AsyncIterable<SubscriptionItem>, many: number) => {
    const positions: string[] = [];
    for await (const item of items) {
      if (item.kind === 'event') positions.push(item.event.position);
      if (positions.length === many) break;
    }
    return positions;
  };
  const about = {
    times: { silenceMs: 10, graceMs: 10 },
    before: async () => null,
    onForeign() {},
    onResubscribe() {},
  };
  const options = { after: null, signal: stopping.signal };

  it('goes on behind the last event that was handled, whenever the server ends it', async () => {
    const { client, starts } = serverOf([[noted(1n), noted(2n)], [], [noted(3n)]]);
    const items = subscription({ ...about, client, head: async () => null }, options);
    expect(await first(items, 3)).toEqual([positionOf(1), positionOf(2), positionOf(3)]);
    expect(starts).toEqual(['start', 2n, 2n]);
  });

  it('bears with a connection that breaks again and again, as long as it was good before', async () => {
    const many = Array.from({ length: 12 }, (): Connection => breaksOff);
    const { client } = serverOf([...many, [noted(1n)]]);
    const items = subscription({ ...about, client, head: async () => null }, options);
    expect(await first(items, 1)).toEqual([positionOf(1)]);
  });

  it("is begun again when it is silent and the log's end cannot be had either", async () => {
    const { client, starts } = serverOf([null, [noted(1n)]]);
    const head = async () => {
      throw new StoreUnavailable('EventStoreDB could not find its end', false);
    };
    expect(await first(subscription({ ...about, client, head }, options), 1)).toEqual([
      positionOf(1),
    ]);
    expect(starts).toHaveLength(2);
  });
});
