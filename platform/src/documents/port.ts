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
 * Conditions and facets take any field that some index names. Values compare with their own kind
 * only; null equals null, and is neither more nor less than anything.
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
  /** Every word (folded) stands somewhere in the field's text, inside words too. */
  | { readonly field: string; readonly op: 'words'; readonly words: readonly string[] };

/** All conditions hold. Fields are top-level names. */
export type Filter = readonly Condition[];

export interface Query {
  readonly filter?: Filter;
  /**
   * The `by` of a sorted index whose `fields` the filter has equal, all in one direction. Ties are
   * broken by id, ascending. Null, numbers, text, booleans; text by code point: store a folded key
   * for anything else. Without it: by id.
   */
  readonly sort?: readonly { readonly field: string; readonly order: 'asc' | 'desc' }[];
  /** Without it: everything that matches. */
  readonly limit?: number;
  /** The `next` of an earlier page of the same filter and sort. */
  readonly cursor?: string;
}

export interface Stored<D extends Document = Document> {
  readonly id: string;
  readonly document: D;
}

export interface Page<D extends Document = Document> {
  readonly items: readonly Stored<D>[];
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

/**
 * Read models. All calls but `ensure`, `drop` and `collections` throw UnknownCollection for a
 * collection that is not there. Every engine passes `platform/test/contracts/documents.ts`.
 */
export interface Documents {
  /** How long a commit may take before others wait too long behind it, in milliseconds. */
  readonly commitMs: number;
  /**
   * Makes collections and indexes that are not there yet; never drops anything. `loading`: nobody reads these collections
   * before they are ensured again without it, so an engine may leave the `late` indexes of new ones out until then.
   */
  ensure(
    collections: readonly CollectionSpec[],
    options?: { readonly loading?: boolean },
  ): Promise<void>;
  /** Names of all collections that are there. */
  collections(): Promise<readonly string[]>;
  drop(collection: string): Promise<void>;
  get<D extends Document = Document>(collection: string, id: string): Promise<D | null>;
  /** In the order of `ids`; null for those that are not there. */
  getMany<D extends Document = Document>(
    collection: string,
    ids: readonly string[],
  ): Promise<readonly (D | null)[]>;
  /** @throws InvalidCursor for a cursor of another query; UnservedQuery. */
  find<D extends Document = Document>(collection: string, query: Query): Promise<Page<D>>;
  count(collection: string, filter: Filter): Promise<number>;
  /**
   * For each field: how many documents hold each value, the most frequent first, of those that match all but what the
   * filter asks of that field itself. So each count is what choosing that value would find.
   */
  facets(
    collection: string,
    filter: Filter,
    fields: readonly string[],
  ): Promise<
    Readonly<Record<string, readonly { readonly value: Scalar; readonly count: number }[]>>
  >;
  /**
   * Documents that an index says otherwise of than they read, with those fields: a query misses them, or finds
   * them for what they are not. Without `ids` all are looked at. Deleted and put again they are right. Where all are,
   * also what is counted amiss: instead of an id the values, as a list of JSON; only building the collection anew mends
   * it.
   */
  misindexed(collection: string, ids?: readonly string[]): Promise<readonly Misindexed[]>;
  /**
   * All operations in one transaction, in order, if every guard holds; 'guard-failed' changes
   * nothing. Another collection's guard and operations may be mixed: the checkpoint lives here.
   */
  commit(
    operations: readonly Operation[],
    guards?: readonly Guard[],
  ): Promise<'committed' | 'guard-failed'>;
  /**
   * Yields once at the start, then after commits, of whatever process; several may be told as one.
   * Ends without an error when the signal aborts. For waiting until a document has changed: look
   * after each.
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

/** No declared index serves the query: a bug of the caller, or an index to declare. */
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

/** A document, id, name or condition that no engine can keep or ask for. */
export class InvalidDocument extends Error {
  override readonly name = 'InvalidDocument';
}
