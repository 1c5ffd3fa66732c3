import type { Jobs } from '../port.js';
import type { RedisJobsOptions } from './engine.js';

export type { RedisJobsOptions } from './engine.js';

/**
 * Queues in Redis, through BullMQ. The libraries are loaded only here: a market without Redis starts a
 * second sooner.
 * @throws StoreUnavailable when Redis does not answer in time.
 */
export async function createRedisJobs(options: RedisJobsOptions): Promise<Jobs> {
  const { openRedisJobs } = await import('./engine.js');
  return openRedisJobs(options);
}
