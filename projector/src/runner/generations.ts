import { setTimeout as wait } from 'node:timers/promises';
import {
  BOOKKEEPING,
  CHECKPOINTS,
  type Checkpoint,
  type CollectionSpec,
  collectionName,
  type Documents,
  generationKey,
  generationOf,
  hasPassed,
  modelKey,
  type Operation,
  POINTER_MEMORY_MS,
  POINTERS,
  type Pointer,
  QUARANTINE,
  type ReadModelName,
} from '@oja/platform';
import { findAll } from './findAll.js';
import type { Projection } from './projection.js';

/** The pointer was changed by someone else too often in a row: a bug, or a very busy operator. */
export class PointerContended extends Error {
  override readonly name = 'PointerContended';
}

const TRIES = 100;
const BETWEEN_TRIES_MS = 5;

export function pointerOf(documents: Documents, model: ReadModelName): Promise<Pointer | null> {
  return documents.get<Pointer>(POINTERS, modelKey(model));
}

export function checkpointOf(
  documents: Documents,
  model: ReadModelName,
  generation: number,
): Promise<Checkpoint | null> {
  return documents.get<Checkpoint>(CHECKPOINTS, generationKey(model, generation));
}

/** Makes the collections of a generation, and what all of them share. */
export async function ensureCollections(
  documents: Documents,
  projection: Projection,
  generation: number,
): Promise<void> {
  const own = Object.entries(projection.collections).map(
    ([name, indexes]): CollectionSpec => ({
      name: collectionName(projection, generation, name),
      indexes,
    }),
  );
  await documents.ensure([...BOOKKEEPING, ...own]);
}

/** The pointer of a model, begun with generation 1 when there is none yet. */
export async function beginModel(
  documents: Documents,
  projection: Projection,
  logId: string,
): Promise<Pointer> {
  await documents.ensure(BOOKKEEPING);
  for (let tries = 0; tries < TRIES; tries++) {
    const pointer = await pointerOf(documents, projection);
    if (pointer !== null) return pointer;
    const first: Pointer = { live: 1, previous: null, fed: [1], building: null, last: 1 };
    await ensureCollections(documents, projection, 1);
    await documents.commit(
      [putPointer(projection, first), putStart(projection, 1, logId)],
      [{ collection: POINTERS, id: modelKey(projection), expected: null }],
    );
  }
  throw new PointerContended(modelKey(projection));
}

/** The generation being built; a new one unless a killed rebuild of this log can go on. */
export async function beginRebuild(
  documents: Documents,
  projection: Projection,
  logId: string,
): Promise<number> {
  const pointer = await beginModel(documents, projection, logId);
  if (pointer.building !== null) {
    const checkpoint = await checkpointOf(documents, projection, pointer.building);
    if (checkpoint?.logId === logId) {
      await ensureCollections(documents, projection, pointer.building);
      return pointer.building;
    }
  }
  const generation = pointer.last + 1;
  await ensureCollections(documents, projection, generation);
  const outcome = await documents.commit(
    [
      putPointer(projection, { ...pointer, building: generation, last: generation }),
      putStart(projection, generation, logId),
    ],
    [{ collection: POINTERS, id: modelKey(projection), expected: pointer }],
  );
  return outcome === 'committed' ? generation : beginRebuild(documents, projection, logId);
}

/** From now on every projector feeds it beside the live one. */
export async function feedFromNowOn(
  documents: Documents,
  model: ReadModelName,
  generation: number,
): Promise<void> {
  await changePointer(documents, model, (pointer) =>
    pointer.fed.includes(generation)
      ? null
      : {
          ...pointer,
          fed: [...pointer.fed, generation],
          building: pointer.building === generation ? null : pointer.building,
        },
  );
}

export type SwitchResult =
  | { readonly ok: true; readonly from: number; readonly to: number }
  /** It is not fed: never built, still being built, or cleaned away. */
  | { readonly ok: false; readonly reason: 'not-fed' }
  /** It stands behind the live one: wait until it has passed. */
  | { readonly ok: false; readonly reason: 'behind' };

/**
 * Makes a generation live with one compare-and-set, guarded by the live checkpoint too, so that no
 * reader is taken back in time. `regardless` also switches to one that is behind: only for a log
 * that was restored, where the live one stands beyond its end.
 */
export async function switchTo(
  documents: Documents,
  model: ReadModelName,
  generation: number,
  options: { readonly regardless?: boolean } = {},
): Promise<SwitchResult> {
  for (let tries = 0; tries < TRIES; tries++) {
    const pointer = await pointerOf(documents, model);
    if (pointer === null || !pointer.fed.includes(generation)) {
      return { ok: false, reason: 'not-fed' };
    }
    if (pointer.live === generation) return { ok: true, from: generation, to: generation };
    const live = await checkpointOf(documents, model, pointer.live);
    const next = await checkpointOf(documents, model, generation);
    const passed = live === null || live.position === null || hasPassed(next, live.position);
    if (passed || options.regardless === true) {
      const switched: Pointer = { ...pointer, live: generation, previous: pointer.live };
      const outcome = await documents.commit(
        [putPointer(model, switched)],
        [
          { collection: POINTERS, id: modelKey(model), expected: pointer },
          { collection: CHECKPOINTS, id: generationKey(model, pointer.live), expected: live },
        ],
      );
      if (outcome === 'committed') return { ok: true, from: pointer.live, to: generation };
    }
    await wait(BETWEEN_TRIES_MS);
  }
  return { ok: false, reason: 'behind' };
}

/** Back to the generation that was live before the last switch. */
export async function rollback(documents: Documents, model: ReadModelName): Promise<SwitchResult> {
  const pointer = await pointerOf(documents, model);
  if (pointer === null || pointer.previous === null) return { ok: false, reason: 'not-fed' };
  return switchTo(documents, model, pointer.previous);
}

/** What a version or a killed rebuild left behind, and every generation that is not live. */
export interface Cleaned {
  readonly generations: readonly number[];
  readonly collections: readonly string[];
}

/**
 * Deletes all generations but the live one. First they stop being fed and known, in one commit; then,
 * once no reader can remember an older pointer, their collections go. Repeating it after a kill ends
 * what was begun.
 */
export async function clean(
  documents: Documents,
  model: ReadModelName,
  graceMs: number = 4 * POINTER_MEMORY_MS,
): Promise<Cleaned> {
  let gone: readonly number[] = [];
  const pointer = await changePointer(
    documents,
    model,
    (before) => {
      gone = [...before.fed, ...(before.building === null ? [] : [before.building])].filter(
        (generation) => generation !== before.live,
      );
      return gone.length === 0
        ? null
        : { ...before, fed: [before.live], building: null, previous: null };
    },
    async () => (await Promise.all(gone.map((g) => traces(documents, model, g)))).flat(),
  );
  if (pointer === null) return { generations: [], collections: [] };
  await wait(graceMs);
  const kept = new Set([...pointer.fed, ...(pointer.building === null ? [] : [pointer.building])]);
  const collections = (await documents.collections()).filter((name) => {
    const generation = generationOf(model, name);
    return generation !== null && !kept.has(generation) && generation <= pointer.last;
  });
  for (const collection of collections) await documents.drop(collection);
  return { generations: gone, collections };
}

/** Forgets the checkpoint and the parked streams of a generation. */
async function traces(
  documents: Documents,
  model: ReadModelName,
  generation: number,
): Promise<readonly Operation[]> {
  const key = generationKey(model, generation);
  const parked = await findAll(documents, QUARANTINE, { field: 'model', value: key });
  return [
    { type: 'delete', collection: CHECKPOINTS, id: key },
    ...parked.map(({ id }): Operation => ({ type: 'delete', collection: QUARANTINE, id })),
  ];
}

/** Answers the pointer as it is now; null when there is none. `change` answers null to leave it. */
async function changePointer(
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

function putPointer(model: ReadModelName, pointer: Pointer): Operation {
  return { type: 'put', collection: POINTERS, id: modelKey(model), document: pointer };
}

function putStart(model: ReadModelName, generation: number, logId: string): Operation {
  const start: Checkpoint = { logId, position: null, time: null, repairs: 0 };
  return {
    type: 'put',
    collection: CHECKPOINTS,
    id: generationKey(model, generation),
    document: start,
  };
}
