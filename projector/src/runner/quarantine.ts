import {
  collectionName,
  type Documents,
  documentsWith,
  type EventStore,
  generationKey,
  type ParkedStream,
  QUARANTINE,
  type RecordedEvent,
} from '@oja/platform';
import { readSkips } from '../operations/records.js';
import { type Poison, parkedId, projectBatch } from './batch.js';
import { checkpointOf, commitRepair } from './pointer.js';
import type { Projection } from './projection.js';

/** What in a generation waits for an operator. */
export interface GenerationBlocks {
  /** Parked streams, by name. All other streams go on. */
  readonly parked: ReadonlyMap<string, ParkedStream>;
  /** The stream whose event holds up the whole generation; null: it follows the log. */
  readonly held: ParkedStream | null;
}

/** All that waits for an operator, the stream that holds the generation last. */
export const blockedStreams = ({ parked, held }: GenerationBlocks): readonly ParkedStream[] => [
  ...parked.values(),
  ...(held === null ? [] : [held]),
];

/** The parked streams of a generation, and the one that holds it up. `model`: the generation key. */
export async function readParkedStreams(
  documents: Documents,
  model: string,
): Promise<GenerationBlocks> {
  const filed = await documentsWith<ParkedStream>(documents, QUARANTINE, {
    field: 'model',
    value: model,
  });
  const all = filed.map(({ document }) => document);
  const parked = all.filter(({ holdsAll }) => !holdsAll);
  return {
    parked: new Map(parked.map((stream) => [stream.stream, stream])),
    held: all.find(({ holdsAll }) => holdsAll) ?? null,
  };
}

export interface ReleaseOptions {
  readonly eventStore: EventStore;
  readonly documents: Documents;
  readonly projection: Projection;
  readonly generation: number;
  readonly stream: string;
  /** Revisions to skip: events that will never be readable. Default: none. */
  readonly skip?: readonly number[];
  /** Called before each try to commit the release, once its events have been projected. */
  decided?(): Promise<void>;
}

export type ReleaseResult =
  | { readonly ok: true; readonly events: number }
  | { readonly ok: false; readonly reason: 'not-parked' }
  /** The stream stays parked. */
  | { readonly ok: false; readonly reason: 'poisoned'; readonly poison: Poison }
  /** The checkpoint moved during every try. Try again. */
  | { readonly ok: false; readonly reason: 'busy' };

const TRIES = 200;

/**
 * Projects the waiting events of a parked stream, in order and all or none, and lets the stream
 * follow the log again. Safe while the generation is fed: its checkpoint is guarded.
 */
export async function releaseStream(options: ReleaseOptions): Promise<ReleaseResult> {
  const { eventStore, documents, projection, generation, stream } = options;
  const model = generationKey(projection, generation);
  const id = parkedId(model, stream);
  const skips = await readSkips(eventStore, projection.name);
  for (let tries = 0; tries < TRIES; tries++) {
    const checkpoint = await checkpointOf(documents, projection, generation);
    const parked = await documents.get<ParkedStream>(QUARANTINE, id);
    if (checkpoint === null || parked === null) return { ok: false, reason: 'not-parked' };
    const events: RecordedEvent[] = [];
    for await (const event of eventStore.readStream(stream, { from: parked.revision })) {
      const seen = checkpoint.position !== null && event.position <= checkpoint.position;
      // A held generation has seen none of these events: only check whether the one that holds it can be projected.
      const waits = parked.holdsAll === true ? event.revision === parked.revision : seen;
      if (waits && options.skip?.includes(event.revision) !== true) events.push(event);
    }
    const result = await projectBatch(
      {
        projection,
        documents,
        model,
        physical: (name) => collectionName(projection, generation, name),
        parked: new Map(),
        skips,
        onPoison: 'stop',
      },
      events.filter(({ type }) => projection.events.includes(type)),
    );
    if (!result.ok) return { ok: false, reason: 'poisoned', poison: result.poison };
    await options.decided?.();
    const isReleased = await commitRepair(documents, model, checkpoint, [
      ...(parked.holdsAll === true ? [] : result.operations),
      { type: 'delete', collection: QUARANTINE, id },
    ]);
    if (isReleased) return { ok: true, events: events.length };
  }
  return { ok: false, reason: 'busy' };
}
