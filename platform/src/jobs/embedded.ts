import { type Clock, systemClock } from '../clock.js';
import { notifyWatchers, openSql, SMALL_FILES, startWriter, watch } from '../sqlite/index.js';
import { checkWork, completeOptions, defaults, type Job, type Jobs } from './port.js';
import { startJobWorker, type WakeableWorker, type WorkerSettings } from './worker.js';
import { type AddRequest, countsIn, findIn, nextDueIn, schema } from './writes.js';

export interface EmbeddedJobsOptions {
  readonly file: string;
  readonly clock?: Clock;
  /** Milliseconds until the job of a killed process runs again. Default 15,000. */
  readonly leaseMs?: number;
  /** How many ended jobs a queue remembers, by outcome. Default 10,000 done and 1,000 failed. */
  readonly keepDone?: number;
  readonly keepFailed?: number;
  /** Called with errors of handlers, and with failures of the engine (job is null). Default: ignored. */
  readonly onError?: (error: unknown, job: Job | null) => void;
  /** Limits the file to this many pages of 4 KiB: a small disk, for tests. */
  readonly maxPages?: number;
}

export interface EmbeddedJobs extends Jobs {
  /** Makes every worker look for due jobs now, for example after a test has moved the clock. */
  wake(): void;
}

/**
 * Queues in a SQLite file that several processes may share.
 * @throws StoreUnavailable when the file cannot be opened.
 */
export async function createEmbeddedJobs(options: EmbeddedJobsOptions): Promise<EmbeddedJobs> {
  const { file, maxPages, clock = systemClock } = options;
  const settings: WorkerSettings = {
    clock,
    leaseMs: options.leaseMs ?? defaults.leaseMs,
    keepDone: options.keepDone ?? defaults.keepDone,
    keepFailed: options.keepFailed ?? defaults.keepFailed,
    nextDue: (queue) => nextDueIn(db, queue),
    onError: options.onError ?? (() => {}),
  };
  const writer = await startWriter(new URL('./writes.js', import.meta.url), {
    schema,
    thread: SMALL_FILES,
    file,
    synchronous: 'FULL',
    ...(maxPages === undefined ? {} : { maxPages }),
  });
  const db = openSql(file, { readonly: true, synchronous: 'FULL' });
  const workers = new Set<WakeableWorker>();
  const wake = () => {
    for (const worker of workers) worker.wake();
  };
  // Only a process with workers watches for jobs that other processes add.
  let unwatch: (() => void) | null = null;

  return {
    wake,
    async add(queue, data, options) {
      const { id, delayMs, attempts, backoffMs } = completeOptions(queue, options);
      const now = clock.now();
      const json = JSON.stringify(data);
      const request: AddRequest = { queue, id, data: json, delayMs, attempts, backoffMs, now };
      if (await writer.write<boolean>('add', request)) notifyWatchers(file);
    },
    work(queue, handler, { concurrency = 1 } = {}) {
      checkWork(queue, concurrency);
      unwatch ??= watch(file, wake);
      const worker = startJobWorker(writer, queue, handler, concurrency, settings);
      workers.add(worker);
      return {
        async close() {
          await worker.close();
          workers.delete(worker);
        },
      };
    },
    async counts(queue) {
      return countsIn(db, queue, clock.now());
    },
    async find(queue, id) {
      return findIn(db, queue, id);
    },
    async close() {
      await Promise.all([...workers].map((worker) => worker.close()));
      workers.clear();
      unwatch?.();
      unwatch = null;
      await writer.close();
      db.close();
    },
  };
}
