import {
  type BatchSpans,
  CHECKPOINTS,
  type Checkpoint,
  collectionName,
  type Documents,
  type EventStore,
  generationKey,
  hasPassed,
  type Logger,
  nextTurn,
  type Operation,
  type ParkedStream,
  type Position,
  QUARANTINE,
  type RecordedEvent,
  startBatch,
} from '@oja/platform';
import { readSkips, type Skips } from '../operations/records.js';
import { arrivals } from './arrivals.js';
import { type BatchContext, type Poison, park, parkedId, projectBatch } from './batch.js';
import { fanOutInPages, type Part, partsOf } from './fan-out.js';
import { paceOf } from './pace.js';
import type { Projection } from './projection.js';
import { linked, messageOf, retrying } from './retry.js';
import { isAheadOfLog, parkedStreams } from './standing.js';
import { type Changed, nothingChanged } from './unit-of-work.js';

/** The batch size before anything was measured. */
const FIRST = 100;
const SMALLEST = 64;
/** By which factor the estimated cost of an event may grow from one batch to the next. */
const DRIFT = 1.1;

/** Chooses batch sizes so that each batch is short. */
interface AdaptiveBatchSize {
  size(): number;
  /** `ms`: the longer of projecting and committing the batch. */
  took(events: number, ms: number): void;
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
      if (perEvent === null) return Math.min(largest, FIRST);
      return Math.min(largest, Math.max(SMALLEST, Math.floor(batchMs() / perEvent)));
    },
    took(events, ms) {
      if (events === 0) return;
      perEvent = Math.min(ms / events, perEvent === null ? Infinity : perEvent * DRIFT);
    },
  };
}

interface ProjectionWorkerOptions {
  readonly eventStore: EventStore;
  readonly documents: Documents;
  readonly projection: Projection;
  readonly generation: number;
  /** A rebuild stops at any poison; a live generation parks the stream where its scope allows it. */
  readonly purpose: 'live' | 'rebuild';
  readonly logger: Logger;
  /** The largest number of events in a batch. Default 2,000. */
  readonly batchSize?: number;
  /** Called after each commit. */
  onProgress?(checkpoint: Checkpoint): void;
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

/** Where a run ends by itself. */
interface Goal {
  /** The position that the checkpoint is to pass. */
  readonly until: Position;
  /** Whether the generation is loaded alone, so that nobody else waits for a batch. Default: false. */
  readonly alone?: boolean;
}

/** Feeds one generation of one projection from the log. */
export interface ProjectionWorker {
  /** Runs until the signal aborts, the goal is reached, or the worker cannot go on. Engine failures are retried. */
  run(signal: AbortSignal, goal?: Goal): Promise<ProjectionWorkerEnd>;
  /** Begins a new subscription from the stored checkpoint. */
  restart(): void;
  /** The checkpoint as this process knows it; null before the first look. */
  checkpoint(): Checkpoint | null;
  parked(): readonly ParkedStream[];
  lastError(): string | null;
}

const LARGEST_BATCH = 2_000;
/** The most events that a batch of a load reads, wanted or not: as the log's pages are cached for two such batches. */
const SCAN_LOADING = 1_000;

/** The state after a batch, valid once the batch is committed. */
interface Step {
  readonly checkpoint: Checkpoint;
  readonly parked: Map<string, ParkedStream>;
  readonly changed: Changed;
}

/** A batch that is ready to be committed. */
interface ProjectedBatch {
  readonly from: Checkpoint;
  readonly operations: readonly Operation[];
  readonly step: Step;
  readonly events: number;
  /** How long projecting it took. */
  readonly ms: number;
  readonly spans: BatchSpans;
}

type Outcome = 'committed' | 'lost';

export function createProjectionWorker(options: ProjectionWorkerOptions): ProjectionWorker {
  const { eventStore, documents, projection, generation, logger } = options;
  const model = generationKey(projection, generation);
  const adaptiveBatchSize = createAdaptiveBatchSize(options.batchSize ?? LARGEST_BATCH, () =>
    goal?.alone ? documents.loadMs : documents.commitMs,
  );
  const wanted = new Set(projection.events);
  const pace = paceOf(eventStore);
  let checkpoint: Checkpoint | null = null;
  let parked = new Map<string, ParkedStream>();
  let held: ParkedStream | null = null;
  let lastError: string | null = null;
  let subscription = new AbortController();
  /** Of the present run. */
  let goal: Goal | undefined;
  let passed = new AbortController();

  function moved(to: Checkpoint): void {
    checkpoint = to;
    options.onProgress?.(to);
    if (goal !== undefined && hasPassed(to, goal.until)) passed.abort();
  }

  /** `parked` is a copy: a batch that is discarded has parked nothing. */
  const contextOf = (before: Step, skips: Skips): BatchContext => ({
    projection,
    documents,
    model,
    physical: (name) => collectionName(projection, generation, name),
    underway: before.changed,
    parked: new Map(before.parked),
    skips,
    onPoison: options.purpose === 'live' && projection.scope === 'stream' ? 'park' : 'stop',
  });

  /** 'lost' when another projector has moved the checkpoint, or this one is to stop. */
  async function workWide(
    event: RecordedEvent,
    before: Step,
    skips: Skips,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const guard = { collection: CHECKPOINTS, id: model, expected: before.checkpoint };
    const done = await fanOutInPages(contextOf(before, skips), event, async (operations) => {
      if (signal.aborted) return false;
      return (await documents.commit(operations, [guard])) === 'committed';
    });
    return done ? 'committed' : 'lost';
  }

  /** Projects a batch, without committing it. */
  async function work(arrival: Part, before: Step, skips: Skips): Promise<ProjectedBatch | Poison> {
    const context: BatchContext = {
      ...contextOf(before, skips),
      ...(arrival.wide !== null && { fannedOut: arrival.wide }),
    };
    const began = performance.now();
    const spans = startBatch(`project ${projection.name}`, arrival.events);
    const result = await projectBatch(context, arrival.events);
    if (!result.ok) {
      spans.end({ 'oja.result': 'poisoned' });
      return result.poison;
    }
    const { checkpoint: from } = before;
    const to = { ...from, position: arrival.upTo, time: arrival.time ?? from.time };
    return {
      from,
      operations: [...result.operations, ...releases(to), put(CHECKPOINTS, model, to)],
      step: { checkpoint: to, parked: context.parked, changed: result.changed },
      events: arrival.events.length,
      ms: performance.now() - began,
      spans,
    };
  }

  /** Once the checkpoint has passed the event that held the generation, deletes the hold. */
  function releases({ position }: Checkpoint): readonly Operation[] {
    if (held === null || position === null || position < held.position) return [];
    return [{ type: 'delete', collection: QUARANTINE, id: parkedId(model, held.stream) }];
  }

  /** Commits the events before the poison, then holds the whole generation and records why. 'lost' as for a batch. */
  async function hold(
    part: Part,
    { event, error }: Poison,
    before: Step,
    skips: Skips,
  ): Promise<Outcome> {
    const events = part.events.slice(0, part.events.indexOf(event));
    const last = events.at(-1);
    let { checkpoint: expected } = before;
    if (last !== undefined) {
      const good = { ...part, events, upTo: last.position, time: last.metadata.time };
      const worked = await work(good, before, skips);
      if ('event' in worked) throw new Error('what stands before a poison is poisoned too');
      if ((await commit(worked)) === 'lost') return 'lost';
      expected = worked.step.checkpoint;
    }
    held = { ...park(model, event, error), holdsAll: true };
    const outcome = await documents.commit(
      [{ type: 'put', collection: QUARANTINE, id: parkedId(model, event.stream), document: held }],
      [{ collection: CHECKPOINTS, id: model, expected }],
    );
    return outcome === 'committed' ? 'committed' : 'lost';
  }

  /** 'lost' when another projector has moved the checkpoint: the batch is then discarded. */
  async function commit({
    from,
    operations,
    step,
    events,
    ms,
    spans,
  }: ProjectedBatch): Promise<Outcome> {
    const began = performance.now();
    const outcome = await documents.commit(operations, [
      { collection: CHECKPOINTS, id: model, expected: from },
    ]);
    spans.end({ 'oja.result': outcome, 'oja.position': step.checkpoint.position ?? '' });
    if (outcome === 'guard-failed') return 'lost';
    adaptiveBatchSize.took(events, Math.max(ms, performance.now() - began));
    reportParked(parked, step.parked);
    parked = step.parked;
    if (parked.size === 0) lastError = null;
    if (releases(step.checkpoint).length > 0) held = null;
    moved(step.checkpoint);
    return 'committed';
  }

  function reportParked(
    before: ReadonlyMap<string, ParkedStream>,
    after: ReadonlyMap<string, ParkedStream>,
  ): void {
    for (const [stream, { error, eventType, position }] of after) {
      if (before.has(stream)) continue;
      lastError = error;
      logger.error({ model, stream, eventType, position, error }, 'a stream was parked');
    }
  }

  /**
   * Follows the log until it must read the stored checkpoint again ('again') or ends. A batch is
   * projected while the previous one is being committed, on top of that one's changes; if that
   * commit fails, the batch is discarded.
   */
  async function follow(signal: AbortSignal): Promise<ProjectionWorkerEnd | 'again'> {
    const from = await documents.get<Checkpoint>(CHECKPOINTS, model);
    if (from === null) return { kind: 'gone' };
    if (await isAheadOfLog(eventStore, from)) return { kind: 'ahead-of-log', checkpoint: from };
    ({ parked, held } = await parkedStreams(documents, model));
    const skips = await readSkips(eventStore, projection.name);
    moved(from);
    const { controller, release } = linked(signal);
    subscription = controller;
    const leave = () => controller.abort();
    let last: Step = { checkpoint: from, parked, changed: nothingChanged };
    let underway: Promise<Outcome> = Promise.resolve('committed');
    let previous = from.position;
    if (goal?.alone) pace.moved(worker, from.position);
    try {
      const items = eventStore.subscribe({
        after: from.position,
        signal: controller.signal,
        types: projection.events,
      });
      const batches = arrivals(items, {
        wanted: (event) => wanted.has(event.type),
        size: adaptiveBatchSize.size,
        ...(goal?.alone && { scan: SCAN_LOADING }),
        controller,
      });
      for await (const arrival of batches) {
        if (controller.signal.aborted) break;
        for (const part of await partsOf(contextOf(last, skips), arrival)) {
          const [event] = part.events;
          if (part.wide !== null && event !== undefined) {
            if ((await underway) === 'lost') return 'again';
            if ((await workWide(event, last, skips, controller.signal)) === 'lost') return 'again';
          }
          const worked = await work(part, last, skips);
          if ((await underway) === 'lost') return 'again';
          if ('event' in worked) {
            if (options.purpose === 'live' && (await hold(part, worked, last, skips)) === 'lost')
              return 'again';
            return { kind: 'poisoned', poison: worked };
          }
          last = worked.step;
          underway = commit(worked);
          // The next arrival may take long. If this commit is lost, stop waiting for it.
          underway.then((outcome) => outcome === 'lost' && leave(), leave);
          await nextTurn();
        }
        if (!goal?.alone) continue;
        pace.moved(worker, last.checkpoint.position);
        await pace.reached(previous, controller.signal);
        previous = last.checkpoint.position;
      }
      if ((await underway) === 'lost') return 'again';
      return signal.aborted ? { kind: 'stopped' } : 'again';
    } finally {
      pace.left(worker);
      release();
      await underway.catch(() => undefined);
    }
  }

  async function run(whole: AbortSignal, to?: Goal): Promise<ProjectionWorkerEnd> {
    goal = to;
    passed = new AbortController();
    const signal = AbortSignal.any([whole, passed.signal]);
    const end = await retrying(() => follow(signal), {
      signal,
      progress: () => checkpoint?.position,
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
    parked: () => [...parked.values(), ...(held === null ? [] : [held])],
    lastError: () => lastError,
  };
  return worker;
}

function put(collection: string, id: string, document: Checkpoint): Operation {
  return { type: 'put', collection, id, document };
}
