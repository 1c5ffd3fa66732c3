import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  collectionName,
  createEmbeddedDocuments,
  type Documents,
  type EventStore,
  generationKey,
  type Operation,
  type ParkedStream,
  type Position,
  QUARANTINE,
  type RecordedEvent,
} from '@oja/platform';
import { readSkips } from '../operations/records.js';
import { type BatchContext, projectBatch } from '../runner/batch.js';
import { ensureCollections } from '../runner/pointer.js';
import type { Projection } from '../runner/projection.js';

/** A clean copy of a shared model cannot be made: an event cannot be parsed or projected. */
export class CopyPoisoned extends Error {
  override readonly name = 'CopyPoisoned';
}

/** The place of a document: the short name of its collection, and its id. */
export interface DocumentPlace {
  readonly collection: string;
  readonly id: string;
}

/**
 * A read model rebuilt from the first event, in a temporary folder that is deleted on close. Nobody
 * else moves it, so it can be brought to exactly the position of another model. The market's own
 * files are only read.
 */
export interface CleanCopy {
  readonly documents: Documents;
  physical(collection: string): string;
  position(): Position | null;
  /** Streams whose events could not be projected. */
  parked(): readonly ParkedStream[];
  /**
   * Projects everything up to the position, inclusive; returns the documents that this changed.
   * @throws CopyPoisoned, or the signal's reason when aborted
   */
  advance(to: Position | null): Promise<readonly DocumentPlace[]>;
  /** All documents that events of the traced stream have changed. */
  traced(): readonly DocumentPlace[];
  close(): Promise<void>;
}

interface CopyOptions {
  readonly eventStore: EventStore;
  readonly projection: Projection;
  readonly signal: AbortSignal;
  /** The stream whose changed documents `traced` returns. */
  readonly trace?: string;
  /** Called after each batch with the number of events of the log that were read so far. */
  onProgress?(events: number): void;
}

interface Batch {
  readonly events: readonly RecordedEvent[];
  /** Whether it is an event of the traced stream. */
  readonly isTraced: boolean;
}

const GENERATION = 1;
const BATCH = 500;

async function openIn(folder: string, { eventStore, projection }: CopyOptions) {
  const documents = await createEmbeddedDocuments({ file: join(folder, 'documents.db') });
  try {
    await ensureCollections(documents, projection, GENERATION);
    return { documents, skips: await readSkips(eventStore, projection.name) };
  } catch (error) {
    await documents.close();
    throw error;
  }
}

/** Creates an empty copy. `advance` fills it. */
export async function createCleanCopy(options: CopyOptions): Promise<CleanCopy> {
  const { eventStore, projection, signal, trace } = options;
  const folder = await mkdtemp(join(tmpdir(), 'oja-copy-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const { documents, skips } = await openIn(folder, options).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const physical = (collection: string) => collectionName(projection, GENERATION, collection);
  const wanted = new Set(projection.events);
  const parked = new Map<string, ParkedStream>();
  const traced = new Map<string, DocumentPlace>();
  let position: Position | null = null;
  let seen = 0;

  const context: BatchContext = {
    projection,
    documents,
    model: generationKey(projection, GENERATION),
    physical,
    parked,
    skips,
    onPoison: projection.scope === 'stream' ? 'park' : 'stop',
  };

  function placesOf(operations: readonly Operation[]): readonly DocumentPlace[] {
    return operations
      .filter(({ collection }) => collection !== QUARANTINE)
      .map(({ collection, id }) => ({ collection: collection.slice(physical('').length), id }));
  }

  async function project(events: readonly RecordedEvent[]): Promise<readonly DocumentPlace[]> {
    if (events.length === 0) return [];
    const result = await projectBatch(context, events);
    if (!result.ok) {
      const { event, error } = result.poison;
      throw new CopyPoisoned(
        `${event.type} (revision ${event.revision} of ${event.stream}) cannot be projected: ${error}`,
      );
    }
    await documents.commit(result.operations);
    return placesOf(result.operations);
  }

  /**
   * The wanted events up to a position, in batches. One of the traced stream is a batch of its own, so that the
   * batch's changes are those of this event.
   */
  async function* batchesUpTo(to: Position): AsyncGenerator<Batch, void> {
    let events: RecordedEvent[] = [];
    for await (const event of eventStore.readAll({ after: position })) {
      if (event.position > to) break;
      seen += 1;
      if (seen % BATCH === 0) heard();
      if (!wanted.has(event.type)) continue;
      if (event.stream === trace) {
        yield { events, isTraced: false };
        yield { events: [event], isTraced: true };
        events = [];
      } else if (events.push(event) >= BATCH) {
        yield { events, isTraced: false };
        events = [];
      }
    }
    yield { events, isTraced: false };
  }

  function heard(): void {
    options.onProgress?.(seen);
    signal.throwIfAborted();
  }

  async function advance(to: Position | null): Promise<readonly DocumentPlace[]> {
    if (to === null || (position !== null && position >= to)) return [];
    const changed = new Map<string, DocumentPlace>();
    for await (const { events, isTraced } of batchesUpTo(to)) {
      for (const place of await project(events)) {
        changed.set(JSON.stringify(place), place);
        if (isTraced) traced.set(JSON.stringify(place), place);
      }
      heard();
    }
    position = to;
    return [...changed.values()];
  }

  return {
    documents,
    physical,
    position: () => position,
    parked: () => [...parked.values()],
    advance,
    traced: () => [...traced.values()],
    async close() {
      await documents.close();
      await remove();
    },
  };
}
