import {
  isLocked,
  openLogAndQueues,
  runningServices,
  StoreUnavailable,
  systemClock,
} from '@oja/platform';
import type { Answer } from '../../answers/index.js';
import { openData, planOrExit } from '../../runtime/open-data.js';
import { freeBytesIn } from '../shared/disk-space.js';
import {
  enginesOf,
  loggedErrors,
  NO_QUEUES,
  newestFirst,
  queueCounts,
  writesStopped,
} from './figures.js';

/** The status when MongoDB does not answer, which has the heartbeats, the read models and what is owed. */
export type StatusWithoutStores = Extract<Answer<'status'>, { readonly services: unknown }>;

/** Whether an error says that MongoDB could not be opened. */
export const isMongoAway = (error: unknown): error is StoreUnavailable =>
  error instanceof StoreUnavailable && !error.permanent && error.engine === 'MongoDB';

/**
 * What this machine, the log and the queues tell. `why`: the reason in words; it becomes the first problem. The log
 * is waited for `timeoutMs` milliseconds.
 */
export async function statusWithoutStores(
  why: string,
  timeoutMs: number,
): Promise<StatusWithoutStores> {
  const plan = planOrExit(process.env, true);
  const { config, dataDir, logger } = await openData(plan, { service: 'cli', listens: false });
  const engines = await openLogAndQueues(config, {
    clock: systemClock,
    logger,
    sandboxOrigin: config.publicUrl,
    lazyLogTimeoutMs: timeoutMs,
    lazyJobsTimeoutMs: timeoutMs,
  });
  try {
    const log = await endOfLog(engines.eventStore);
    const queues = await queueCounts({ engines });
    const services = runningServices(dataDir.path);
    const free = await freeBytesIn(dataDir.path);
    const known = { dataDir: dataDir.path, free, engines: enginesOf(config) };
    return {
      running: isLocked(dataDir.path) || services.length > 0,
      services: [...services],
      demo: config.demo,
      ...known,
      ...log.end,
      queues,
      lastError: newestFirst(loggedErrors(dataDir.path))[0] ?? null,
      problems: [
        why,
        ...(log.why === null ? [] : [log.why]),
        ...(queues === null ? [NO_QUEUES] : []),
        ...writesStopped({ ...known, processes: [] }),
      ],
    };
  } finally {
    await engines.close();
    await logger.close();
    dataDir.release();
  }
}

/** The end of the log; without it when the log does not answer either, with the reason in words. */
async function endOfLog(
  eventStore: Awaited<ReturnType<typeof openLogAndQueues>>['eventStore'],
): Promise<{
  readonly end: Pick<StatusWithoutStores, 'logId' | 'head'>;
  readonly why: string | null;
}> {
  try {
    const [logId, head] = [await eventStore.logId(), await eventStore.head()];
    return { end: { logId, head }, why: null };
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return { end: { logId: null, head: null }, why: `${error.message}.` };
  }
}
