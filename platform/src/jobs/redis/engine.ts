import { Queue } from 'bullmq';
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
} from '../port.js';
import {
  connection,
  defaultPrefix,
  jobName,
  leave,
  producing,
  storedId,
  whenReady,
} from './connection.js';
import { startRedisWorker } from './worker.js';

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
