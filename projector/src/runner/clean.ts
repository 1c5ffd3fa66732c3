import { setTimeout as wait } from 'node:timers/promises';
import {
  CHECKPOINTS,
  type Documents,
  generationKey,
  generationOf,
  type Operation,
  POINTER_MEMORY_MS,
  QUARANTINE,
  type ReadModelName,
} from '@oja/platform';
import { findAll } from './findAll.js';
import { changePointer } from './pointer.js';

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
