import { PassThrough } from 'node:stream';
import { type AllStreamResolvedEvent, BACKWARDS } from '@eventstore/db-client';
import { expect, it } from 'vitest';
import { eventAt, metadata } from '../../../test/server-event.js';
import { positionOf } from '../port.js';
import { RetryPolicy } from './failures.js';
import {
  type HeadDeps,
  type ReadDeps,
  readAll,
  readHead,
  readLast,
  readStream,
  type StreamDeps,
} from './read.js';

it("asks the leader for the log's end: a follower may lag, and a log that ends before a checkpoint was restored", async () => {
  const client: HeadDeps['client'] = {
    readAll(options) {
      const stream = new PassThrough({ objectMode: true });
      stream.end(eventAt(options?.requiresLeader ? 2n : 1n, metadata));
      return Object.assign(stream, { cancel: async () => undefined });
    },
  };
  const deps = { client, retries: new RetryPolicy(0), silenceMs: 1_000 };
  expect((await readHead(deps, null)).position).toBe(positionOf(2));
});

it('asks the leader for the whole log, and for its last events: a copy of what a follower has may lack some', async () => {
  const client: Pick<ReadDeps['client'], 'readAll'> = {
    readAll(options) {
      const stream = new PassThrough({ objectMode: true });
      const there = options?.requiresLeader ? [1n, 2n] : [1n];
      const isBackwards = options?.direction === BACKWARDS;
      for (const at of isBackwards ? there.toReversed() : there)
        stream.write(eventAt(at, metadata));
      stream.end();
      return Object.assign(stream, { cancel: async () => undefined });
    },
  };
  const deps = {
    client: client as ReadDeps['client'],
    retries: new RetryPolicy(0),
    silenceMs: 1_000,
    onForeign: () => undefined,
  };
  const whole: number[] = [];
  for await (const { revision } of readAll(deps, null, Number.POSITIVE_INFINITY))
    whole.push(revision);
  expect(whole).toEqual([1, 2]);
  expect((await readLast(deps, 1)).map(({ revision }) => revision)).toEqual([2]);
});

/** A stream of two events, of which a follower that lags has only the first. */
function laggingFollower(refusals: readonly Error[] = []): StreamDeps['client'] {
  const left = [...refusals];
  return {
    readStream(_, options) {
      const stream = new PassThrough({ objectMode: true });
      const refusal = left.shift();
      if (refusal !== undefined) process.nextTick(() => stream.emit('error', refusal));
      else {
        for (const at of options?.requiresLeader ? [1n, 2n] : [1n])
          stream.write(eventAt(at, metadata));
        stream.end();
      }
      return Object.assign(stream, { cancel: async () => undefined });
    },
  };
}

it('asks the leader for a stream: no conflict corrects a refusal that rests on what a lagging follower has', async () => {
  const deps = { client: laggingFollower(), retries: new RetryPolicy(0), silenceMs: 1_000 };
  const revisions: number[] = [];
  for await (const { revision } of readStream(deps, 'note-1', 0)) revisions.push(revision);
  expect(revisions).toEqual([1, 2]);
});

it('asks again when a follower has refused, since the client is connected to the leader then', async () => {
  const client = laggingFollower([Object.assign(new Error('x'), { type: 'not-leader' })]);
  const deps = { client, retries: new RetryPolicy(60_000), silenceMs: 1_000 };
  const revisions: number[] = [];
  for await (const { revision } of readStream(deps, 'note-1', 0)) revisions.push(revision);
  expect(revisions).toEqual([1, 2]);
});

it("passes over what is not Oja's at its end only once, however much of it there is", async () => {
  const log = [eventAt(1n, metadata)];
  const strangersUntil = (end: number) => {
    while (log.length < end) log.push(eventAt(BigInt(log.length + 1)));
  };
  let sent = 0;
  const client: HeadDeps['client'] = {
    readAll({ fromPosition, maxCount } = {}) {
      const stream = new PassThrough({ objectMode: true, highWaterMark: log.length });
      const isBefore = ({ event }: AllStreamResolvedEvent) =>
        typeof fromPosition !== 'object' || (event?.position.commit ?? 0n) < fromPosition.commit;
      const page = log.filter(isBefore).reverse().slice(0, Number(maxCount));
      for (const record of page) stream.write(record);
      stream.end();
      sent += page.length;
      return Object.assign(stream, { cancel: async () => undefined });
    },
  };
  const deps = { client, retries: new RetryPolicy(0), silenceMs: 1_000 };
  strangersUntil(2_000);
  const first = await readHead(deps, null);
  expect(first.position).toBe(positionOf(1));
  sent = 0;
  strangersUntil(2_010);
  const second = await readHead(deps, first);
  expect(second.position).toBe(positionOf(1));
  expect(sent).toBeLessThan(100);
  log.push(eventAt(2_011n, metadata));
  strangersUntil(2_020);
  expect((await readHead(deps, second)).position).toBe(positionOf(2_011));
});
