import { isWithin } from '../clock.js';
import type { Documents } from '../documents/port.js';
import type { EventStore, Position } from '../eventstore/port.js';
import { createLazy } from '../lazy.js';
import {
  CHECKPOINTS,
  type Checkpoint,
  collectionName,
  generationKey,
  hasPassed,
  isLoading,
  modelKey,
  type ParkedStream,
  POINTERS,
  type Pointer,
  PROJECTION_STATE_COLLECTIONS,
  QUARANTINE,
  type ReadModelName,
} from './projection-state.js';

/**
 * How long a pointer may be cached, in milliseconds. A generation that is no longer live is still fed
 * until it is deleted, so an old pointer gives correct answers. Deletion waits longer than this.
 */
export const POINTER_MEMORY_MS = 250;

/** The longest time that a call waits for its read models to reach the client's position, in milliseconds. */
export const POSITION_WAIT_MS = 2_000;

/** Enough to find the entry: a read model that stops has parked nothing else. */
const MAX_WAITING = 10;

/** No projector has created this version of the read model yet, or has loaded all of it from the log. */
export class ReadModelMissing extends Error {
  override readonly name = 'ReadModelMissing';
}

/** The live generation of a model. Get it once per request, so that its collections belong together. */
export interface LiveModel {
  readonly generation: number;
  collection(name: string): string;
}

/** How services read what the projector writes. */
export interface ReadModels {
  /** The live generation. @throws ReadModelMissing while no projector has created and loaded this version. */
  live(model: ReadModelName): Promise<LiveModel>;
  /** The physical name of a live collection. @throws ReadModelMissing */
  liveCollection(model: ReadModelName, collection: string): Promise<string>;
  /**
   * A text that changes when another generation becomes live, if need be one that was deleted and built anew under its
   * old number, or a parked stream is released. Only then
   * can documents appear out of log order, that is, after documents of later events: a walk over all of them in log
   * order must begin again.
   * @throws ReadModelMissing
   */
  walkVersion(model: ReadModelName): Promise<string>;
  /** The checkpoint of the live generation; null while there is none. */
  checkpointOf(model: ReadModelName): Promise<Checkpoint | null>;
  /** Whether the live generation is stopped at an event that cannot be projected. */
  isHeld(model: ReadModelName): Promise<boolean>;
  /** Waits until all models have passed the position; a missing one has not. False after `timeoutMs` or an abort. */
  waitFor(
    models: readonly ReadModelName[],
    position: Position,
    timeoutMs: number,
    signal?: AbortSignal,
  ): Promise<boolean>;
}

/** Reads pointers and checkpoints in these documents. `clock`, in epoch milliseconds, bounds how long a pointer is remembered. */
export function createReadModels(
  documents: Documents,
  clock: { now(): number } = Date,
): ReadModels {
  /** A service may start before any projector has created the collections. */
  const collections = createLazy(() => documents.ensure(PROJECTION_STATE_COLLECTIONS));
  const remembered = new Map<string, { readonly pointer: Pointer; readonly at: number }>();

  /** Null also while the live generation is loaded. */
  async function pointerOf(model: ReadModelName): Promise<Pointer | null> {
    await collections.get();
    const key = modelKey(model);
    const known = remembered.get(key);
    if (known !== undefined && isWithin(POINTER_MEMORY_MS, known.at, clock.now()))
      return known.pointer;
    const pointer = await documents.get<Pointer>(POINTERS, key);
    if (pointer === null || isLoading(pointer)) return null;
    remembered.set(key, { pointer, at: clock.now() });
    return pointer;
  }

  async function live(model: ReadModelName): Promise<LiveModel> {
    const pointer = await pointerOf(model);
    if (pointer === null) {
      throw new ReadModelMissing(`no projector has built the read model ${modelKey(model)} yet`);
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
    async walkVersion(model) {
      const { generation } = await live(model);
      const key = generationKey(model, generation);
      const checkpoint = await documents.get<Checkpoint>(CHECKPOINTS, key);
      const version = `${key}/${checkpoint?.repairs ?? 0}`;
      return checkpoint?.build === undefined ? version : `${version}/${checkpoint.build}`;
    },
    checkpointOf: async (model) => (await checkpointsOf([model]))[0] ?? null,
    async isHeld(model) {
      const pointer = await pointerOf(model);
      if (pointer === null) return false;
      const key = generationKey(model, pointer.live);
      const filter = [{ field: 'model', op: 'eq', value: key }] as const;
      const waiting = await documents.find<ParkedStream>(QUARANTINE, {
        filter,
        limit: MAX_WAITING,
      });
      return waiting.items.some(({ document }) => document.holdsAll === true);
    },
    async waitFor(models, position, timeoutMs, signal) {
      const passed = async () =>
        (await checkpointsOf(models)).every((checkpoint) => hasPassed(checkpoint, position));
      if (await passed()) return true;
      if (timeoutMs <= 0) return false;
      const ending = timeoutSignal(timeoutMs, signal);
      try {
        for await (const _ of documents.changes(ending.signal)) if (await passed()) return true;
      } finally {
        ending.end();
      }
      return false;
    },
  };
}

/** A signal that aborts with the given one, after the time, or when `end` is called. */
function timeoutSignal(
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

interface CaughtUpDeps {
  readonly eventStore: Pick<EventStore, 'head'>;
  readonly readModels: Pick<ReadModels, 'checkpointOf'>;
}

/**
 * Tells whether a read model has once reached the log's head as it was at the first call. The goal stays fixed,
 * because while others keep writing the current head may never be reached. `ofEmptyLog`: whether a model of a log
 * without events has caught up at once, or when a projector has begun it.
 * @throws StoreUnavailable, and the next call asks again, when the log cannot be read.
 */
export function createCaughtUp(
  { eventStore, readModels }: CaughtUpDeps,
  ofEmptyLog: 'at-once' | 'when-begun',
): (model: ReadModelName) => Promise<boolean> {
  const goal = createLazy(() => eventStore.head());
  const done = new Set<string>();

  return async (model) => {
    if (done.has(model.name)) return true;
    const [checkpoint, head] = await Promise.all([readModels.checkpointOf(model), goal.get()]);
    const isThere =
      head === null ? ofEmptyLog === 'at-once' || checkpoint !== null : hasPassed(checkpoint, head);
    if (isThere) done.add(model.name);
    return isThere;
  };
}
