import { type Clock, systemClock } from '../clock.js';
import {
  completeOptions,
  completeQueueOptions,
  type QueueCounts,
  type QueueOptions,
  waitAfter,
} from '../jobs/port.js';
import { createJobWorkers, type WakeableJobs } from '../jobs/worker.js';
import {
  type AddRequest,
  type EndRequest,
  type JobRow,
  type RenewRequest,
  type TakeReply,
  type TakeRequest,
  toKeptJob,
} from '../jobs/writes.js';
import type { Writer } from '../sqlite/index.js';
import { type Access, createNotifier, type Notifier, runImmediately } from './access.js';

interface QueuedJob extends JobRow {
  state: 'waiting' | 'active' | 'done' | 'failed';
  attempt: number;
  data: string;
  due: number;
  wait: number;
  lease: string | null;
}

interface Queue {
  readonly known: Map<string, QueuedJob>;
  /** Waiting or active jobs, by number. */
  readonly live: Map<number, QueuedJob>;
  /** Ids of ended jobs, oldest first. */
  readonly ended: { readonly done: string[]; readonly failed: string[] };
}

/** Shared by all engines opened on the same queues. */
export interface MemoryJobsData {
  readonly queues: Map<string, Queue>;
  readonly notifier: Notifier;
  readonly numbers: { last: number };
}

export const createMemoryJobsData = (): MemoryJobsData => ({
  queues: new Map(),
  notifier: createNotifier(),
  numbers: { last: 0 },
});

export interface MemoryJobsOptions extends QueueOptions {
  readonly data: MemoryJobsData;
  readonly access?: Access;
  readonly clock?: Clock;
}

/** Queues in memory, with the workers of the embedded engine; for simulations and tests. */
export function createMemoryJobs(options: MemoryJobsOptions): WakeableJobs {
  const { data, access = runImmediately, clock = systemClock } = options;
  const operations: Readonly<Record<string, (request: never) => unknown>> = {
    add: (request: AddRequest) => add(data, request),
    take: (request: TakeRequest) => take(data, request),
    renew: (request: RenewRequest) => renew(data, request),
    end: (request: EndRequest) => end(data, request),
  };
  const writer: Writer = {
    write: <T>(operation: string, request: unknown) =>
      access(operation, () => operations[operation]?.(request as never) as T),
    truncateWal: async () => true,
    close: async () => {},
  };
  const nextDue = (queue: string) => nextDueIn(queueOf(data, queue));
  const settings = { ...completeQueueOptions(options), clock, nextDue };
  const workers = createJobWorkers(writer, settings, (wake) =>
    data.notifier.listen(() => void access('news', wake)),
  );

  return {
    ...workers,
    async add(queue, given, jobOptions) {
      const { id, ...complete } = completeOptions(queue, jobOptions);
      const request = { queue, id, data: JSON.stringify(given), ...complete, now: clock.now() };
      if (await writer.write<boolean>('add', request)) data.notifier.notify();
    },
    counts: (queue) => access('counts', () => countsIn(queueOf(data, queue), clock.now())),
    find: (queue, id) =>
      access('find', () => {
        const job = queueOf(data, queue).known.get(id);
        return job === undefined ? null : toKeptJob(job);
      }),
  };
}

function queueOf({ queues }: MemoryJobsData, name: string): Queue {
  const known = queues.get(name);
  if (known) return known;
  const queue: Queue = {
    known: new Map(),
    live: new Map(),
    ended: { done: [], failed: [] },
  };
  queues.set(name, queue);
  return queue;
}

function add(data: MemoryJobsData, request: AddRequest): boolean {
  const { queue: name, id, delayMs, attempts, backoffMs, now } = request;
  const queue = queueOf(data, name);
  if (queue.known.has(id)) return false;
  data.numbers.last += 1;
  const job: QueuedJob = {
    number: data.numbers.last,
    id,
    queue: name,
    data: request.data,
    attempt: 0,
    attempts,
    backoff: backoffMs,
    added: now,
    state: 'waiting',
    due: delayMs === 0 ? 0 : now + delayMs,
    wait: delayMs,
    lease: null,
  };
  queue.known.set(id, job);
  queue.live.set(job.number, job);
  return true;
}

const byDue = (a: QueuedJob, b: QueuedJob) => a.due - b.due || a.number - b.number;

function take(data: MemoryJobsData, request: TakeRequest): TakeReply {
  const { many, lease, leaseMs, now, lastLook, keepFailed } = request;
  const queue = queueOf(data, request.queue);
  // After the clock went back, no job waits longer than its original wait.
  if (now < lastLook)
    for (const job of queue.live.values())
      if (job.due > now && job.due - job.wait > now) job.due = now + job.wait;
  // A job whose last allowed try ended with its process could kill the next process too.
  for (const job of [...queue.live.values()])
    if (job.state === 'active' && job.due <= now && job.attempt >= job.attempts)
      ended(queue, job, 'failed', now, keepFailed);
  const due = [...queue.live.values()].filter((job) => job.due <= now).sort(byDue);
  const taken = due.slice(0, many);
  for (const job of taken)
    Object.assign(job, { state: 'active', attempt: job.attempt + 1, lease, wait: leaseMs });
  for (const job of taken) job.due = now + leaseMs;
  return { jobs: taken.map((job) => ({ ...job })), nextDue: nextDueIn(queue) };
}

function nextDueIn({ live }: Queue): number | null {
  let next: number | null = null;
  for (const { due } of live.values()) next = Math.min(next ?? due, due);
  return next;
}

function renew(data: MemoryJobsData, { queue, lease, leaseMs, now }: RenewRequest): void {
  for (const job of queueOf(data, queue).live.values())
    if (job.state === 'active' && job.lease === lease)
      Object.assign(job, { due: now + leaseMs, wait: leaseMs });
}

/** Does nothing when the lease was lost: its new holder ends the job. */
function end(data: MemoryJobsData, request: EndRequest): void {
  const { number, lease, attempt, outcome, now, keepDone, keepFailed } = request;
  for (const queue of data.queues.values()) {
    const job = queue.live.get(number);
    if (job?.state !== 'active' || job.lease !== lease || job.attempt !== attempt) continue;
    if (outcome === 'failed' && job.attempt < job.attempts) {
      const wait = waitAfter(job.attempt, job.backoff);
      Object.assign(job, { state: 'waiting', lease: null, due: now + wait, wait });
    } else {
      ended(queue, job, outcome, now, outcome === 'done' ? keepDone : keepFailed);
    }
  }
}

/** Ends a job. Its id is remembered until `keep` more jobs have ended with the same outcome. */
function ended(
  queue: Queue,
  job: QueuedJob,
  outcome: 'done' | 'failed',
  now: number,
  keep: number,
): void {
  queue.live.delete(job.number);
  Object.assign(job, { state: outcome, lease: null, due: now });
  if (outcome === 'done') job.data = '{}';
  const list = queue.ended[outcome];
  list.push(job.id);
  for (const id of list.splice(0, Math.max(0, list.length - keep))) queue.known.delete(id);
}

function countsIn(queue: Queue, now: number): QueueCounts {
  const live = [...queue.live.values()];
  const count = (of: (job: QueuedJob) => boolean) => live.filter(of).length;
  return {
    waiting: count(({ state, due }) => state === 'waiting' && due <= now),
    delayed: count(({ state, due }) => state === 'waiting' && due > now),
    active: count(({ state }) => state === 'active'),
    failed: queue.ended.failed.length,
  };
}
