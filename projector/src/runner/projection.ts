import { streamSubject } from '@oja/domain';
import type { Document, Index, JsonObject, Position, RecordedEvent, Scalar } from '@oja/platform';

/** The document types of a projection, by the short names of its collections. */
export type Collections = Readonly<Record<string, Document>>;
type Name<C> = keyof C & string;

/** An event as a projection sees it: parsed, with its metadata from the log. */
export interface Fact<E> {
  readonly event: E;
  readonly id: string;
  readonly stream: string;
  /** The stream's name without its category. */
  readonly subject: string;
  readonly revision: number;
  readonly position: Position;
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly actor: string;
}

/** Which documents an event needs: one by its id, or all whose indexed field has a value. */
export type Key<C extends Collections = Collections> =
  | { readonly collection: Name<C>; readonly id: string }
  | {
      readonly collection: Name<C>;
      readonly where: { readonly field: string; readonly value: Scalar };
    };

/** The loaded documents, as they are after all earlier events. */
export interface Loaded<C extends Collections = Collections> {
  /** Null when there is none. @throws when `reads` did not name it. */
  get<K extends Name<C>>(collection: K, id: string): C[K] | null;
  /** Sorted by id, ascending. @throws when `reads` did not name it. */
  find<K extends Name<C>>(
    collection: K,
    field: string,
    value: Scalar,
  ): readonly { readonly id: string; readonly document: C[K] }[];
  /** Whether a key has been loaded: lets `reads` name more keys, based on documents it named before. */
  has(key: Key<C>): boolean;
}

export type Change<C extends Collections = Collections> =
  | {
      [K in Name<C>]: {
        readonly type: 'put';
        readonly collection: K;
        readonly id: string;
        readonly document: C[K];
      };
    }[Name<C>]
  | { readonly type: 'delete'; readonly collection: Name<C>; readonly id: string };

type TypeOf<E> = E extends { readonly type: infer T extends string } ? T : string;

/**
 * A change that an event makes to every document of collection `K` whose indexed field has a value, possibly to very
 * many.
 */
export interface FanOut<
  E = unknown,
  C extends Collections = Collections,
  K extends Name<C> = Name<C>,
> {
  /** The event types that fan out: the functions below see no others. */
  readonly events: readonly TypeOf<E>[];
  /** Which documents to change; null: none. */
  of(fact: Fact<E>): {
    readonly collection: K;
    readonly where: { readonly field: string; readonly value: Scalar };
  } | null;
  /**
   * Returns one of the documents after the event. `documents`: those that `reads` named, after
   * `project`. Must be pure and idempotent, and must not change the field of `where`.
   */
  change(fact: Fact<E>, id: string, document: C[K], documents: Loaded<C>): C[K];
}

/**
 * Turns events into documents. `scope` says what an event that cannot be parsed or projected stops:
 * its own stream (documents of different streams are independent) or the whole projection
 * (documents are sums over streams).
 */
export interface Projection<E = unknown, C extends Collections = Collections> {
  readonly name: string;
  readonly version: number;
  readonly scope: 'stream' | 'shared';
  /** The event types it reads. All others only move its checkpoint. */
  readonly events: readonly string[];
  readonly collections: { readonly [K in Name<C>]: readonly Index[] };
  /** Null for an unknown type. @throws when the data of a known type is malformed. */
  parse(type: string, data: JsonObject): E | null;
  /**
   * Names what `project` will look at. Called again with the loaded documents until it names no new
   * one, so that one document can lead to another. Pure.
   */
  reads(fact: Fact<E>, documents: Loaded<C>): readonly Key<C>[];
  /** The changes. Pure: the same event on the same documents always gives the same result. */
  project(fact: Fact<E>, documents: Loaded<C>): readonly Change<C>[];
  /** Further changes: made with the event when they are few, else in pages before it. */
  readonly fanOut?: FanOut<E, C>;
}

/** Parses an event; null when the projection does not read its type. @throws when its data is malformed. */
export function factOf<E>(projection: Projection<E>, recorded: RecordedEvent): Fact<E> | null {
  const event = projection.parse(recorded.type, recorded.data);
  if (event === null) return null;
  return {
    event,
    id: recorded.id,
    stream: recorded.stream,
    subject: streamSubject(recorded.stream),
    revision: recorded.revision,
    position: recorded.position,
    at: recorded.metadata.time,
    actor: recorded.metadata.actor,
  };
}
