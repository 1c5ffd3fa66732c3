export { createEmbeddedJobs, type EmbeddedJobs, type EmbeddedJobsOptions } from './embedded.js';
export type * from './port.js';
export { correlated, following, InvalidJob, underItsCorrelation } from './port.js';
export { createRedisJobs, type RedisJobsOptions } from './redis/index.js';
