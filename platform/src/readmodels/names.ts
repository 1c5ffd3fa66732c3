import type { CollectionSpec } from '../documents/port.js';

/** A read model as the code knows it. The version changes when its documents do. */
export interface ReadModelName {
  readonly name: string;
  readonly version: number;
}

/** One document per (name, version): which generation readers read, and which are fed. */
export const POINTERS = 'pointers';
/** One document per generation: how far it has followed the log. */
export const CHECKPOINTS = 'checkpoints';
/** One document per parked stream of a generation. */
export const QUARANTINE = 'quarantine';

/** What every read model needs beside its own collections. */
export const BOOKKEEPING: readonly CollectionSpec[] = [
  { name: POINTERS, indexes: [] },
  { name: CHECKPOINTS, indexes: [] },
  { name: QUARANTINE, indexes: [{ kind: 'equality', fields: ['model'] }] },
];

/** `<name>_v<version>`: the id of the pointer. */
export function modelKey(model: ReadModelName): string {
  return `${model.name}_v${model.version}`;
}

/** `<name>_v<version>_g<generation>`: the id of the checkpoint, and what collections begin with. */
export function generationKey(model: ReadModelName, generation: number): string {
  return `${modelKey(model)}_g${generation}`;
}

/** `<name>_v<version>_g<generation>_<collection>`. */
export function collectionName(
  model: ReadModelName,
  generation: number,
  collection: string,
): string {
  return `${generationKey(model, generation)}_${collection}`;
}

/** The generation a collection belongs to; null when it is not one of this model's. */
export function generationOf(model: ReadModelName, collection: string): number | null {
  const match = /^_g(\d+)_/.exec(
    collection.startsWith(modelKey(model)) ? collection.slice(modelKey(model).length) : '',
  );
  return match?.[1] === undefined ? null : Number(match[1]);
}
