import { createEmbeddedJobs, createRedisJobs } from '@oja/platform';

/** Opens the queues under test in a child process. `address`: JSON from the test's fixture. */
export function openJobs(address) {
  const { embedded, redis } = JSON.parse(address);
  return embedded ? createEmbeddedJobs(embedded) : createRedisJobs(redis);
}
