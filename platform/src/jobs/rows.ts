import type { Sql } from '../sqlite/index.js';
import type { QueueCounts } from './port.js';

/**
 * `due` is when a waiting job may run, when an active one's lease ends (whoever had it is dead then,
 * and it may run again), and when a done or failed one ended. `wait` is how far ahead `due` was set.
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
