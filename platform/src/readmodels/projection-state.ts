import type { CollectionSpec } from '../documents/port.js';
import type { Position } from '../eventstore/port.js';

/** A read model's identity in the code. The version changes when its documents do. */
export interface ReadModelName {
  readonly name: string;
  readonly version: number;
}

/** One document per (name, version): which generation is live, and which generations are fed. */
export const POINTERS = 'pointers';
/** One document per generation: how far it has followed the log. */
export const CHECKPOINTS = 'checkpoints';
/** One document per parked stream of a generation. */
export const QUARANTINE = 'quarantine';

/** The collections that all read models share, besides their own. */
export const PROJECTION_STATE_COLLECTIONS: readonly CollectionSpec[] = [
  { name: POINTERS, indexes: [] },
  { name: CHECKPOINTS, indexes: [] },
  { name: QUARANTINE, indexes: [{ kind: 'equality', fields: ['model'] }] },
];

/** `<name>_v<version>`: the id of the pointer document. */
export function modelKey(model: ReadModelName): string {
  return `${model.name}_v${model.version}`;
}

/** `<name>_v<version>_g<generation>`: the id of the checkpoint document, and the prefix of collection names. */
export function generationKey(model: ReadModelName, generation: number): string {
  return `${modelKey(model)}_g${generation}`;
}

/** The physical name of a collection: `<name>_v<version>_g<generation>_<collection>`. */
export function collectionName(
  model: ReadModelName,
  generation: number,
  collection: string,
): string {
  return `${generationKey(model, generation)}_${collection}`;
}

/** The generation that a collection belongs to; null when it is not a collection of this model. */
export function generationOf(model: ReadModelName, collection: string): number | null {
  const match = /^_g(\d+)_/.exec(
    collection.startsWith(modelKey(model)) ? collection.slice(modelKey(model).length) : '',
  );
  return match?.[1] === undefined ? null : Number(match[1]);
}

/** These are types, not interfaces, because documents need an index signature. */
export type Pointer = {
  /** The generation that queries read. */
  readonly live: number;
  /** The previously live generation, for a rollback. */
  readonly previous: number | null;
  /** All generations that follow the log, the live one included. */
  readonly fed: readonly number[];
  /** The generation that is being built and has not caught up yet. */
  readonly building: number | null;
  /** The highest generation number ever used; the number of a deleted generation is not used again. */
  readonly last: number;
  /**
   * The first generation, while it is loaded from a log that had events already: it lacks indexes that readers need,
   * so until it has caught up it is for them as if it were not there.
   */
  readonly loading?: number;
};

/** Whether readers must wait for the live generation to be loaded. */
export const isLoading = ({ live, loading }: Pointer): boolean => loading === live;

export type Checkpoint = {
  readonly logId: string;
  /** Position of the last event seen; null before the first. A missing checkpoint document means something else. */
  readonly position: Position | null;
  /** When that event was recorded. */
  readonly time: string | null;
  /** How often parked streams were released. A change tells the process that feeds the generation to check again. */
  readonly repairs: number;
  /** Another for each generation that is begun, also if one of the same number was there; absent in earlier ones. */
  readonly build?: string;
  /**
   * The event whose many documents are being changed in pages, the first of which are committed: until the position has
   * reached it, the documents belong to no one position.
   */
  readonly spreading?: Position;
};

/** Whether some documents show an event already that the checkpoint has not passed. */
export const isSpreading = ({ position, spreading }: Checkpoint): boolean =>
  spreading !== undefined && (position === null || position < spreading);

/** A stream that is held back until its first bad event can be projected; its later events wait too. */
export type ParkedStream = {
  /** The generation key. */
  readonly model: string;
  readonly stream: string;
  /** Revision of the first waiting event. */
  readonly revision: number;
  readonly position: Position;
  readonly eventId: string;
  readonly eventType: string;
  /** When the stream was parked, in ISO 8601; earlier releases stored when the first waiting event was recorded. */
  readonly since: string;
  readonly error: string;
  /** How many events wait. */
  readonly events: number;
  /**
   * Set when the whole read model stops before this event: its documents combine many streams, so no
   * stream can go on without this one.
   */
  readonly holdsAll?: true;
};

/** Whether a checkpoint is at or after a position. */
export function hasPassed(checkpoint: Checkpoint | null, position: Position): boolean {
  return checkpoint !== null && checkpoint.position !== null && checkpoint.position >= position;
}
