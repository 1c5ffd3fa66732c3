import {
  type BatchSpans,
  CHECKPOINTS,
  type Checkpoint,
  collectionName,
  type Documents,
  type EventStore,
  generationKey,
  isSpreading,
  type Logger,
  type Operation,
  type ParkedStream,
  QUARANTINE,
  type RecordedEvent,
  startBatch,
} from '@oja/platform';
import { readSkips } from '../operations/records.js';
import { type BatchContext, type Poison, parkedId, projectBatch, toParkedStream } from './batch.js';
import type { EventBatch } from './event-batches.js';
import { type BatchPart, fanOutInPages, splitWideEvents } from './fan-out.js';
import type { Projection } from './projection.js';
import { blockedStreams, readParkedStreams } from './quarantine.js';
import { type Changed, nothingChanged } from './unit-of-work.js';

export interface GenerationWriterOptions {
  readonly eventStore: EventStore;
  readonly documents: Documents;
  readonly projection: Projection;
  readonly generation: number;
  /** A rebuild stops at any poison; a live generation parks the stream where its scope allows it. */
  readonly purpose: 'live' | 'rebuild';
  readonly logger: Logger;
}

/** The state after a batch, valid once the batch is committed. */
export interface WriterState {
  readonly checkpoint: Checkpoint;
  readonly parked: ReadonlyMap<string, ParkedStream>;
  readonly changed: Changed;
}

/** A batch that is ready to be committed. */
export interface ProjectedBatch {
  readonly from: Checkpoint;
  readonly operations: readonly Operation[];
  readonly after: WriterState;
  readonly events: number;
  /** How long projecting it took. */
  readonly ms: number;
  readonly spans: BatchSpans;
}

/** 'lost': another projector has moved the checkpoint, or this one is to stop. The batch is discarded. */
export type Outcome = 'committed' | 'lost';

/**
 * Writes events to one generation of a read model, from where its stored checkpoint stood when it was opened. Each
 * commit moves the checkpoint. Methods that take a `WriterState` build on it, though it may not be committed yet.
 */
export interface GenerationWriter {
  /** Where the generation stood when it was opened. */
  readonly start: WriterState;
  /** Splits a batch so that each event that changes many documents has a part of its own. */
  partsOf(batch: EventBatch, before: WriterState): Promise<readonly BatchPart[]>;
  /** Projects a batch, without committing it. */
  project(part: BatchPart, before: WriterState): Promise<ProjectedBatch | Poison>;
  commit(batch: ProjectedBatch): Promise<Outcome>;
  /**
   * Commits what an event changes in many documents, in pages, the first of which marks the checkpoint. All that comes
   * before the event must be committed. `onPage` is called after each page.
   * @returns the state to build on
   */
  commitInPages(
    event: RecordedEvent,
    before: WriterState,
    options: { readonly signal: AbortSignal; onPage(): void },
  ): Promise<WriterState | 'lost'>;
  /** Holds the whole generation before the poison, and records why. All that comes before it must be committed. */
  hold(poison: Poison, before: WriterState): Promise<Outcome>;
  /** The streams that wait for an operator. */
  parked(): readonly ParkedStream[];
}

/** The checkpoint after a part, without the mark of an event that is passed now. */
function advanceCheckpoint(from: Checkpoint, { upTo, time }: BatchPart): Checkpoint {
  const to = { ...from, position: upTo, time: time ?? from.time };
  if (isSpreading(to)) return to;
  const { spreading: _, ...passed } = to;
  return passed;
}

/** Opens a generation to write to it; null when it was cleaned away. */
export async function openGeneration(
  options: GenerationWriterOptions,
): Promise<GenerationWriter | null> {
  const { eventStore, documents, projection, generation, logger } = options;
  const model = generationKey(projection, generation);
  const checkpoint = await documents.get<Checkpoint>(CHECKPOINTS, model);
  if (checkpoint === null) return null;
  const waiting = await readParkedStreams(documents, model);
  const skips = await readSkips(eventStore, projection.name);
  let parked: ReadonlyMap<string, ParkedStream> = waiting.parked;
  let { held } = waiting;

  /** The map of parked streams is a copy: a batch that is discarded has parked nothing. */
  const contextOf = (before: WriterState): BatchContext => ({
    projection,
    documents,
    model,
    physical: (name) => collectionName(projection, generation, name),
    uncommitted: before.changed,
    parked: new Map(before.parked),
    skips,
    onPoison: options.purpose === 'live' && projection.scope === 'stream' ? 'park' : 'stop',
  });

  const putCheckpoint = (document: Checkpoint): Operation => ({
    type: 'put',
    collection: CHECKPOINTS,
    id: model,
    document,
  });

  /** 'lost' unless the stored checkpoint is the expected one. */
  const commitAt = async (
    expected: Checkpoint,
    operations: readonly Operation[],
  ): Promise<Outcome> => {
    const guard = { collection: CHECKPOINTS, id: model, expected };
    return (await documents.commit(operations, [guard])) === 'committed' ? 'committed' : 'lost';
  };

  /** Once the checkpoint has passed the event that held the generation, deletes the hold. */
  function releases({ position }: Checkpoint): readonly Operation[] {
    if (held === null || position === null || position < held.position) return [];
    return [{ type: 'delete', collection: QUARANTINE, id: parkedId(model, held.stream) }];
  }

  async function project(part: BatchPart, before: WriterState): Promise<ProjectedBatch | Poison> {
    const context: BatchContext = {
      ...contextOf(before),
      ...(part.wide !== null && { fannedOut: part.wide }),
    };
    const began = performance.now();
    const spans = startBatch(`project ${projection.name}`, part.events);
    const result = await projectBatch(context, part.events);
    if (!result.ok) {
      spans.end({ 'oja.result': 'poisoned' });
      return result.poison;
    }
    const { checkpoint: from } = before;
    const to = advanceCheckpoint(from, part);
    return {
      from,
      operations: [...result.operations, ...releases(to), putCheckpoint(to)],
      after: { checkpoint: to, parked: context.parked, changed: result.changed },
      events: part.events.length,
      ms: performance.now() - began,
      spans,
    };
  }

  async function commit({ from, operations, after, spans }: ProjectedBatch): Promise<Outcome> {
    const outcome = await commitAt(from, operations);
    spans.end({ 'oja.result': outcome, 'oja.position': after.checkpoint.position ?? '' });
    if (outcome === 'lost') return 'lost';
    for (const [stream, { error, eventType, position }] of after.parked)
      if (!parked.has(stream))
        logger.error({ model, stream, eventType, position, error }, 'a stream was parked');
    parked = after.parked;
    if (releases(after.checkpoint).length > 0) held = null;
    return 'committed';
  }

  return {
    start: { checkpoint, parked, changed: nothingChanged },
    partsOf: (batch, before) => splitWideEvents(contextOf(before), batch),
    project,
    commit,

    async commitInPages(event, before, { signal, onPage }) {
      let { checkpoint: stored } = before;
      const marked: Checkpoint = { ...stored, spreading: event.position };
      const done = await fanOutInPages(contextOf(before), event, async (operations) => {
        if (signal.aborted) return false;
        const first = stored.spreading !== event.position;
        const page = first ? [...operations, putCheckpoint(marked)] : operations;
        if ((await commitAt(stored, page)) === 'lost') return false;
        stored = marked;
        onPage();
        return true;
      });
      return done ? { ...before, checkpoint: stored } : 'lost';
    },

    hold({ event, error }, { checkpoint: expected }) {
      held = { ...toParkedStream(model, event, error), holdsAll: true };
      const id = parkedId(model, event.stream);
      return commitAt(expected, [{ type: 'put', collection: QUARANTINE, id, document: held }]);
    },

    parked: () => blockedStreams({ parked, held }),
  };
}
