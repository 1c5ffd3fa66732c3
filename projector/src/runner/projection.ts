import { streamSubject } from '@oja/domain';
import type { Document, Index, JsonObject, Position, RecordedEvent, Scalar } from '@oja/platform';

/** The documents of each of a projection's collections, by the collection's own short name. */
export type Collections = Readonly<Record<string, Document>>;
type Name<C> = keyof C & string;

/** An event as a projection sees it: parsed, with what the log knows of it. */
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

/** The documents that were asked for, as they stand after every earlier event. */
export interface Loaded<C extends Collections = Collections> {
  /** Null when there is none. @throws when `reads` did not name it. */
  get<K extends Name<C>>(collection: K, id: string): C[K] | null;
  /** By id, ascending. @throws when `reads` did not name it. */
  find<K extends Name<C>>(
    collection: K,
    field: string,
    value: Scalar,
  ): readonly { readonly id: string; readonly document: C[K] }[];
  /** Whether it has been loaded: lets `reads` ask for more once it has seen the first answers. */
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

/** What an event changes alike in every document whose indexed field has a value: may be very many. */
export interface FanOut {
  /** The types that do. */
  readonly events: readonly string[];
  /** Which documents; null: none. */
  of(fact: Fact<unknown>): {
    readonly collection: string;
    readonly where: { readonly field: string; readonly value: Scalar };
  } | null;
  /**
   * One of them afterwards; `documents` are those that `reads` named, after `project`. Pure, the same
   * once more on what it has changed, and it leaves the field of `where` alone.
   */
  change(fact: Fact<unknown>, id: string, document: Document, documents: Loaded): Document;
}

/**
 * Events → documents. `scope` says what an event that cannot be read or projected stops: its own
 * stream (every stream's documents stand alone) or the whole projection (they are sums over streams).
 */
export interface Projection<E = unknown, C extends Collections = Collections> {
  readonly name: string;
  readonly version: number;
  readonly scope: 'stream' | 'shared';
  /** The types it reads; all others only move its checkpoint. */
  readonly events: readonly string[];
  readonly collections: { readonly [K in Name<C>]: readonly Index[] };
  /** Null for a type it does not know. @throws when a known type is malformed. */
  parse(type: string, data: JsonObject): E | null;
  /**
   * What `project` will look at. Asked again with the documents it named, until it names no new one:
   * so a document may lead to another. Pure.
   */
  reads(fact: Fact<E>, documents: Loaded<C>): readonly Key<C>[];
  /** What changes. Pure: the same event on the same documents is always the same answer. */
  project(fact: Fact<E>, documents: Loaded<C>): readonly Change<C>[];
  /** What it changes besides: where those are few with the event, else in pages before it. */
  readonly fanOut?: FanOut;
}

/** @throws when the event's type is known and its data malformed. */
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
