import { createEmbeddedJobs, createRedisJobs } from '@oja/platform';

/** Opens the queues that a test is about, in a process of its own. */
export function openJobs(address) {
  const { embedded, redis } = JSON.parse(address);
  return embedded ? createEmbeddedJobs(embedded) : createRedisJobs(redis);
}
