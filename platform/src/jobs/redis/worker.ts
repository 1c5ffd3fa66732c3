import { Worker as BullWorker, type Job as StoredJob, UnrecoverableError } from 'bullmq';
import { pause } from '../../clock.js';
import type { JsonObject } from '../../eventstore/port.js';
import { type Job, type Worker, waitAfter } from '../port.js';
import { connection, leave, pauseBefore, portId, working } from './connection.js';

export interface RedisWorkerSettings {
  readonly url: string;
  readonly prefix: string;
  /** How long a job stays with a process that no longer says it is alive. */
  readonly leaseMs: number;
  /** A handler threw, or the engine did (job null): for the log. */
  readonly onError: (error: unknown, job: Job | null) => void;
}

/** After Redis went away, in milliseconds; the library's own 15 s would be noticed by people. */
const retryMs = 500;

/** What ended jobs still have to tell Redis may take this long at a close, in milliseconds. */
const farewellMs = 3_000;

/** Tries are counted by the job's own `attempts`, also those that ended with their process. */
const noLimit = 1_000_000;

/** Kept beside failed jobs in Redis, in the place of what the handler said: that may name people. */
const seeLog = 'the handler failed; the log of the service says why';

function jobOf(queue: string, { id, data, timestamp, ...stored }: StoredJob<JsonObject>): Job {
  return { id: portId(id ?? ''), queue, data, attempt: stored.attemptsStarted, addedAt: timestamp };
}

/** Works a queue over connections of its own, so that waiting for jobs keeps nobody else waiting. */
export function startRedisWorker(
  queue: string,
  handler: (job: Job) => Promise<void>,
  concurrency: number,
  { url, prefix, leaseMs, onError }: RedisWorkerSettings,
): Worker {
  const running = new Set<Promise<void>>();
  const complain = (error: unknown) => onError(error, null);
  let hasLeft = false;
  // The library's own connection takes this over, and would go on trying for as long as the process lives.
  const retryStrategy = (tries: number) => (hasLeft ? null : pauseBefore(tries));
  const redis = connection(url, { ...working, retryStrategy }, complain);

  async function run(stored: StoredJob<JsonObject>): Promise<void> {
    const job = jobOf(queue, stored);
    const attempts = stored.opts.attempts ?? 1;
    if (job.attempt > attempts) throw new UnrecoverableError('its last try ended with its process');
    try {
      await handler(job);
    } catch (error) {
      onError(error, job);
      throw job.attempt < attempts ? new Error(seeLog) : new UnrecoverableError(seeLog);
    }
  }

  const worker = new BullWorker<JsonObject>(
    queue,
    (stored) => {
      const work = run(stored);
      const ended = work
        .catch(() => undefined)
        .finally(() => {
          running.delete(ended);
        });
      running.add(ended);
      return work;
    },
    {
      connection: redis,
      prefix,
      concurrency,
      lockDuration: leaseMs,
      stalledInterval: leaseMs / 2,
      maxStalledCount: noLimit,
      runRetryDelay: retryMs,
      settings: {
        backoffStrategy: (tries, _type, _error, stored) =>
          waitAfter(tries, backoffOf(stored?.opts)),
      },
    },
  );
  worker.on('error', complain);

  async function close(): Promise<void> {
    const closed = worker.close();
    while (running.size > 0) await Promise.all(running);
    // A Redis that is away hears nothing any more; its jobs run again when their leases have ended.
    const patience = new AbortController();
    await Promise.race([closed, pause(farewellMs, patience.signal)]);
    patience.abort();
    hasLeft = true;
    await leave(redis);
  }

  let closing: Promise<void> | null = null;
  return {
    close() {
      closing ??= close();
      return closing;
    },
  };
}

function backoffOf(options: StoredJob['opts'] | undefined): number {
  const backoff = options?.backoff;
  return typeof backoff === 'object' ? (backoff.delay ?? 0) : 0;
}
