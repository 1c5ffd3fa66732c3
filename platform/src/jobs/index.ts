export { correlated, underItsCorrelation } from './correlation.js';
export { createEmbeddedJobs, type EmbeddedJobs, type EmbeddedJobsOptions } from './embedded.js';
export { InvalidJob } from './errors.js';
export type * from './port.js';
export { createRedisJobs, type RedisJobsOptions } from './redis/index.js';
