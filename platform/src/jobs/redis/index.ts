import type { Jobs } from '../port.js';
import type { RedisJobsOptions } from './engine.js';

export type { RedisJobsOptions } from './engine.js';

/**
 * Queues in Redis, through BullMQ. Its libraries are loaded only here: a market that needs none of
 * them starts a second sooner.
 *
 * @throws StoreUnavailable when Redis has not answered in time.
 */
export async function createRedisJobs(options: RedisJobsOptions): Promise<Jobs> {
  const { openRedisJobs } = await import('./engine.js');
  return openRedisJobs(options);
}
