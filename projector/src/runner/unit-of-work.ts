import {
  type Document,
  type Documents,
  documentsWith,
  type Operation,
  type Scalar,
  type Stored,
} from '@oja/platform';
import type { Change, Key, Loaded } from './projection.js';

/** Changed documents, by collection and id; null: deleted. */
export type Changed = ReadonlyMap<string, ReadonlyMap<string, Document | null>>;

export const nothingChanged: Changed = new Map();

/** How many values of a field go into one query: even with some documents for each, that is a few pages. */
const VALUES_PER_QUERY = 100;

/**
 * The documents that a batch works on: those of the store, overlaid with what the batch has changed
 * so far. Changes stay here until they are committed with the checkpoint.
 */
export interface UnitOfWork extends Loaded {
  /** Loads the keys that are missing, many at once. Returns whether any was missing. */
  load(keys: readonly Key[]): Promise<boolean>;
  apply(changes: readonly Change[]): void;
  /** The last state of each changed document, under physical collection names. */
  operations(): readonly Operation[];
  readonly changed: Changed;
}

/** @param underway changes of the previous batch, which the store may have already or not yet */
export function createUnitOfWork(
  documents: Documents,
  physical: (collection: string) => string,
  underway: Changed = nothingChanged,
): UnitOfWork {
  /** What the store holds, or will hold after the previous batch. The checkpoint keeps other writers out. */
  const stored = new Map<string, Map<string, Document | null>>();
  const changed = new Map<string, Map<string, Document | null>>();
  const queried = new Map<string, readonly Stored[]>();
  const valuesUnderway = createValues(underway);
  const valuesChanged = createValues(changed);

  async function loadIds(collection: string, ids: readonly string[]): Promise<void> {
    const known = mapIn(stored, collection);
    const coming = underway.get(collection);
    for (const id of ids) {
      const document = coming?.get(id);
      if (document !== undefined) known.set(id, document);
    }
    const asked = ids.filter((id) => !known.has(id));
    if (asked.length === 0) return;
    const found = await documents.getMany(physical(collection), asked);
    asked.forEach((id, i) => {
      known.set(id, found[i] ?? null);
    });
  }

  async function loadQueries(
    collection: string,
    field: string,
    values: readonly Scalar[],
  ): Promise<void> {
    for (let from = 0; from < values.length; from += VALUES_PER_QUERY) {
      const asked = values.slice(from, from + VALUES_PER_QUERY);
      const found = new Map(asked.map((value) => [value, [] as Stored[]]));
      for (const item of await documentsWith(documents, physical(collection), {
        field,
        values: asked,
      }))
        found.get(item.document[field] as Scalar)?.push(item);
      for (const [value, items] of found) {
        const after = valuesUnderway.overlay(items, collection, field, value);
        queried.set(queryKey(collection, field, value), after);
      }
    }
  }

  function has(key: Key): boolean {
    if ('where' in key) {
      return queried.has(queryKey(key.collection, key.where.field, key.where.value));
    }
    return (
      changed.get(key.collection)?.has(key.id) === true ||
      stored.get(key.collection)?.has(key.id) === true
    );
  }

  function get(collection: string, id: string): Document | null {
    const change = changed.get(collection)?.get(id);
    if (change !== undefined) return change;
    const document = stored.get(collection)?.get(id);
    if (document === undefined) throw new Error(`reads() did not name ${collection} '${id}'`);
    return document;
  }

  function find(collection: string, field: string, value: Scalar): readonly Stored[] {
    const items = queried.get(queryKey(collection, field, value));
    if (items === undefined) {
      throw new Error(`reads() did not name ${collection} where ${field} is '${value}'`);
    }
    return valuesChanged.overlay(items, collection, field, value);
  }

  return {
    changed,
    has,
    // Unchecked: the documents in the store are this projection's own, written with its own types.
    get: get as Loaded['get'],
    find: find as Loaded['find'],
    async load(keys) {
      const missing = keys.filter((key) => !has(key));
      const ids = new Map<string, Set<string>>();
      const queries = new Map<string, Map<string, Set<Scalar>>>();
      for (const key of missing) {
        if ('where' in key) {
          const fields = mapIn(queries, key.collection);
          const { field, value } = key.where;
          fields.set(field, (fields.get(field) ?? new Set()).add(value));
        } else ids.set(key.collection, (ids.get(key.collection) ?? new Set()).add(key.id));
      }
      for (const [collection, fields] of queries)
        for (const [field, values] of fields) await loadQueries(collection, field, [...values]);
      for (const [collection, wanted] of ids) await loadIds(collection, [...wanted]);
      return missing.length > 0;
    },
    apply(changes) {
      for (const change of changes) {
        const document = change.type === 'put' ? change.document : null;
        mapIn(changed, change.collection).set(change.id, document);
        valuesChanged.add(change.collection, change.id, document);
      }
    },
    operations() {
      return [...changed].flatMap(([collection, entries]) =>
        [...entries].map(
          ([id, document]): Operation =>
            document === null
              ? { type: 'delete', collection: physical(collection), id }
              : { type: 'put', collection: physical(collection), id, document },
        ),
      );
    },
  };
}

/**
 * Changed documents by the values of the fields that were asked for, because a long batch asks for a value
 * thousands of times.
 */
interface Values {
  /** To be called for each later change. */
  add(collection: string, id: string, document: Document | null): void;
  /** The result of a query after the changes, sorted by id. */
  overlay(
    items: readonly Stored[],
    collection: string,
    field: string,
    value: Scalar,
  ): readonly Stored[];
}

function createValues(changed: Changed): Values {
  /** By collection, field and value: ids of the documents that have the value, and of some that had it. */
  const ids = new Map<string, Map<string, Map<unknown, Set<string>>>>();

  function note(
    values: Map<unknown, Set<string>>,
    field: string,
    id: string,
    document: Document | null,
  ): void {
    if (document === null) return;
    const known = values.get(document[field]);
    if (known === undefined) values.set(document[field], new Set([id]));
    else known.add(id);
  }

  function valuesOf(collection: string, field: string): Map<unknown, Set<string>> {
    const fields = mapIn(ids, collection);
    const known = fields.get(field);
    if (known !== undefined) return known;
    const values = new Map<unknown, Set<string>>();
    for (const [id, document] of changed.get(collection) ?? []) note(values, field, id, document);
    fields.set(field, values);
    return values;
  }

  return {
    add(collection, id, document) {
      for (const [field, values] of ids.get(collection) ?? []) note(values, field, id, document);
    },
    overlay(items, collection, field, value) {
      const changes = changed.get(collection);
      if (changes === undefined) return items;
      const merged = items.filter(({ id }) => !changes.has(id));
      for (const id of valuesOf(collection, field).get(value) ?? []) {
        const document = changes.get(id) ?? null;
        if (document !== null && document[field] === value) merged.push({ id, document });
      }
      return merged.sort((a, b) => (a.id < b.id ? -1 : 1));
    },
  };
}

function mapIn<V>(maps: Map<string, Map<string, V>>, name: string): Map<string, V> {
  const map = maps.get(name) ?? new Map<string, V>();
  maps.set(name, map);
  return map;
}

function queryKey(collection: string, field: string, value: Scalar): string {
  return JSON.stringify([collection, field, value]);
}
