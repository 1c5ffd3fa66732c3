import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { eventAt, metadata } from '../../../test/server-event.js';
import { positionOf } from '../port.js';
import { type HeadDeps, readHead } from './read.js';
import { RetryPolicy } from './retry-policy.js';

it("asks the leader for the log's end: a follower may lag, and a log that ends before a checkpoint was restored", async () => {
  const client: HeadDeps['client'] = {
    readAll(options) {
      const stream = new PassThrough({ objectMode: true });
      stream.end(eventAt(options?.requiresLeader ? 2n : 1n, metadata));
      return Object.assign(stream, { cancel: async () => undefined });
    },
  };
  const deps = { client, retries: new RetryPolicy(0), silenceMs: 1_000 };
  expect(await readHead(deps, null)).toBe(positionOf(2));
});
