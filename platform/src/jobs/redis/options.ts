import type { Job } from '../port.js';

export interface RedisJobsOptions {
  /** `redis://` or `rediss://` */
  readonly url: string;
  /** What all keys begin with; two markets on one Redis need two. Default `oja`. */
  readonly prefix?: string;
  /** How long a start waits for Redis, in milliseconds. Default 10,000. */
  readonly openMs?: number;
  /** Milliseconds until the job of a killed process runs again. Default 15,000. */
  readonly leaseMs?: number;
  /** How many ended jobs a queue remembers, by outcome. Default 10,000 done and 1,000 failed. */
  readonly keepDone?: number;
  readonly keepFailed?: number;
  /** Told of what handlers throw, and of a failing engine (job null). Default: nobody. */
  readonly onError?: (error: unknown, job: Job | null) => void;
}
