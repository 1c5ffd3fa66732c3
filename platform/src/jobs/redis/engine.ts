import { Worker as BullWorker, Queue, type Job as StoredJob, UnrecoverableError } from 'bullmq';
import { withTimeLimit } from '../../clock.js';
import { type JsonObject, StoreUnavailable } from '../../eventstore/port.js';
import { throttleRepeats } from '../../logging/outages.js';
import { messageOf } from '../../message-of.js';
import {
  checkWork,
  completeOptions,
  completeQueueOptions,
  createOpenWorkers,
  type Job,
  type Jobs,
  type KeptJob,
  type QueueOptions,
  type Worker,
  waitAfter,
} from '../port.js';
import {
  connection,
  defaultPrefix,
  disconnect,
  jobName,
  pauseBefore,
  portId,
  producerOptions,
  storedId,
  whenReady,
  workerOptions,
} from './connection.js';

export interface RedisJobsOptions extends QueueOptions {
  /** `redis://` or `rediss://` */
  readonly url: string;
  /** The prefix of all keys; two markets on one Redis need two. Default `oja`. */
  readonly prefix?: string;
  /** How long opening waits for Redis, in milliseconds. Default 10,000. */
  readonly openMs?: number;
}

const defaultOpenMs = 10_000;

/** About how many entries BullMQ keeps in each queue's event stream, which nobody reads. */
const eventsKept = 100;

/** BullMQ encodes the order of jobs that are due in the same millisecond in the low 12 bits of the score. */
const SCORES_PER_MS = 0x1000;

/** BullMQ's job states; those that we never use are left out. */
const states: Readonly<Record<string, KeptJob['state']>> = {
  waiting: 'waiting',
  delayed: 'waiting',
  active: 'active',
  completed: 'done',
  failed: 'failed',
};

/** Opens the queues. @throws StoreUnavailable when Redis does not answer. */
export async function openRedisJobs(options: RedisJobsOptions): Promise<Jobs> {
  const { url, prefix = defaultPrefix } = options;
  const { leaseMs, keepDone, keepFailed, onError: report } = completeQueueOptions(options);
  const complain = throttleRepeats((error: unknown) => report(error, null));
  const redis = connection(url, producerOptions, complain);
  await whenReady(redis, options.openMs ?? defaultOpenMs);
  const queues = new Map<string, Queue<JsonObject>>();
  const workers = createOpenWorkers();

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
      // A value that is not JSON is the caller's mistake, so this runs outside `answered`.
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
        onError: (error, job) => (job ? report(error, job) : complain(error)),
      });
      return workers.add(worker);
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
      const key = storedId(id);
      for (;;) {
        const before = await answered(known.getJobState(key));
        const stored = await answered(known.getJob(key));
        if (stored === undefined) return null;
        // After a failed try, the time of the next one is stored only in the delayed set's score.
        const score = await answered(redis.zscore(known.toKey('delayed'), key));
        // Redis keeps a job in several places, and a worker may have moved it while they were read.
        if ((await answered(known.getJobState(key))) !== before) continue;
        const state = states[before];
        if (state === undefined) return null;
        const { timestamp, finishedOn, attemptsStarted: tries, opts } = stored;
        const due = score === null ? timestamp : Math.floor(Number(score) / SCORES_PER_MS);
        return { id, queue, state, tries, attempts: opts.attempts ?? 1, at: finishedOn ?? due };
      }
    },
    async close() {
      await workers.close();
      await Promise.all([...queues.values()].map((queue) => queue.close()));
      queues.clear();
      await disconnect(redis);
    },
  };
}

/** Waits for an answer of Redis. @throws StoreUnavailable when Redis is away, full, or cannot write. */
async function answered<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw new StoreUnavailable('Redis', `Redis did not do it: ${messageOf(error)}`, false);
  }
}

interface RedisWorkerSettings extends Required<Pick<QueueOptions, 'leaseMs' | 'onError'>> {
  readonly url: string;
  readonly prefix: string;
}

/** Pause after a lost connection, in milliseconds; people would notice BullMQ's own 15 s. */
const retryMs = 500;

/** How long closing waits for ended jobs to be recorded in Redis, in milliseconds. */
const closingMs = 3_000;

/** Disables BullMQ's limit of stalled runs; the job's `attempts` counts tries that ended with their process. */
const noLimit = 1_000_000;

/** Stored in Redis as the reason of a failed job, instead of the handler's message, which may hold names. */
const seeLog = 'the handler failed; the log of the service says why';

function jobOf(queue: string, { id, data, timestamp, ...stored }: StoredJob<JsonObject>): Job {
  return { id: portId(id ?? ''), queue, data, attempt: stored.attemptsStarted, addedAt: timestamp };
}

/** Works a queue over its own connections, so that blocking reads for jobs do not delay other calls. */
function startRedisWorker(
  queue: string,
  handler: (job: Job) => Promise<void>,
  concurrency: number,
  { url, prefix, leaseMs, onError }: RedisWorkerSettings,
): Worker {
  const running = new Set<Promise<void>>();
  const complain = (error: unknown) => onError(error, null);
  let hasLeft = false;
  // BullMQ's own connection inherits this option, and would retry for as long as the process lives.
  const retryStrategy = (tries: number) => (hasLeft ? null : pauseBefore(tries));
  const redis = connection(url, { ...workerOptions, retryStrategy }, complain);

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
    // If Redis is away, the jobs run again when their leases end.
    await withTimeLimit(closingMs, closed, undefined);
    hasLeft = true;
    await disconnect(redis);
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
