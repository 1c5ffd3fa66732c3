import { type Clock, systemClock } from '../clock.js';
import { notifyWatchers, openSql, SMALL_FILES, startWriter, watch } from '../sqlite/index.js';
import { completeOptions, completeQueueOptions, type QueueOptions } from './port.js';
import { createJobWorkers, type WakeableJobs } from './worker.js';
import { type AddRequest, countsIn, findIn, nextDueIn, schema } from './writes.js';

export interface EmbeddedJobsOptions extends QueueOptions {
  readonly file: string;
  readonly clock?: Clock;
  /** Limits the file to this many pages of 4 KiB: a small disk, for tests. */
  readonly maxPages?: number;
}

/**
 * Queues in a SQLite file that several processes may share.
 * @throws StoreUnavailable when the file cannot be opened.
 */
export async function createEmbeddedJobs(options: EmbeddedJobsOptions): Promise<WakeableJobs> {
  const { file, maxPages, clock = systemClock } = options;
  const writer = await startWriter(new URL('./writes.js', import.meta.url), {
    schema,
    thread: SMALL_FILES,
    file,
    synchronous: 'FULL',
    ...(maxPages === undefined ? {} : { maxPages }),
  });
  const db = openSql(file, { readonly: true, synchronous: 'FULL' });
  const nextDue = (queue: string) => nextDueIn(db, queue);
  const settings = { ...completeQueueOptions(options), clock, nextDue };
  const workers = createJobWorkers(writer, settings, (wake) => watch(file, wake));

  return {
    ...workers,
    async add(queue, data, options) {
      const { id, delayMs, attempts, backoffMs } = completeOptions(queue, options);
      const now = clock.now();
      const json = JSON.stringify(data);
      const request: AddRequest = { queue, id, data: json, delayMs, attempts, backoffMs, now };
      if (await writer.write<boolean>('add', request)) notifyWatchers(file);
    },
    async counts(queue) {
      return countsIn(db, queue, clock.now());
    },
    async find(queue, id) {
      return findIn(db, queue, id);
    },
    async close() {
      await workers.close();
      await writer.close();
      db.close();
    },
  };
}
