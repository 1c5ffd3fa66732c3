import type { CollectionSpec } from '../documents/port.js';
import type { Position } from '../eventstore/port.js';

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

/** Types, not interfaces: they are stored as documents, which have an index signature. */
export type Pointer = {
  /** The generation readers read. */
  readonly live: number;
  /** The one that was live before: where a rollback goes. */
  readonly previous: number | null;
  /** All generations that follow the log, the live one included. */
  readonly fed: readonly number[];
  /** One that is being built beside them and has not caught up yet. */
  readonly building: number | null;
  /** The highest number ever given: a cleaned generation's name never comes back. */
  readonly last: number;
};

export type Checkpoint = {
  readonly logId: string;
  /** Of the last event seen; null before the first. No checkpoint document is not the same as null. */
  readonly position: Position | null;
  /** When that event was recorded. */
  readonly time: string | null;
  /** How often parked streams were let go: each makes whoever feeds the generation look again. */
  readonly repairs: number;
};

/** A stream that waits for its first bad event to be mended; its later events wait behind it. */
export type ParkedStream = {
  /** The generation key. */
  readonly model: string;
  readonly stream: string;
  /** Of the first event that waits. */
  readonly revision: number;
  readonly position: Position;
  readonly eventId: string;
  readonly eventType: string;
  /** When the first event that waits was recorded. */
  readonly since: string;
  readonly error: string;
  /** How many events wait. */
  readonly events: number;
  /**
   * Set where the whole read model stands still before this event: its documents are made from many
   * streams, so none of them can go on without the one that waits.
   */
  readonly holdsAll?: true;
};

/** Whether a checkpoint stands at or after a position. */
export function hasPassed(checkpoint: Checkpoint | null, position: Position): boolean {
  return checkpoint !== null && checkpoint.position !== null && checkpoint.position >= position;
}
