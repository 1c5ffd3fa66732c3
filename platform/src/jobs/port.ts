import type { EventMetadata, JsonObject } from '../eventstore/port.js';
import { currentCorrelation, withCorrelation } from '../logging/correlation.js';

/** A job, queue or option that no engine takes; nothing was added. */
export class InvalidJob extends Error {
  override readonly name = 'InvalidJob';
}

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

/** A job as its engine remembers it, without what it carried. */
export interface KeptJob {
  readonly id: string;
  readonly queue: string;
  readonly state: 'waiting' | 'active' | 'done' | 'failed';
  /** How often it was begun. */
  readonly tries: number;
  /** How often it is begun at most. */
  readonly attempts: number;
  /** Epoch milliseconds: one that waits is begun then, one that runs was added, one that is done or failed has ended. */
  readonly at: number;
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
  /** How a job stands; null for one that was never added, or has been forgotten since it ended. */
  find(queue: string, id: string): Promise<KeptJob | null>;
  close(): Promise<void>;
}

/** What a job and a queue are where the caller says nothing else. */
export const defaults = {
  attempts: 8,
  backoffMs: 1_000,
  leaseMs: 15_000,
  keepDone: 10_000,
  keepFailed: 1_000,
};

/** A day. */
const longestWaitMs = 86_400_000;

/** Before the try after this one, in milliseconds. */
export const waitAfter = (attempt: number, backoffMs: number): number =>
  Math.min(backoffMs * 2 ** (attempt - 1), longestWaitMs);

/** A job's options with nothing left out. @throws InvalidJob */
export function completeOptions(queue: string, options: JobOptions): Required<JobOptions> {
  const { id, delayMs = 0, ...rest } = options;
  const { attempts = defaults.attempts, backoffMs = defaults.backoffMs } = rest;
  checkName('queue', queue);
  checkName('job id', id);
  checkNumber('attempts', attempts, 1);
  checkNumber('backoffMs', backoffMs, 0);
  checkNumber('delayMs', delayMs, 0);
  return { id, delayMs, attempts, backoffMs };
}

/** @throws InvalidJob */
export function checkWork(queue: string, concurrency: number): void {
  checkName('queue', queue);
  checkNumber('concurrency', concurrency, 1);
}

/** Redis refuses ':' in names, so no engine takes it. */
function checkName(what: string, name: string): void {
  if (name === '' || name.includes(':')) throw new InvalidJob(`'${name}' cannot be a ${what}`);
}

function checkNumber(what: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw new InvalidJob(`${what} must be a whole number from ${least}, not ${value}`);
  }
}

const FIELD = 'correlationId';

/** Job data that remembers the event that the job follows from: its story, and its trace where there is one. */
export const correlated = (
  data: JsonObject,
  { correlationId, traceparent }: EventMetadata,
): JsonObject => ({ ...data, [FIELD]: correlationId, ...(traceparent && { traceparent }) });

/** The same where no event asks for it: the job goes on with what this code runs for, a request or another job. */
export function following(data: JsonObject): JsonObject {
  const correlationId = currentCorrelation();
  return correlationId === undefined ? data : { ...data, [FIELD]: correlationId };
}

/** Works a job under the correlation id of the request it follows from; else under its own id. */
export function underItsCorrelation<T>({ id, data }: Job, work: () => T): T {
  const { [FIELD]: correlationId } = data;
  return withCorrelation(typeof correlationId === 'string' ? correlationId : id, work);
}
