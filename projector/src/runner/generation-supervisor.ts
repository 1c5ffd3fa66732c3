import {
  type Documents,
  type EventStore,
  generationKey,
  type Logger,
  type Pointer,
  pause,
} from '@oja/platform';
import type { Poison } from './batch.js';
import { removeOldGenerations } from './clean.js';
import { switchTo } from './generations.js';
import { beginModel, endLoad, ensureCollections, pointersOf } from './pointer.js';
import type { Projection } from './projection.js';
import {
  createProjectionWorker,
  type ProjectionWorker,
  type ProjectionWorkerEnd,
} from './projection-worker.js';
import { readParkedStreams } from './quarantine.js';
import { runRebuild } from './rebuild.js';
import { linkedController, withRetry } from './retry.js';

export interface GenerationSupervisorOptions {
  readonly eventStore: EventStore;
  readonly documents: Documents;
  readonly projection: Projection;
  readonly logger: Logger;
  readonly batchSize?: number;
}

/** A generation that is being fed. */
interface FedGeneration {
  readonly generation: number;
  readonly worker: ProjectionWorker;
  /** Why it stands still, or null. */
  readonly stopped: string | null;
  /** Whether readers wait for it to be loaded. */
  readonly isLoading: boolean;
}

/** Feeds every generation of one projection that its pointer names. */
export interface GenerationSupervisor {
  readonly projection: Projection;
  /** Creates the model when there is none; resolves once its collections exist. */
  begin(): Promise<void>;
  /** Feeds, until the signal aborts, what the pointer names, and ends what it names no longer. */
  follow(pointer: Pointer, signal: AbortSignal): void;
  /** Resolves once no generation is fed any more. */
  ended(): Promise<void>;
  fed(): readonly FedGeneration[];
  /** The live generation as last seen; null before `begin`. */
  live(): number | null;
}

/** How often the pointers are read, in milliseconds: an operator's rebuild is picked up within this time. */
const POLL_MS = 500;
/** How long a poisoned projection waits before it tries, and logs an error, again, in milliseconds. */
const RETRY_POISON_MS = 60_000;

interface Entry {
  readonly worker: ProjectionWorker;
  readonly cancel: () => void;
  done?: Promise<void>;
  stopped: string | null;
  isLoading: boolean;
}

export function createGenerationSupervisor(
  options: GenerationSupervisorOptions,
): GenerationSupervisor {
  const { eventStore, documents, projection, logger } = options;
  const entries = new Map<number, Entry>();
  let live: number | null = null;

  /** Does what the end of a worker asks for, and waits until the generation may be fed again. */
  async function handleEnd(
    generation: number,
    entry: Entry,
    end: ProjectionWorkerEnd,
    signal: AbortSignal,
  ): Promise<void> {
    if (end.kind === 'poisoned') {
      entry.stopped = logStop(options, generation, end.poison);
      await waitForRelease(documents, generationKey(projection, generation), signal);
    } else if (end.kind === 'ahead-of-log' && generation === live) {
      entry.stopped =
        'the log ends before the checkpoint, so it was restored: building the model anew';
      const model = generationKey(projection, generation);
      logger.error({ model, position: end.checkpoint.position }, entry.stopped);
      const error = await rebuildAfterRestore(options, signal);
      if (error === null) return;
      entry.stopped = error;
      await pause(RETRY_POISON_MS, signal);
    } else if (end.kind === 'ahead-of-log') {
      entry.stopped = 'the log ends before the checkpoint';
      await pause(RETRY_POISON_MS, signal);
    }
  }

  function start(generation: number, isLoading: boolean, signal: AbortSignal): void {
    const { controller, release } = linkedController(signal);
    const worker = createProjectionWorker({ ...options, generation, purpose: 'live' });

    /** Feeds a new generation up to the present end of the log, without the indexes that only readers need. */
    async function load(entry: Entry): Promise<void> {
      await ensureCollections(documents, projection, generation, { loading: 'alone' });
      const end = await eventStore.head();
      if (end !== null) await worker.run(controller.signal, { until: end, isLoadedAlone: true });
      if (controller.signal.aborted) return;
      // Also where it was held by an event: readers shall have what came before.
      entry.stopped = 'its last indexes are being created';
      await endLoad(documents, projection, generation);
      entry.stopped = null;
    }

    async function feed(entry: Entry): Promise<void> {
      if (isLoading) await load(entry);
      else await ensureCollections(documents, projection, generation);
      entry.isLoading = false;
      await handleEnd(generation, entry, await worker.run(controller.signal), controller.signal);
    }

    const entry: Entry = { worker, cancel: () => controller.abort(), stopped: null, isLoading };
    entries.set(generation, entry);
    entry.done = feed(entry)
      .catch((error: unknown) => logger.error({ err: error }, 'a projection ended with an error'))
      .finally(() => {
        release();
        entries.delete(generation);
      });
  }

  return {
    projection,
    async begin() {
      const hasEvents = async () => (await eventStore.head()) !== null;
      const pointer = await beginModel(documents, projection, await eventStore.logId(), hasEvents);
      live = pointer.live;
    },
    follow(pointer, signal) {
      live = pointer.live;
      for (const generation of pointer.fed)
        if (!entries.has(generation)) start(generation, pointer.loading === generation, signal);
      for (const [generation, entry] of entries)
        if (!pointer.fed.includes(generation)) entry.cancel();
    },
    async ended() {
      await Promise.all([...entries.values()].map(({ done }) => done));
    },
    fed: () =>
      [...entries].map(([generation, { worker, stopped, isLoading }]) => ({
        generation,
        worker,
        stopped,
        isLoading,
      })),
    live: () => live,
  };
}

/**
 * Has every projection follow its pointer until the signal aborts, and waits for the batches in progress. The
 * pointers of all are read in one query: a query each, twice a second, was half of what an idle market did.
 */
export async function supervise(
  supervisors: readonly GenerationSupervisor[],
  options: Pick<GenerationSupervisorOptions, 'documents' | 'logger'>,
  signal: AbortSignal,
): Promise<void> {
  const { documents, logger } = options;
  const models = supervisors.map(({ projection }) => projection);
  let polls = 0;
  async function pollPointers(): Promise<null> {
    while (!signal.aborted) {
      const pointers = await pointersOf(documents, models);
      polls++;
      for (const [i, supervisor] of supervisors.entries()) {
        const pointer = pointers[i] ?? null;
        if (pointer !== null && !signal.aborted) supervisor.follow(pointer, signal);
      }
      await pause(POLL_MS, signal);
    }
    return null;
  }
  await withRetry(pollPointers, {
    signal,
    progress: () => polls,
    onError: (error) =>
      logger.warn({ err: error }, 'the generations of the read models could not be read'),
  });
  await Promise.all(supervisors.map((supervisor) => supervisor.ended()));
}

/**
 * For a log that was restored and ends before the checkpoint: the live documents contain events
 * that are gone. Returns what keeps the model from being built anew, or null.
 */
async function rebuildAfterRestore(
  options: GenerationSupervisorOptions,
  signal: AbortSignal,
): Promise<string | null> {
  const { documents, projection } = options;
  const result = await runRebuild({ ...options, signal });
  if (!result.ok)
    return result.reason === 'poisoned' ? logStop(options, result.generation, result.poison) : null;
  await switchTo(documents, projection, result.generation, { regardless: true });
  await removeOldGenerations(documents, projection);
  return null;
}

/** Logs the event at which a generation stopped; returns the error. */
function logStop(
  { projection, logger }: GenerationSupervisorOptions,
  generation: number,
  { event, error }: Poison,
): string {
  const { position, type, stream } = event;
  const model = generationKey(projection, generation);
  logger.error({ model, position, type, stream, error }, 'a projection stopped at an event');
  return error;
}

/** Resolves when an operator has released the event, or when it is time to try it again. */
async function waitForRelease(
  documents: Documents,
  model: string,
  signal: AbortSignal,
): Promise<void> {
  const until = performance.now() + RETRY_POISON_MS;
  while (!signal.aborted && performance.now() < until) {
    await pause(POLL_MS, signal);
    // If the store is down, return: the next worker waits for it.
    const waiting = await readParkedStreams(documents, model).catch(() => null);
    if ((waiting?.held ?? null) === null) return;
  }
}
