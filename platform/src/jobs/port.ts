import type { JsonObject } from '../eventstore/port.js';

export interface JobOptions {
  /** Adding the same id again changes nothing while the first is known. No ':' (Redis refuses it). */
  readonly id: string;
  readonly delayMs?: number;
  /** Tries in all, the first included. Default 8. */
  readonly attempts?: number;
  /** Wait after the first failure; doubled after each. Default 1,000. */
  readonly backoffMs?: number;
}

export interface Job {
  readonly id: string;
  readonly queue: string;
  readonly data: JsonObject;
  /** 1 for the first try. */
  readonly attempt: number;
  /** Epoch milliseconds. */
  readonly addedAt: number;
}

export interface QueueCounts {
  readonly waiting: number;
  readonly delayed: number;
  readonly active: number;
  readonly failed: number;
}

export interface Worker {
  /** Takes no new job, lets the running ones end. */
  close(): Promise<void>;
}

/**
 * Queues that make things sooner; nothing may depend on one. A job may run twice (a worker that died),
 * so handlers are idempotent. No personal data, no secrets in `data`. Contract:
 * `platform/test/contracts/jobs.ts`.
 */
export interface Jobs {
  add(queue: string, data: JsonObject, options: JobOptions): Promise<void>;
  /** A handler that throws is tried again after the back-off. */
  work(
    queue: string,
    handler: (job: Job) => Promise<void>,
    options?: { readonly concurrency?: number },
  ): Worker;
  counts(queue: string): Promise<QueueCounts>;
  close(): Promise<void>;
}
