import { backOff } from '../clock.js';
import type { EventMetadata, JsonObject } from '../eventstore/port.js';
import { currentCorrelation, withCorrelation } from '../logging/correlation.js';

/** The job, queue name or option is invalid; nothing was added. */
export class InvalidJob extends Error {
  override readonly name = 'InvalidJob';
}

export interface JobOptions {
  /** Adding a known id again changes nothing. No ':' (Redis refuses it). */
  readonly id: string;
  readonly delayMs?: number;
  /** The number of tries, the first included. Default 8. */
  readonly attempts?: number;
  /** Milliseconds to wait after the first failure; doubled after each further one. Default 1,000. */
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

/** A job as its engine remembers it, without its data. */
export interface KeptJob {
  readonly id: string;
  readonly queue: string;
  readonly state: 'waiting' | 'active' | 'done' | 'failed';
  /** How often the job was started. */
  readonly tries: number;
  /** How often the job may be started. */
  readonly attempts: number;
  /** Epoch milliseconds: when a waiting job may start, an active job was added, or a done or failed job ended. */
  readonly at: number;
}

export interface Worker {
  /** Takes no new jobs and waits for the running ones. */
  close(): Promise<void>;
}

/**
 * Job queues. They only make work happen sooner, and nothing may depend on them. A job may run twice
 * (when its worker dies), so handlers must be idempotent. No personal data and no secrets in `data`.
 * Contract: `platform/test/contracts/jobs.ts`.
 */
export interface Jobs {
  add(queue: string, data: JsonObject, options: JobOptions): Promise<void>;
  /** Starts a worker. When the handler throws, the job is retried after the back-off. */
  work(
    queue: string,
    handler: (job: Job) => Promise<void>,
    options?: { readonly concurrency?: number },
  ): Worker;
  counts(queue: string): Promise<QueueCounts>;
  /** The status of a job; null when it was never added, or is no longer remembered. */
  find(queue: string, id: string): Promise<KeptJob | null>;
  close(): Promise<void>;
}

/** What every engine of queues can be given. */
export interface QueueOptions {
  /** Milliseconds until the job of a killed process runs again. Default 15,000. */
  readonly leaseMs?: number;
  /** How many ended jobs a queue remembers, by outcome. Default 10,000 done and 1,000 failed. */
  readonly keepDone?: number;
  readonly keepFailed?: number;
  /** Called with errors of handlers, and with failures of the engine (job is null). Default: ignored. */
  readonly onError?: (error: unknown, job: Job | null) => void;
}

/** Fills in the defaults. */
export function completeQueueOptions(options: QueueOptions): Required<QueueOptions> {
  const { leaseMs = 15_000, keepDone = 10_000, keepFailed = 1_000, onError = () => {} } = options;
  return { leaseMs, keepDone, keepFailed, onError };
}

/** A day. */
const longestWaitMs = 86_400_000;

/** The pause after a failed try, in milliseconds; at most a day. */
export const waitAfter = (attempt: number, backoffMs: number): number =>
  backOff(attempt, backoffMs, longestWaitMs);

/** Checks the options and fills in the defaults. @throws InvalidJob */
export function completeOptions(queue: string, options: JobOptions): Required<JobOptions> {
  const { id, delayMs = 0, attempts = 8, backoffMs = 1_000 } = options;
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

/** Adds the correlation id, and the trace if there is one, of the event that the job follows from. */
export const withEventCorrelation = (
  data: JsonObject,
  { correlationId, traceparent }: EventMetadata,
): JsonObject => ({ ...data, [FIELD]: correlationId, ...(traceparent && { traceparent }) });

/** Adds the correlation id of the current request or job, for a job that follows from no event. */
export function withCurrentCorrelation(data: JsonObject): JsonObject {
  const correlationId = currentCorrelation();
  return correlationId === undefined ? data : { ...data, [FIELD]: correlationId };
}

/** Runs `work` under the correlation id in the job's data, else under the job's own id. */
export function withJobCorrelation<T>({ id, data }: Job, work: () => T): T {
  const { [FIELD]: correlationId } = data;
  return withCorrelation(typeof correlationId === 'string' ? correlationId : id, work);
}

/** The workers of an engine that are still open. */
export function createOpenWorkers<W extends Worker>() {
  const open = new Set<W>();
  return {
    all: (): Iterable<W> => open,
    /** Keeps a worker until it is closed. */
    add(worker: W): Worker {
      open.add(worker);
      return {
        async close() {
          await worker.close();
          open.delete(worker);
        },
      };
    },
    async close(): Promise<void> {
      await Promise.all([...open].map((worker) => worker.close()));
      open.clear();
    },
  };
}
