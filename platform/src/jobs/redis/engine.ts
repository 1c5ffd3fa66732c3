import { Worker as BullWorker, Queue, type Job as StoredJob, UnrecoverableError } from 'bullmq';
import { pause } from '../../clock.js';
import { type JsonObject, StoreUnavailable } from '../../eventstore/port.js';
import { sparing } from '../../logging/sparing.js';
import {
  checkWork,
  completeOptions,
  defaults,
  type Job,
  type Jobs,
  type KeptJob,
  type Worker,
  waitAfter,
} from '../port.js';
import {
  connection,
  defaultPrefix,
  jobName,
  leave,
  pauseBefore,
  portId,
  producing,
  storedId,
  whenReady,
  working,
} from './connection.js';

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

const defaultOpenMs = 10_000;

/** Nobody reads the library's stream of events; it keeps about so many a queue. */
const eventsKept = 100;

/** BullMQ puts those that are due in the same millisecond one after another, so many at most. */
const SCORES_PER_MS = 0x1000;

/** Its words for how a job stands; those for what is never asked of it are left out. */
const states: Readonly<Record<string, KeptJob['state']>> = {
  waiting: 'waiting',
  delayed: 'waiting',
  active: 'active',
  completed: 'done',
  failed: 'failed',
};

/** @throws StoreUnavailable when Redis does not answer. */
export async function openRedisJobs(options: RedisJobsOptions): Promise<Jobs> {
  const { url, prefix = defaultPrefix, leaseMs = defaults.leaseMs } = options;
  const { keepDone = defaults.keepDone, keepFailed = defaults.keepFailed } = options;
  const tell = options.onError ?? (() => {});
  const complain = sparing((error: unknown) => tell(error, null));
  const redis = connection(url, producing, complain);
  await whenReady(redis, options.openMs ?? defaultOpenMs);
  const queues = new Map<string, Queue<JsonObject>>();
  const workers = new Set<Worker>();

  function queueOf(name: string): Queue<JsonObject> {
    const known = queues.get(name);
    if (known) return known;
    const made = new Queue<JsonObject>(name, {
      connection: redis,
      prefix,
      streams: { events: { maxLen: eventsKept } },
    });
    made.on('error', complain);
    queues.set(name, made);
    return made;
  }

  return {
    async add(queue, data, addOptions) {
      const { id, delayMs, attempts, backoffMs } = completeOptions(queue, addOptions);
      // What is no JSON is the caller's mistake and not the engine's.
      const plain: JsonObject = JSON.parse(JSON.stringify(data));
      await answered(
        queueOf(queue).add(jobName, plain, {
          jobId: storedId(id),
          delay: delayMs,
          attempts,
          backoff: { type: 'doubled', delay: backoffMs },
          removeOnComplete: { count: keepDone },
          removeOnFail: { count: keepFailed },
          stackTraceLimit: 1,
        }),
      );
    },
    work(queue, handler, { concurrency = 1 } = {}) {
      checkWork(queue, concurrency);
      const worker = startRedisWorker(queue, handler, concurrency, {
        url,
        prefix,
        leaseMs,
        onError: (error, job) => (job ? tell(error, job) : complain(error)),
      });
      workers.add(worker);
      return {
        async close() {
          await worker.close();
          workers.delete(worker);
        },
      };
    },
    async counts(queue) {
      checkWork(queue, 1);
      const counted = await answered(
        queueOf(queue).getJobCounts('wait', 'delayed', 'active', 'failed'),
      );
      const { wait = 0, delayed = 0, active = 0, failed = 0 } = counted;
      return { waiting: wait, delayed, active, failed };
    },
    async find(queue, id) {
      checkWork(queue, 1);
      const known = queueOf(queue);
      const stored = await answered(known.getJob(storedId(id)));
      if (stored === undefined) return null;
      const state = states[await answered(stored.getState())];
      if (state === undefined) return null;
      const { timestamp, finishedOn, attemptsStarted: tries, opts } = stored;
      // A delay begins with the try that failed, whose time is kept nowhere else.
      const score = await answered(redis.zscore(known.toKey('delayed'), storedId(id)));
      const due = score === null ? timestamp : Math.floor(Number(score) / SCORES_PER_MS);
      return { id, queue, state, tries, attempts: opts.attempts ?? 1, at: finishedOn ?? due };
    },
    async close() {
      await Promise.all([...workers].map((worker) => worker.close()));
      workers.clear();
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      queues.clear();
      await leave(redis);
    },
  };
}

/** @throws StoreUnavailable: Redis is away, full, or cannot write. */
async function answered<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new StoreUnavailable(`Redis did not do it: ${why}`, false);
  }
}

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
