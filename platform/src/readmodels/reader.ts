import type { Documents } from '../documents/port.js';
import type { Position } from '../eventstore/port.js';
import {
  BOOKKEEPING,
  CHECKPOINTS,
  type Checkpoint,
  collectionName,
  generationKey,
  hasPassed,
  modelKey,
  type ParkedStream,
  POINTERS,
  type Pointer,
  QUARANTINE,
  type ReadModelName,
} from './bookkeeping.js';

/**
 * How long a pointer may be remembered, in milliseconds. A generation that is no longer live is fed
 * until it is cleaned, so an old pointer shows nothing wrong; cleaning waits longer than this.
 */
export const POINTER_MEMORY_MS = 250;

/** The longest that a call waits for its read models to see what its client has seen, in milliseconds. */
export const POSITION_WAIT_MS = 2_000;

/** A model that stands still has parked nothing else; one that parks streams is not held. */
const MOST_WAITING = 10;

/** Thrown when a read model has not been begun by any projector. */
export class ReadModelMissing extends Error {
  override readonly name = 'ReadModelMissing';
}

/** The live generation of a model. Take it once a request: its collections belong together. */
export interface LiveModel {
  readonly generation: number;
  collection(name: string): string;
}

/** How services read what a projector writes. */
export interface ReadModels {
  /** @throws ReadModelMissing while no projector has begun this version. */
  live(model: ReadModelName): Promise<LiveModel>;
  /** The physical name of a live collection. @throws ReadModelMissing */
  liveCollection(model: ReadModelName, collection: string): Promise<string>;
  /**
   * What the live documents are made of beside the log's order: another text once another generation
   * is live or a parked stream was let go. Only then can a document be made later than one of an event
   * that stands behind its own. @throws ReadModelMissing
   */
  standingOf(model: ReadModelName): Promise<string>;
  /** How far the live generation has come; null while there is none. */
  checkpointOf(model: ReadModelName): Promise<Checkpoint | null>;
  /** Whether the live generation stands still at an event that cannot be projected. */
  isHeld(model: ReadModelName): Promise<boolean>;
  /** Whether all have passed the position within the time given; never throws for a missing one. */
  waitFor(
    models: readonly ReadModelName[],
    position: Position,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<boolean>;
}

export function createReadModels(
  documents: Documents,
  clock: { now(): number } = Date,
): ReadModels {
  let made: Promise<void> | null = null;
  const remembered = new Map<string, { readonly pointer: Pointer; readonly until: number }>();

  /** A reader may be here before any projector has made the collections. */
  const bookkeeping = async (): Promise<void> => {
    made ??= documents.ensure(BOOKKEEPING);
    await made.catch((error: unknown) => {
      made = null;
      throw error;
    });
  };

  async function pointerOf(model: ReadModelName): Promise<Pointer | null> {
    await bookkeeping();
    const key = modelKey(model);
    const known = remembered.get(key);
    if (known !== undefined && known.until > clock.now()) return known.pointer;
    const pointer = await documents.get<Pointer>(POINTERS, key);
    if (pointer !== null) {
      remembered.set(key, { pointer, until: clock.now() + POINTER_MEMORY_MS });
    }
    return pointer;
  }

  async function live(model: ReadModelName): Promise<LiveModel> {
    const pointer = await pointerOf(model);
    if (pointer === null) {
      throw new ReadModelMissing(`no projector has begun the read model ${modelKey(model)} yet`);
    }
    const generation = pointer.live;
    return { generation, collection: (name) => collectionName(model, generation, name) };
  }

  async function checkpointsOf(
    models: readonly ReadModelName[],
  ): Promise<readonly (Checkpoint | null)[]> {
    const pointers = await Promise.all(models.map(pointerOf));
    const ids = models.map((model, i) => generationKey(model, pointers[i]?.live ?? 0));
    return documents.getMany<Checkpoint>(CHECKPOINTS, ids);
  }

  return {
    live,
    liveCollection: async (model, collection) => (await live(model)).collection(collection),
    async standingOf(model) {
      const { generation } = await live(model);
      const key = generationKey(model, generation);
      const checkpoint = await documents.get<Checkpoint>(CHECKPOINTS, key);
      return `${key}/${checkpoint?.repairs ?? 0}`;
    },
    checkpointOf: async (model) => (await checkpointsOf([model]))[0] ?? null,
    async isHeld(model) {
      const pointer = await pointerOf(model);
      if (pointer === null) return false;
      const key = generationKey(model, pointer.live);
      const filter = [{ field: 'model', op: 'eq', value: key }] as const;
      const waiting = await documents.find<ParkedStream>(QUARANTINE, {
        filter,
        limit: MOST_WAITING,
      });
      return waiting.items.some(({ document }) => document.holdsAll === true);
    },
    async waitFor(models, position, timeoutMs, signal) {
      const passed = async () =>
        (await checkpointsOf(models)).every((checkpoint) => hasPassed(checkpoint, position));
      if (await passed()) return true;
      const ending = endingAfter(timeoutMs, signal);
      try {
        for await (const _ of documents.changes(ending.signal)) if (await passed()) return true;
      } finally {
        ending.end();
      }
      return false;
    },
  };
}

/** A signal that aborts with the other, after the time, or when told. */
function endingAfter(
  timeoutMs: number,
  signal: AbortSignal | undefined,
): { readonly signal: AbortSignal; end(): void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = Number.isFinite(timeoutMs) ? setTimeout(abort, timeoutMs) : undefined;
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      abort();
    },
  };
}
