import { setTimeout as wait } from 'node:timers/promises';
import {
  CHECKPOINTS,
  type Documents,
  documentsWith,
  eachDocument,
  generationKey,
  generationOf,
  modelKey,
  type Operation,
  POINTER_MEMORY_MS,
  POINTERS,
  QUARANTINE,
  type ReadModelName,
} from '@oja/platform';
import { changePointer, pointerOf } from './pointer.js';

/** The generations and collections that were deleted. */
export interface Cleaned {
  readonly generations: readonly number[];
  readonly collections: readonly string[];
}

/**
 * Deletes all generations but the live one, and what a killed rebuild left behind. One commit ends
 * their feeding and deletes their checkpoints. After `graceMs`, when no reader can remember an
 * older pointer, their collections are dropped. After a crash, a second call completes the work.
 */
export async function removeOldGenerations(
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
    async () => (await Promise.all(gone.map((g) => removalOperations(documents, model, g)))).flat(),
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

/** The stored versions of a model other than the one this code knows, from an earlier or later release. */
export async function otherVersions(
  documents: Documents,
  { name, version }: ReadModelName,
): Promise<readonly ReadModelName[]> {
  const versions = new Set<number>();
  for await (const { id } of eachDocument(documents, POINTERS, {})) {
    const found = versionOf(name, id);
    if (found !== null) versions.add(found);
  }
  // Look at collections, too: an earlier drop may have been killed after it deleted the pointer.
  for (const collection of await documents.collections()) {
    const found = versionOf(name, collection);
    if (found !== null) versions.add(found);
  }
  versions.delete(version);
  return [...versions].sort((a, b) => a - b).map((other) => ({ name, version: other }));
}

/** The version in a pointer's id or a collection's name; null when it is of another model. */
function versionOf(name: string, text: string): number | null {
  const rest = text.startsWith(`${name}_v`) ? text.slice(name.length + 2) : '';
  const match = /^(\d+)(_g\d+_.+)?$/.exec(rest);
  return match?.[1] === undefined ? null : Number(match[1]);
}

/**
 * Drops a version that no code reads or feeds any more, with all its generations. One commit
 * deletes its pointer and checkpoints, then its collections are dropped. A release that knows the
 * version builds it anew.
 */
export async function dropVersion(
  documents: Documents,
  model: ReadModelName,
  graceMs: number = 4 * POINTER_MEMORY_MS,
): Promise<void> {
  const mine = (await documents.collections()).filter((name) => generationOf(model, name) !== null);
  const generations = new Set(mine.map((name) => generationOf(model, name) ?? 0));
  const pointer = await pointerOf(documents, model);
  if (pointer !== null) for (const generation of pointer.fed) generations.add(generation);
  const gone = await Promise.all(
    [...generations].map((g) => removalOperations(documents, model, g)),
  );
  await documents.commit([
    { type: 'delete', collection: POINTERS, id: modelKey(model) },
    ...gone.flat(),
  ]);
  await wait(graceMs);
  for (const collection of mine) await documents.drop(collection);
}

/** Operations that delete the checkpoint and the parked streams of a generation. */
async function removalOperations(
  documents: Documents,
  model: ReadModelName,
  generation: number,
): Promise<readonly Operation[]> {
  const key = generationKey(model, generation);
  const parked = await documentsWith(documents, QUARANTINE, { field: 'model', value: key });
  return [
    { type: 'delete', collection: CHECKPOINTS, id: key },
    ...parked.map(({ id }): Operation => ({ type: 'delete', collection: QUARANTINE, id })),
  ];
}
