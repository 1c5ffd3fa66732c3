import {
  type Checkpoint,
  generationKey,
  hasPassed,
  messageOf,
  NoRoom,
  type ParkedStream,
  type Position,
  type RecordedEvent,
  StoreUnavailable,
  yieldToEventLoop,
} from '@oja/platform';
import type { Poison } from './batch.js';
import { batchSubscription, type EventBatch } from './event-batches.js';
import type { BatchPart } from './fan-out.js';
import {
  type GenerationWriter,
  type GenerationWriterOptions,
  type Outcome,
  openGeneration,
  type ProjectedBatch,
  type WriterState,
} from './generation-writer.js';
import { loadGroupOf } from './load-group.js';
import { isAheadOfLog } from './pointer.js';
import { linkedController, withRetry } from './retry.js';

/** The batch size before anything was measured. */
const FIRST_BATCH = 100;
const SMALLEST_BATCH = 64;
/** By which factor the estimated cost of an event may grow from one batch to the next. */
const DRIFT = 1.1;

/** Chooses batch sizes so that each batch is short. */
interface AdaptiveBatchSize {
  size(): number;
  /** `ms`: the longer of projecting and committing the batch. */
  adjust(events: number, ms: number): void;
}

/**
 * The cost of an event is estimated from the quickest of the latest batches: the others mostly
 * waited for the writer or the machine, which smaller batches would only make worse. `batchMs`: how
 * long a batch may take at the moment.
 */
function createAdaptiveBatchSize(largest: number, batchMs: () => number): AdaptiveBatchSize {
  let perEvent: number | null = null;
  return {
    size() {
      if (perEvent === null) return Math.min(largest, FIRST_BATCH);
      return Math.min(largest, Math.max(SMALLEST_BATCH, Math.floor(batchMs() / perEvent)));
    },
    adjust(events, ms) {
      if (events === 0) return;
      perEvent = Math.min(ms / events, perEvent === null ? Infinity : perEvent * DRIFT);
    },
  };
}

interface ProjectionWorkerOptions extends GenerationWriterOptions {
  /** The largest number of events in a batch. Default 2,000. */
  readonly batchSize?: number;
  /**
   * A full disk, a damaged file or a broken store ends the run with its error, for a command that a person waits for. By
   * default, the worker retries until somebody has repaired it.
   */
  readonly failFast?: boolean;
}

/** Why a worker ended. */
export type ProjectionWorkerEnd =
  | { readonly kind: 'stopped' }
  /** It has passed the position that it was to run to. */
  | { readonly kind: 'passed' }
  /** The generation was cleaned away. */
  | { readonly kind: 'gone' }
  /** The log was restored: it ends before the checkpoint, or is another log. Rebuild. */
  | { readonly kind: 'ahead-of-log'; readonly checkpoint: Checkpoint }
  | { readonly kind: 'poisoned'; readonly poison: Poison };

/** How following the log ended; 'again': to be begun again, from the stored checkpoint. */
type RunResult = ProjectionWorkerEnd | 'again';

/**
 * Projects each batch while the previous one is being committed, on top of that one's changes. If that commit fails,
 * the batch is discarded.
 */
interface Pipeline {
  /** Projects a batch and begins its commit. Returns why to stop; null: go on. */
  take(batch: EventBatch): Promise<RunResult | null>;
  /** Up to where was projected. */
  position(): Position | null;
  /** What has become of the latest commit. */
  committed(): Promise<Outcome>;
}

/** When a run ends without being stopped. */
interface Goal {
  /** The position that the checkpoint is to pass. */
  readonly until: Position;
  /** Whether the generation is loaded alone, so that nobody else waits for a batch. Default: false. */
  readonly isLoadedAlone?: boolean;
}

/** Feeds one generation of one projection from the log. */
export interface ProjectionWorker {
  /**
   * Runs until the signal aborts, the goal is reached, or the worker cannot go on. Engine failures are retried. @throws
   * with `failFast`, an error that somebody must repair.
   */
  run(signal: AbortSignal, goal?: Goal): Promise<ProjectionWorkerEnd>;
  /** Begins a new subscription from the stored checkpoint. */
  restart(): void;
  /** The checkpoint as this process knows it; null before it was first read. */
  checkpoint(): Checkpoint | null;
  /** How often it has committed a part of an event that changes very many documents. */
  pages(): number;
  parked(): readonly ParkedStream[];
  lastError(): string | null;
}

/** Whether a failure lasts until somebody makes room on the disk or repairs the machine. */
const isPermanent = (error: unknown): boolean =>
  error instanceof NoRoom || (error instanceof StoreUnavailable && error.permanent);

const LARGEST_BATCH = 2_000;

export function createProjectionWorker(options: ProjectionWorkerOptions): ProjectionWorker {
  const { eventStore, documents, projection, logger } = options;
  const model = generationKey(projection, options.generation);
  const adaptiveBatchSize = createAdaptiveBatchSize(options.batchSize ?? LARGEST_BATCH, () =>
    goal?.isLoadedAlone || isBehind() ? documents.loadMs : documents.commitMs,
  );
  const wanted = new Set(projection.events);
  const loadGroup = loadGroupOf(eventStore);
  let writer: GenerationWriter | null = null;
  let checkpoint: Checkpoint | null = null;
  /** The end of the log when the live generation began to follow it. */
  let behindUntil: Position | null = null;
  let lastError: string | null = null;
  let pages = 0;
  let subscription = new AbortController();
  /** Of the present run. */
  let goal: Goal | undefined;
  let passed = new AbortController();

  /** Until then nobody sees what was just written, however short the batches are. */
  const isBehind = () => behindUntil !== null && !hasPassed(checkpoint, behindUntil);

  function setCheckpoint(to: Checkpoint): void {
    checkpoint = to;
    if (goal !== undefined && hasPassed(to, goal.until)) passed.abort();
  }

  async function commit(to: GenerationWriter, batch: ProjectedBatch): Promise<Outcome> {
    const began = performance.now();
    if ((await to.commit(batch)) === 'lost') return 'lost';
    adaptiveBatchSize.adjust(batch.events, Math.max(batch.ms, performance.now() - began));
    lastError = [...batch.after.parked.values()].at(-1)?.error ?? null;
    setCheckpoint(batch.after.checkpoint);
    return 'committed';
  }

  /** Commits the events of a part before the poison, then holds the generation there. */
  async function hold(
    to: GenerationWriter,
    part: BatchPart,
    poison: Poison,
    before: WriterState,
  ): Promise<Outcome> {
    const events = part.events.slice(0, part.events.indexOf(poison.event));
    const last = events.at(-1);
    if (last === undefined) return to.hold(poison, before);
    const good = { ...part, events, upTo: last.position, time: last.metadata.time };
    const batch = await to.project(good, before);
    if ('event' in batch) throw new Error('what stands before a poison is poisoned too');
    return (await commit(to, batch)) === 'lost' ? 'lost' : to.hold(poison, batch.after);
  }

  /** Wanted events from the log, in batches. Ends when the controller aborts. */
  const batchesAfter = (position: Position | null, controller: AbortController) =>
    batchSubscription(
      eventStore.subscribe({
        after: position,
        signal: controller.signal,
        types: projection.events,
      }),
      {
        wanted: (event) => wanted.has(event.type),
        size: adaptiveBatchSize.size,
        ...(goal?.isLoadedAlone && { scan: documents.loadEvents }),
        controller,
      },
    );

  /** Writes what arrives, until it must end. */
  function createPipeline(to: GenerationWriter, controller: AbortController): Pipeline {
    let last = to.start;
    let underway: Promise<Outcome> = Promise.resolve('committed');
    const leave = () => controller.abort();

    /** Commits what a wide event changes, after all that comes before it. */
    async function spread(event: RecordedEvent): Promise<Outcome> {
      if ((await underway) === 'lost') return 'lost';
      const { signal } = controller;
      const after = await to.commitInPages(event, last, { signal, onPage: () => (pages += 1) });
      if (after === 'lost') return 'lost';
      last = after;
      return 'committed';
    }

    async function write(part: BatchPart): Promise<RunResult | null> {
      const [event] = part.events;
      if (part.wide !== null && event !== undefined && (await spread(event)) === 'lost')
        return 'again';
      const batch = await to.project(part, last);
      if ((await underway) === 'lost') return 'again';
      if ('event' in batch) {
        const isLost = options.purpose === 'live' && (await hold(to, part, batch, last)) === 'lost';
        return isLost ? 'again' : { kind: 'poisoned', poison: batch };
      }
      last = batch.after;
      underway = commit(to, batch);
      // The next batch may take long. If this commit is lost, stop waiting for it.
      underway.then((outcome) => outcome === 'lost' && leave(), leave);
      await yieldToEventLoop();
      return null;
    }

    return {
      async take(batch) {
        for (const part of await to.partsOf(batch, last)) {
          const end = await write(part);
          if (end !== null) return end;
        }
        return null;
      },
      position: () => last.checkpoint.position,
      committed: () => underway,
    };
  }

  /**
   * Follows the log until it must read the stored checkpoint again or ends. While it loads a generation alone, it keeps
   * pace with whatever else this process loads.
   */
  async function follow(signal: AbortSignal): Promise<RunResult> {
    const opened = await openGeneration(options);
    if (opened === null) return { kind: 'gone' };
    const { checkpoint: from } = opened.start;
    const head = await eventStore.head();
    if (await isAheadOfLog(eventStore, from, head))
      return { kind: 'ahead-of-log', checkpoint: from };
    writer = opened;
    setCheckpoint(from);
    behindUntil = options.purpose === 'live' ? head : null;
    const { controller, release } = linkedController(signal);
    subscription = controller;
    const pipeline = createPipeline(opened, controller);
    let previous = from.position;
    if (goal?.isLoadedAlone) loadGroup.report(worker, previous);
    try {
      for await (const batch of batchesAfter(from.position, controller)) {
        if (controller.signal.aborted) break;
        const end = await pipeline.take(batch);
        if (end !== null) return end;
        if (!goal?.isLoadedAlone) continue;
        loadGroup.report(worker, pipeline.position());
        await loadGroup.waitForOthers(previous, controller.signal);
        previous = pipeline.position();
      }
      const isLost = (await pipeline.committed()) === 'lost';
      return signal.aborted && !isLost ? { kind: 'stopped' } : 'again';
    } finally {
      loadGroup.leave(worker);
      release();
      await pipeline.committed().catch(() => undefined);
    }
  }

  async function run(whole: AbortSignal, to?: Goal): Promise<ProjectionWorkerEnd> {
    goal = to;
    passed = new AbortController();
    const signal = AbortSignal.any([whole, passed.signal]);
    const end = await withRetry(() => follow(signal), {
      signal,
      progress: () => checkpoint?.position,
      isFinal: (error) => options.failFast === true && isPermanent(error),
      onError(error) {
        lastError = messageOf(error);
        logger.warn({ model, err: error }, 'a projection could not reach its engines');
      },
    });
    return passed.signal.aborted ? { kind: 'passed' } : (end ?? { kind: 'stopped' });
  }

  const worker: ProjectionWorker = {
    run,
    restart: () => subscription.abort(),
    checkpoint: () => checkpoint,
    pages: () => pages,
    parked: () => writer?.parked() ?? [],
    lastError: () => lastError,
  };
  return worker;
}
