import type { JsonObject } from '../eventstore/port.js';

/** An event as the domain knows it: a type and its data. */
export interface DomainEvent {
  readonly type: string;
  readonly data: JsonObject;
}

/** What `decide` answers: new events (none: nothing to do), or a refusal that is a value, not a throw. */
export type Decision<E, R> =
  | { readonly ok: true; readonly events: readonly E[] }
  | { readonly ok: false; readonly refusal: R };

/**
 * A decider with the name of its streams. The domain's aggregates have this shape; platform knows no
 * other thing about them.
 */
export interface Aggregate<S, C, E extends DomainEvent, R> {
  /** The stream of an instance is `<category>-<id>`. */
  readonly category: string;
  readonly initial: S;
  evolve(state: S, event: E): S;
  decide(command: C, state: S): Decision<E, R>;
  /**
   * The event of a recorded type and data; null for a type this aggregate does not know.
   * @throws when a known type is malformed: poison, never skipped.
   */
  parse(type: string, data: JsonObject): E | null;
  /** Written into the metadata of each event. */
  readonly schemaVersion: number;
}
