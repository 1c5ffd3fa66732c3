import type { Position } from '../eventstore/port.js';

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
};

/** Whether a checkpoint stands at or after a position. */
export function hasPassed(checkpoint: Checkpoint | null, position: Position): boolean {
  return checkpoint !== null && checkpoint.position !== null && checkpoint.position >= position;
}
