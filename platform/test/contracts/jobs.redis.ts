import { randomUUID } from 'node:crypto';
import { createRedisJobs } from '@oja/platform';
import { Redis } from 'ioredis';
import type { JobsFixture } from './jobs.fixture.js';

/** So long that even a slow machine does not lose a lease while it works. */
const longLeaseMs = 30_000;
/** So short that a test can wait until the job of a killed process is free again. */
export const shortLeaseMs = 2_000;
const keepFailed = 20;

/** Queues under their own prefix in a Redis that others may use too. */
export async function redisJobs(url: string, leaseMs = longLeaseMs): Promise<JobsFixture> {
  const options = { url, prefix: `oja-test-${randomUUID()}`, leaseMs, keepFailed };
  return {
    open: () => createRedisJobs(options),
    address: JSON.stringify({ redis: options }),
    clock: null,
    leaseMs,
    keepFailed,
    remove: () => forget(url, options.prefix),
  };
}

async function forget(url: string, prefix: string): Promise<void> {
  const redis = new Redis(url);
  for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: 1_000 })) {
    if (keys.length > 0) await redis.unlink(keys);
  }
  await redis.quit();
}
