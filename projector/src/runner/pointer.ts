import { randomUUID } from 'node:crypto';
import {
  CHECKPOINTS,
  type Checkpoint,
  type CollectionSpec,
  collectionName,
  type Documents,
  type EventStore,
  generationKey,
  type Loading,
  modelKey,
  type Operation,
  POINTERS,
  type Pointer,
  type Position,
  PROJECTION_STATE_COLLECTIONS,
  type ReadModelName,
} from '@oja/platform';
import type { Projection } from './projection.js';

/** Others changed the pointer during every try: a bug, or a very busy operator. */
export class PointerContended extends Error {
  override readonly name = 'PointerContended';
}

/** How often a compare-and-set is tried. */
export const TRIES = 100;

export function pointerOf(documents: Documents, model: ReadModelName): Promise<Pointer | null> {
  return documents.get<Pointer>(POINTERS, modelKey(model));
}

/** The pointers of several models, in their order, in one query. */
export function pointersOf(
  documents: Documents,
  models: readonly ReadModelName[],
): Promise<readonly (Pointer | null)[]> {
  return documents.getMany<Pointer>(POINTERS, models.map(modelKey));
}

/** The checkpoint of a generation; null when the generation was never begun, or is deleted. */
export function checkpointOf(
  documents: Documents,
  model: ReadModelName,
  generation: number,
): Promise<Checkpoint | null> {
  return documents.get<Checkpoint>(CHECKPOINTS, generationKey(model, generation));
}

/**
 * Whether the log was restored: it ends before a checkpoint, or is another log.
 * @param head read after the checkpoint, so that a log that grows meanwhile is not taken for a restored one
 */
export async function isAheadOfLog(
  eventStore: Pick<EventStore, 'logId'>,
  checkpoint: Checkpoint,
  head: Position | null,
): Promise<boolean> {
  if (checkpoint.logId !== (await eventStore.logId())) return true;
  if (checkpoint.position === null) return false;
  return head === null || checkpoint.position > head;
}

/**
 * Creates the collections of a generation, and those that all share. `loading`: nobody reads them
 * until this is called again without it, so some indexes may be left out.
 */
export async function ensureCollections(
  documents: Documents,
  projection: Projection,
  generation: number,
  options: { readonly loading?: Loading | undefined } = {},
): Promise<void> {
  const own = Object.entries(projection.collections).map(
    ([name, indexes]): CollectionSpec => ({
      name: collectionName(projection, generation, name),
      indexes,
    }),
  );
  await documents.ensure(PROJECTION_STATE_COLLECTIONS);
  await documents.ensure(own, options);
}

/**
 * The pointer of a model; created with generation 1 when there is none. `loads`: whether readers shall wait for a
 * new model until `endLoad`, so that its late indexes are left for then; called only for a new one.
 * @throws PointerContended
 */
export async function beginModel(
  documents: Documents,
  projection: Projection,
  logId: string,
  loads: () => Promise<boolean> = async () => false,
): Promise<Pointer> {
  await documents.ensure(PROJECTION_STATE_COLLECTIONS);
  for (let tries = 0; tries < TRIES; tries++) {
    const pointer = await pointerOf(documents, projection);
    if (pointer !== null) return pointer;
    const begun: Pointer = { live: 1, previous: null, fed: [1], building: null, last: 1 };
    const isLoading = await loads();
    const first = isLoading ? { ...begun, loading: 1 } : begun;
    await ensureCollections(documents, projection, 1, { loading: isLoading ? 'alone' : undefined });
    await documents.commit(
      [putPointer(projection, first), putStart(projection, 1, logId)],
      [{ collection: POINTERS, id: modelKey(projection), expected: null }],
    );
  }
  throw new PointerContended(modelKey(projection));
}

/** Creates what the load of a new model has left out, and lets readers read it. */
export async function endLoad(
  documents: Documents,
  projection: Projection,
  generation: number,
): Promise<void> {
  await ensureCollections(documents, projection, generation);
  await changePointer(documents, projection, ({ loading, ...loaded }) =>
    loading === generation ? loaded : null,
  );
}

/**
 * Changes the pointer by compare-and-set. `change` returns null to leave it as it is; `further`
 * adds operations to the commit. Returns the pointer as it is then, or null when there is none.
 * @throws PointerContended
 */
export async function changePointer(
  documents: Documents,
  model: ReadModelName,
  change: (pointer: Pointer) => Pointer | null,
  further: () => Promise<readonly Operation[]> = async () => [],
): Promise<Pointer | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    const pointer = await pointerOf(documents, model);
    if (pointer === null) return null;
    const changed = change(pointer);
    if (changed === null) return pointer;
    const outcome = await documents.commit(
      [putPointer(model, changed), ...(await further())],
      [{ collection: POINTERS, id: modelKey(model), expected: pointer }],
    );
    if (outcome === 'committed') return changed;
  }
  throw new PointerContended(modelKey(model));
}

/**
 * Commits a repair of a generation, and counts it in its checkpoint. Safe while the generation is fed: returns false
 * when the checkpoint is no longer the expected one.
 */
export async function commitRepair(
  documents: Documents,
  model: string,
  expected: Checkpoint,
  operations: readonly Operation[],
): Promise<boolean> {
  const document: Checkpoint = { ...expected, repairs: expected.repairs + 1 };
  const outcome = await documents.commit(
    [...operations, { type: 'put', collection: CHECKPOINTS, id: model, document }],
    [{ collection: CHECKPOINTS, id: model, expected }],
  );
  return outcome === 'committed';
}

export function putPointer(model: ReadModelName, pointer: Pointer): Operation {
  return { type: 'put', collection: POINTERS, id: modelKey(model), document: pointer };
}

export function putStart(model: ReadModelName, generation: number, logId: string): Operation {
  const build = randomUUID();
  const start: Checkpoint = { logId, position: null, time: null, repairs: 0, build };
  return {
    type: 'put',
    collection: CHECKPOINTS,
    id: generationKey(model, generation),
    document: start,
  };
}
