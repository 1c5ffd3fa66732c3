import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.js';
import { StoreUnavailable } from '../eventstore/port.js';
import type { Writer } from '../sqlite/index.js';
import type { Job, Worker } from './port.js';
import type { EndRequest, JobRow, RenewRequest, TakeReply, TakeRequest } from './writes.js';

/** Who has a job, and that it is done: after a power cut it runs again, as after the death of its process. */
const repeatable = { durable: false };

/** Node's timers go no further; a later alarm is set again when this one has rung. */
const longestMs = 2 ** 31 - 1;

/** Something that can be woken: at once, or after a time. */
interface Alarm {
  ring(): void;
  /** Milliseconds from now; an earlier alarm stays. */
  setFor(milliseconds: number): void;
  clear(): void;
}

/** Calls `onRing` once for all rings of one turn of the event loop. Keeps no process alive. */
function alarm(onRing: () => void): Alarm {
  let timer: NodeJS.Timeout | null = null;
  let at = Number.POSITIVE_INFINITY;
  let isRinging = false;

  function clear(): void {
    if (timer) clearTimeout(timer);
    timer = null;
    at = Number.POSITIVE_INFINITY;
  }

  function ring(): void {
    if (isRinging) return;
    isRinging = true;
    queueMicrotask(() => {
      isRinging = false;
      clear();
      onRing();
    });
  }

  return {
    ring,
    setFor(milliseconds) {
      const wait = Math.min(Math.max(milliseconds, 1), longestMs);
      if (performance.now() + wait >= at) return;
      clear();
      at = performance.now() + wait;
      timer = setTimeout(ring, wait).unref();
    },
    clear,
  };
}

export interface WorkerSettings {
  readonly clock: Clock;
  /** How long a job stays with a process that no longer says it is alive. */
  readonly leaseMs: number;
  readonly keepDone: number;
  readonly keepFailed: number;
  /** When the next job of a queue may be due, in epoch milliseconds; null: there is none. A read, which waits for nobody. */
  nextDue(queue: string): number | null;
  /** A handler threw, or the engine did: for the log. */
  readonly onError: (error: unknown, job: Job | null) => void;
}

export interface WakeableWorker extends Worker {
  readonly queue: string;
  /** There may be something to do. */
  wake(): void;
}

/** After the engine failed to answer, in milliseconds. */
const retryMs = 1_000;

function jobOf({ id, queue, data, attempt, added }: JobRow): Job {
  return { id, queue, data: JSON.parse(data), attempt, addedAt: added };
}

/** Takes jobs of one queue as long as fewer than `concurrency` run, and is asleep when none is due. */
export function startJobWorker(
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
  const waker = alarm(takeMore);

  const renewal = setInterval(() => {
    if (running.size === 0) return;
    const request: RenewRequest = { queue, lease, leaseMs, now: clock.now() };
    writer.write('renew', request, repeatable).catch((error: unknown) => onError(error, null));
  }, leaseMs / 3).unref();

  /** One taking at a time; what calls in the meantime makes another one follow. */
  function takeMore(): void {
    if (closed) return;
    again = taking !== null;
    taking ??= take().finally(() => {
      taking = null;
      if (again) waker.ring();
    });
  }

  /**
   * Asks the writer only where something is due, or the clock went back: every worker is woken by whatever is added
   * to any queue.
   */
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
      const taken = await writer.write<TakeReply>('take', request, repeatable);
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
      waker.ring();
    });
    running.add(run);
  }

  async function runJob(row: JobRow): Promise<void> {
    const job = jobOf(row);
    let outcome: EndRequest['outcome'] = 'done';
    try {
      await handler(job);
    } catch (error) {
      outcome = 'failed';
      onError(error, job);
    }
    const { number, attempt } = row;
    const now = clock.now();
    const request: EndRequest = { number, lease, attempt, outcome, now, keepDone, keepFailed };
    // Unanswered, it runs again when the lease has ended.
    await writer.write('end', request, repeatable).catch((error: unknown) => onError(error, job));
  }

  waker.ring();
  return {
    queue,
    wake: () => waker.ring(),
    async close() {
      closed = true;
      waker.clear();
      await taking;
      while (running.size > 0) await Promise.all(running);
      clearInterval(renewal);
    },
  };
}
