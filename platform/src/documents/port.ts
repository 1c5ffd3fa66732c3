import type { Index } from '@oja/contracts/models';
import type { JsonObject } from '../eventstore/port.js';

export type { Index };

export type Document = JsonObject;
export type Scalar = string | number | boolean | null;

export interface CollectionSpec {
  /** `<projection>_v<version>_g<generation>` for read models: letters, digits and `_` only. */
  readonly name: string;
  readonly indexes: readonly Index[];
}

/**
 * Conditions and facets may use any field that an index names. Values compare only with values of their kind;
 * null equals null, and is neither more nor less than anything.
 */
export type Condition =
  | {
      readonly field: string;
      readonly op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte';
      readonly value: Scalar;
    }
  | { readonly field: string; readonly op: 'in'; readonly values: readonly Scalar[] }
  /** The multikey field's list contains the value. */
  | { readonly field: string; readonly op: 'contains'; readonly value: Scalar }
  /** Every word (folded) occurs somewhere in the field's text, also inside other words. */
  | { readonly field: string; readonly op: 'words'; readonly words: readonly string[] };

/** All conditions must hold. Fields are top-level names. */
export type Filter = readonly Condition[];

export interface Query {
  readonly filter?: Filter;
  /**
   * The `by` of a sorted index whose `fields` the filter has equal, all in one direction. Ties are broken by id,
   * ascending; but the descending order of an index that serves both is the reverse of its ascending order. The order is
   * null, numbers, text, booleans. Text is sorted by code point; for any other order, store a folded key. Default: by id.
   */
  readonly sort?: readonly { readonly field: string; readonly order: 'asc' | 'desc' }[];
  /** Items on a page. Default: everything that matches. */
  readonly limit?: number;
  /** The `next` of an earlier page of the same filter and sort. */
  readonly cursor?: string | undefined;
}

export interface Stored<D extends Document = Document> {
  readonly id: string;
  readonly document: D;
}

export interface Page<D extends Document = Document> {
  readonly items: readonly Stored<D>[];
  /** The cursor of the next page; null on the last one. */
  readonly next: string | null;
}

export interface Misindexed {
  readonly id: string;
  readonly fields: readonly string[];
}

export type Operation =
  | {
      readonly type: 'put';
      readonly collection: string;
      readonly id: string;
      readonly document: Document;
    }
  | { readonly type: 'delete'; readonly collection: string; readonly id: string };

/** Commits only if the document still is exactly this (null: absent). */
export interface Guard {
  readonly collection: string;
  readonly id: string;
  readonly expected: Document | null;
}

/** How a new collection is loaded: while nobody is served from this store, or beside others who are. */
export type Loading = 'alone' | 'beside-others';

/**
 * The store of read models. All calls but `ensure`, `drop` and `collections` throw UnknownCollection for a
 * missing collection. Every engine passes `platform/test/contracts/documents.ts`.
 */
export interface Documents {
  /** How long a commit should take at most, in milliseconds, because others wait for it. */
  readonly commitMs: number;
  /** The same while collections are loaded alone: the load itself is all that waits, and long commits cost it less. */
  readonly loadMs: number;
  /** The most events of the log, wanted or not, that a batch of such a load is made of. */
  readonly loadEvents: number;
  /**
   * Creates missing collections and indexes; never drops anything. `loading`: nobody reads these collections
   * before they are ensured again without it, so an engine may leave out the `late` indexes of new collections
   * until then.
   * @throws InvalidDocument for a name or an index that no engine can have.
   */
  ensure(
    collections: readonly CollectionSpec[],
    options?: { readonly loading?: Loading | undefined },
  ): Promise<void>;
  /** Names of all existing collections. */
  collections(): Promise<readonly string[]>;
  drop(collection: string): Promise<void>;
  get<D extends Document = Document>(collection: string, id: string): Promise<D | null>;
  /** In the order of `ids`; null for missing documents. */
  getMany<D extends Document = Document>(
    collection: string,
    ids: readonly string[],
  ): Promise<readonly (D | null)[]>;
  /** @throws InvalidCursor for a cursor of another query; UnservedQuery; InvalidDocument for a limit below 1. */
  find<D extends Document = Document>(collection: string, query: Query): Promise<Page<D>>;
  count(collection: string, filter: Filter): Promise<number>;
  /**
   * For each field: how many documents have each value, the most frequent first. Conditions on the field itself are
   * ignored, so each count is what choosing that value would find.
   */
  facets(
    collection: string,
    filter: Filter,
    fields: readonly string[],
  ): Promise<
    Readonly<Record<string, readonly { readonly value: Scalar; readonly count: number }[]>>
  >;
  /**
   * Documents that differ from their index, with the fields concerned: queries miss them, or find them wrongly.
   * To repair one, delete it and put it again. Without `ids` all documents are checked. If all are right, the
   * counts are checked too; the `id` of a wrong count is its values as a JSON list, and only a rebuild of the
   * collection repairs it.
   */
  misindexed(collection: string, ids?: readonly string[]): Promise<readonly Misindexed[]>;
  /**
   * Runs all operations in one transaction, in order, if every guard holds; 'guard-failed' changes nothing.
   * Guards and operations may be on several collections: checkpoints are kept here too.
   */
  commit(
    operations: readonly Operation[],
    guards?: readonly Guard[],
  ): Promise<'committed' | 'guard-failed'>;
  /**
   * Yields once at the start, then after commits of any process; one yield may stand for several commits.
   * Ends without an error when the signal aborts. To wait for a change of a document, read it after each yield.
   */
  changes(signal: AbortSignal): AsyncIterable<void>;
  close(): Promise<void>;
}

/** The cursor is not one that this query handed out. */
export class InvalidCursor extends Error {
  override readonly name = 'InvalidCursor';

  constructor() {
    super('The cursor does not belong to this query');
  }
}

/** No declared index serves the query: a bug in the caller, or a missing declaration. */
export class UnservedQuery extends Error {
  override readonly name = 'UnservedQuery';

  constructor(collection: string, what: string) {
    super(`${collection}: ${what}`);
  }
}

/** Nobody has ensured this collection, or it has been dropped. */
export class UnknownCollection extends Error {
  override readonly name = 'UnknownCollection';

  constructor(readonly collection: string) {
    super(`There is no collection '${collection}'`);
  }
}

/** A document, id, name or condition that no engine can store or query. */
export class InvalidDocument extends Error {
  override readonly name = 'InvalidDocument';
}

/**
 * Yields at the start and after each notification, until the signal aborts; all notifications while the
 * consumer is busy yield once more. `listen` gets the function to call on a change, and returns the function
 * that stops it.
 */
export async function* changesOf(
  listen: (notify: () => void) => () => void,
  signal: AbortSignal,
): AsyncIterable<void> {
  let isNew = true;
  let wake = () => {};
  const unlisten = listen(() => {
    isNew = true;
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  try {
    while (!signal.aborted) {
      if (isNew) {
        isNew = false;
        yield;
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    unlisten();
    signal.removeEventListener('abort', onAbort);
  }
}
