import { isUtf8 } from 'node:buffer';
import { type Sql, textIn, type WriteOperations } from '../sqlite/index.js';
import { type KeptJob, type QueueCounts, waitAfter } from './port.js';

/**
 * `due`: when a waiting job may run, when an active job's lease ends (its worker is then dead, and the
 * job may run again), or when a done or failed job ended. `wait`: how far ahead `due` was set.
 */
export const schema = `
  CREATE TABLE IF NOT EXISTS jobs (
    number INTEGER PRIMARY KEY,
    queue TEXT NOT NULL,
    id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'active', 'done', 'failed')),
    data TEXT NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL,
    backoff INTEGER NOT NULL,
    added INTEGER NOT NULL,
    due INTEGER NOT NULL,
    wait INTEGER NOT NULL,
    lease TEXT,
    UNIQUE (queue, id)
  );
  CREATE INDEX IF NOT EXISTS jobs_by_state ON jobs (queue, state, due, number);
  CREATE INDEX IF NOT EXISTS jobs_live ON jobs (queue, due, number)
    WHERE state IN ('waiting', 'active');`;

/** What the texts of a row are, for the message about a damaged one. */
const A_JOB = 'a job';

export interface JobRow {
  readonly number: number;
  readonly id: string;
  readonly queue: string;
  readonly data: string;
  readonly attempt: number;
  readonly attempts: number;
  readonly backoff: number;
  readonly added: number;
}

export function countsIn(db: Sql, queue: string, now: number): QueueCounts {
  const rows = db.all<{ state: string; later: number; jobs: number }>(
    `SELECT state, state = 'waiting' AND due > ? AS later, count(*) AS jobs
     FROM jobs WHERE queue = ? AND state IN ('waiting', 'active', 'failed') GROUP BY 1, 2`,
    [now, queue],
  );
  const jobs = (state: string, later: number) =>
    rows.find((row) => row.state === state && row.later === later)?.jobs ?? 0;
  return {
    waiting: jobs('waiting', 0),
    delayed: jobs('waiting', 1),
    active: jobs('active', 0),
    failed: jobs('failed', 0),
  };
}

type StoredJob = Pick<JobRow, 'id' | 'queue' | 'attempt' | 'attempts' | 'added'> &
  Pick<KeptJob, 'state'> & { readonly due: number };

/** A waiting job without a delay has `due` 0; the time it was added counts then. */
export const toKeptJob = (job: StoredJob): KeptJob => ({
  id: job.id,
  queue: job.queue,
  state: job.state,
  tries: job.attempt,
  attempts: job.attempts,
  at: job.state === 'active' ? job.added : Math.max(job.added, job.due),
});

export function findIn(db: Sql, queue: string, id: string): KeptJob | null {
  const [found] = db.all<
    Omit<StoredJob, 'id' | 'queue' | 'state'> & { readonly bytes: Uint8Array }
  >(
    `SELECT CAST(state AS BLOB) AS bytes, attempt, attempts, added, due FROM jobs WHERE queue = ? AND id = ?`,
    [queue, id],
  );
  if (found === undefined) return null;
  const { bytes, ...job } = found;
  return toKeptJob({ ...job, queue, id, state: textIn(db, bytes, A_JOB) as KeptJob['state'] });
}

export interface AddRequest {
  readonly queue: string;
  readonly id: string;
  readonly data: string;
  readonly delayMs: number;
  readonly attempts: number;
  readonly backoffMs: number;
  readonly now: number;
}

export interface TakeRequest {
  readonly queue: string;
  readonly many: number;
  /** Identifies the worker; only the holder of the lease may end the jobs. */
  readonly lease: string;
  readonly leaseMs: number;
  readonly now: number;
  /** When this worker last looked at the queue; Infinity when it never has. */
  readonly lastLook: number;
  readonly keepFailed: number;
}

export interface TakeReply {
  readonly jobs: readonly JobRow[];
  /** When the next job may be due, in epoch milliseconds; null when there is none. */
  readonly nextDue: number | null;
}

export interface RenewRequest {
  readonly queue: string;
  readonly lease: string;
  readonly leaseMs: number;
  readonly now: number;
}

export interface EndRequest {
  readonly number: number;
  readonly lease: string;
  readonly attempt: number;
  readonly outcome: 'done' | 'failed';
  readonly now: number;
  readonly keepDone: number;
  readonly keepFailed: number;
}

/** Returns whether the job is new. A job without a delay is due at 0, so it runs even if the clock goes back. */
function add(db: Sql, { queue, id, data, delayMs, attempts, backoffMs, now }: AddRequest): boolean {
  const due = delayMs === 0 ? 0 : now + delayMs;
  const added = db.run(
    `INSERT INTO jobs (queue, id, state, data, attempts, backoff, added, due, wait)
     VALUES (?, ?, 'waiting', ?, ?, ?, ?, ?, ?) ON CONFLICT (queue, id) DO NOTHING`,
    [queue, id, data, attempts, backoffMs, now, due, delayMs],
  );
  return added === 1;
}

/** When the next job of the queue may be due, in epoch milliseconds; null when there is none. */
export function nextDueIn(db: Sql, queue: string): number | null {
  const [next] = db.all<{ due: number }>(
    `SELECT due FROM jobs
     WHERE queue = ? AND state IN ('waiting', 'active') ORDER BY due LIMIT 1`,
    [queue],
  );
  return next?.due ?? null;
}

/** The data of a job; what is no text becomes what is no JSON, so that the job fails, and not the process. */
function dataIn(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes);
  return isUtf8(buffer) ? buffer.toString() : '';
}

function take(db: Sql, request: TakeRequest): TakeReply {
  const { queue, many, lease, leaseMs, now, lastLook, keepFailed } = request;
  if (now < lastLook) capWaits(db, queue, now);
  failCrashingJobs(db, queue, now, keepFailed);
  const rows = db.all<
    Omit<JobRow, 'id' | 'queue' | 'data'> & {
      readonly name: Uint8Array;
      readonly bytes: Uint8Array;
    }
  >(
    `SELECT number, CAST(id AS BLOB) AS name, CAST(data AS BLOB) AS bytes, attempt + 1 AS attempt, attempts, backoff, added FROM jobs
     WHERE queue = ? AND state IN ('waiting', 'active') AND due <= ? ORDER BY due, number LIMIT ?`,
    [queue, now, many],
  );
  const jobs = rows.map(({ name, bytes, ...job }) => ({
    ...job,
    queue,
    id: textIn(db, name, A_JOB),
    data: dataIn(bytes),
  }));
  for (const { number } of jobs) {
    db.run(
      `UPDATE jobs SET state = 'active', attempt = attempt + 1, lease = ?, due = ?, wait = ?
       WHERE number = ?`,
      [lease, now + leaseMs, leaseMs, number],
    );
  }
  return { jobs, nextDue: nextDueIn(db, queue) };
}

/** After the clock went back, no job waits longer than its original wait. */
function capWaits(db: Sql, queue: string, now: number): void {
  db.run(
    `UPDATE jobs SET due = ?1 + wait
     WHERE queue = ?2 AND state IN ('waiting', 'active') AND due > ?1 AND due - wait > ?1`,
    [now, queue],
  );
}

/** Fails jobs whose last allowed try ended with its process: they could kill the next process too. */
function failCrashingJobs(db: Sql, queue: string, now: number, keepFailed: number): void {
  const ended = db.run(
    `UPDATE jobs SET state = 'failed', lease = NULL, due = ?
     WHERE queue = ? AND state = 'active' AND due <= ? AND attempt >= attempts`,
    [now, queue, now],
  );
  if (ended > 0) forgetOldest(db, queue, 'failed', keepFailed);
}

/** Extends the lease of all running jobs of a worker. */
function renew(db: Sql, { queue, lease, leaseMs, now }: RenewRequest): void {
  db.run(`UPDATE jobs SET due = ?, wait = ? WHERE queue = ? AND state = 'active' AND lease = ?`, [
    now + leaseMs,
    leaseMs,
    queue,
    lease,
  ]);
}

/** Does nothing when the lease was lost: its new holder ends the job. */
function end(db: Sql, request: EndRequest): void {
  const { number, lease, attempt, outcome, now, keepDone, keepFailed } = request;
  const [job] = db.all<
    Pick<JobRow, 'attempt' | 'attempts' | 'backoff'> & { readonly bytes: Uint8Array }
  >(
    `SELECT CAST(queue AS BLOB) AS bytes, attempt, attempts, backoff FROM jobs
     WHERE number = ? AND state = 'active' AND lease = ? AND attempt = ?`,
    [number, lease, attempt],
  );
  if (!job) return;
  if (outcome === 'failed' && job.attempt < job.attempts) {
    const wait = waitAfter(job.attempt, job.backoff);
    db.run(`UPDATE jobs SET state = 'waiting', lease = NULL, due = ?, wait = ? WHERE number = ?`, [
      now + wait,
      wait,
      number,
    ]);
    return;
  }
  // The id is still remembered; the data of a done job is no longer needed.
  db.run(
    `UPDATE jobs SET state = ?, lease = NULL, due = ?, data = iif(? = 'done', '{}', data)
     WHERE number = ?`,
    [outcome, now, outcome, number],
  );
  const queue = textIn(db, job.bytes, A_JOB);
  forgetOldest(db, queue, outcome, outcome === 'done' ? keepDone : keepFailed);
}

/** How many jobs have ended since the last clean-up, by connection, queue and outcome. It makes clean-ups rare. */
const sinceForgotten = new WeakMap<Sql, Map<string, number>>();

/** Keeps the `keep` jobs that ended last, and up to a tenth more between clean-ups. */
function forgetOldest(db: Sql, queue: string, state: 'done' | 'failed', keep: number): void {
  const counts = sinceForgotten.get(db) ?? new Map<string, number>();
  sinceForgotten.set(db, counts);
  const key = `${state}:${queue}`;
  const since = (counts.get(key) ?? 0) + 1;
  counts.set(key, since);
  if (since * 10 < keep) return;
  counts.set(key, 0);
  db.run(
    `DELETE FROM jobs WHERE number IN (SELECT number FROM jobs WHERE queue = ? AND state = ?
     ORDER BY due DESC, number DESC LIMIT -1 OFFSET ?)`,
    [queue, state, keep],
  );
}

export const operations: WriteOperations = { add, take, renew, end };
