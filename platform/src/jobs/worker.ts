import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.js';
import { type JsonObject, StoreUnavailable } from '../eventstore/port.js';
import type { Writer } from '../sqlite/index.js';
import {
  checkWork,
  createOpenWorkers,
  type Job,
  type Jobs,
  type QueueOptions,
  type Worker,
} from './port.js';
import type { EndRequest, JobRow, RenewRequest, TakeReply, TakeRequest } from './writes.js';

/** Options of writes about leases and ended jobs. If a power cut loses one, the job runs again, as after a crash. */
const notDurable = { durable: false };

/** The longest timer that Node allows; a later time is reached by setting it again. */
const longestTimerMs = 2 ** 31 - 1;

/** A timer that can also be fired now. */
interface WakeTimer {
  fire(): void;
  /** Milliseconds from now. An earlier time that is already set stays. */
  setFor(milliseconds: number): void;
  clear(): void;
}

/** Calls `onFire` at most once in a turn of the event loop. It does not keep the process alive. */
function createWakeTimer(onFire: () => void): WakeTimer {
  let timer: NodeJS.Timeout | null = null;
  let at = Number.POSITIVE_INFINITY;
  let isFiring = false;

  function clear(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    at = Number.POSITIVE_INFINITY;
  }

  function fire(): void {
    if (isFiring) return;
    isFiring = true;
    queueMicrotask(() => {
      isFiring = false;
      clear();
      onFire();
    });
  }

  return {
    fire,
    setFor(milliseconds) {
      const wait = Math.min(Math.max(milliseconds, 1), longestTimerMs);
      if (performance.now() + wait >= at) return;
      clear();
      at = performance.now() + wait;
      timer = setTimeout(fire, wait).unref();
    },
    clear,
  };
}

export interface WorkerSettings extends Required<QueueOptions> {
  readonly clock: Clock;
  /**
   * When the next job of a queue may be due, in epoch milliseconds; null when there is none. A read, so
   * it does not wait for the writer.
   */
  nextDue(queue: string): number | null;
}

/** Queues that look for due jobs when they are told to, not only when time passes. */
export interface WakeableJobs extends Jobs {
  /** Makes every worker look for due jobs now, for example after a test has moved the clock. */
  wake(): void;
}

interface WakeableWorker extends Worker {
  /** Tells the worker that a job may be due. */
  wake(): void;
}

/** Pause after a failure of the engine, in milliseconds. */
const retryMs = 1_000;

function jobOf({ id, queue, attempt, added }: JobRow, data: JsonObject): Job {
  return { id, queue, data, attempt, addedAt: added };
}

/**
 * The workers of one engine. `listen` calls its argument when another process has added a job; only a
 * process with workers listens.
 */
export function createJobWorkers(
  writer: Writer,
  settings: WorkerSettings,
  listen: (wake: () => void) => () => void,
): Pick<WakeableJobs, 'wake' | 'work' | 'close'> {
  const workers = createOpenWorkers<WakeableWorker>();
  let unlisten: (() => void) | null = null;

  function wake(): void {
    for (const worker of workers.all()) worker.wake();
  }

  return {
    wake,
    work(queue, handler, { concurrency = 1 } = {}) {
      checkWork(queue, concurrency);
      unlisten ??= listen(wake);
      return workers.add(startJobWorker(writer, queue, handler, concurrency, settings));
    },
    async close() {
      unlisten?.();
      unlisten = null;
      await workers.close();
    },
  };
}

/** Takes jobs of one queue while fewer than `concurrency` run, and sleeps while none is due. */
function startJobWorker(
  writer: Writer,
  queue: string,
  handler: (job: Job) => Promise<void>,
  concurrency: number,
  settings: WorkerSettings,
): WakeableWorker {
  const { clock, leaseMs, keepDone, keepFailed, nextDue, onError } = settings;
  const lease = randomUUID();
  const running = new Set<Promise<void>>();
  let closed = false;
  let taking: Promise<void> | null = null;
  let again = false;
  let lastLook = Number.POSITIVE_INFINITY;
  const waker = createWakeTimer(takeMore);

  const renewal = setInterval(() => {
    if (running.size === 0) return;
    const request: RenewRequest = { queue, lease, leaseMs, now: clock.now() };
    writer.write('renew', request, notDurable).catch((error: unknown) => onError(error, null));
  }, leaseMs / 3).unref();

  /** Takes jobs, one call at a time. Calls made meanwhile cause one more take afterwards. */
  function takeMore(): void {
    if (closed) return;
    again = taking !== null;
    taking ??= take().finally(() => {
      taking = null;
      if (again) waker.fire();
    });
  }

  /** Calls the writer only if a job is due or the clock went back: a job added to any queue wakes every worker. */
  async function take(): Promise<void> {
    const many = concurrency - running.size;
    if (many <= 0) return;
    const now = clock.now();
    const request: TakeRequest = { queue, many, lease, leaseMs, now, lastLook, keepFailed };
    lastLook = now;
    try {
      const next = now < request.lastLook ? now : nextDue(queue);
      if (next === null) return;
      if (next > now) {
        waker.setFor(next - now);
        return;
      }
      const taken = await writer.write<TakeReply>('take', request, notDurable);
      for (const job of taken.jobs) start(job);
      if (taken.jobs.length === many) return;
      if (taken.nextDue !== null) waker.setFor(taken.nextDue - now);
    } catch (error) {
      lastLook = request.lastLook;
      onError(error, null);
      const isOver = error instanceof StoreUnavailable && error.permanent;
      if (!isOver) waker.setFor(retryMs);
    }
  }

  function start(row: JobRow): void {
    const run = runJob(row).finally(() => {
      running.delete(run);
      waker.fire();
    });
    running.add(run);
  }

  async function runJob(row: JobRow): Promise<void> {
    let job = jobOf(row, {});
    let outcome: EndRequest['outcome'] = 'done';
    try {
      // A bad disk or a manual change may have spoilt the data: then the job fails, and not the process.
      job = jobOf(row, JSON.parse(row.data));
      await handler(job);
    } catch (error) {
      outcome = 'failed';
      onError(error, job);
    }
    const { number, attempt } = row;
    const now = clock.now();
    const request: EndRequest = { number, lease, attempt, outcome, now, keepDone, keepFailed };
    // If this fails, the job runs again when its lease ends.
    await writer.write('end', request, notDurable).catch((error: unknown) => onError(error, job));
  }

  waker.fire();
  return {
    wake: () => waker.fire(),
    async close() {
      closed = true;
      waker.clear();
      await taking;
      while (running.size > 0) await Promise.all(running);
      clearInterval(renewal);
    },
  };
}
