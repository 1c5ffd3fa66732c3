import { checkFilter, checkLimit, withoutField } from '../documents/conditions.js';
import { pageOf, parseCursor, type SortKey } from '../documents/cursor.js';
import {
  type CollectionSpec,
  type Condition,
  changesOf,
  type Document,
  type Documents,
  type Filter,
  type Guard,
  InvalidDocument,
  type Operation,
  type Page,
  type Query,
  type Scalar,
  UnknownCollection,
  UnservedQuery,
} from '../documents/port.js';
import {
  byCodePoint,
  canonicalJson,
  scalarOf,
  scalarsOf,
  textOf,
  toStored,
} from '../documents/scalars.js';
import {
  checkSpec,
  directionOf,
  type Order,
  type TableShape,
  toShape,
  unionOfIndexes,
  walkIndex,
} from '../documents/shape.js';
import { rankByCount } from '../documents/totals.js';
import { partitionPoint } from '../partition-point.js';
import { type Access, createNotifier, type Notifier, runImmediately } from './access.js';

interface Row {
  readonly id: string;
  readonly text: string;
  readonly document: Document;
}

/** One collection: its documents, and for each indexed field, which documents hold a value. */
interface Table {
  shape: TableShape;
  readonly rows: Map<string, Row>;
  readonly holders: Map<string, Map<Scalar, Set<string>>>;
  /** Created at first use, and then kept up to date. */
  readonly lists: Map<string, SortedRows>;
}

/** Documents with the same values in the first fields of an index, sorted by the rest in ascending order. */
interface SortedRows {
  readonly fields: readonly string[];
  readonly values: readonly Scalar[];
  readonly sort: Sort;
  readonly items: Row[];
}

/** Shared by all engines opened on the same documents. */
export interface MemoryDocumentsData {
  readonly tables: Map<string, Table>;
  readonly notifier: Notifier;
}

export const createMemoryDocumentsData = (): MemoryDocumentsData => ({
  tables: new Map(),
  notifier: createNotifier(),
});

/** Documents in memory, for simulations and tests; nothing survives the process. */
export function createMemoryDocuments(
  { tables, notifier }: MemoryDocumentsData,
  access: Access = runImmediately,
): Documents {
  function tableOf(collection: string): Table {
    const table = tables.get(collection);
    if (!table) throw new UnknownCollection(collection);
    return table;
  }
  const getAll = (collection: string, ids: readonly string[]) => {
    const { rows } = tableOf(collection);
    return ids.map((id) => rows.get(id)?.document ?? null);
  };

  return {
    commitMs: 20,
    loadMs: 20,
    loadEvents: 1_000,
    async ensure(collections) {
      for (const spec of collections) checkSpec(spec);
      await access('ensure', () => {
        for (const spec of collections) ensure(tables, spec);
      });
    },
    collections: () => access('collections', () => [...tables.keys()].sort(byCodePoint)),
    async drop(collection) {
      await access('drop', () => void tables.delete(collection));
      notifier.notify();
    },
    get: <D extends Document>(collection: string, id: string) =>
      access('get', () => (getAll(collection, [id])[0] ?? null) as D | null),
    getMany: <D extends Document>(collection: string, ids: readonly string[]) =>
      access('get many', () => getAll(collection, ids) as readonly (D | null)[]),
    find: <D extends Document>(collection: string, query: Query) =>
      access('find', () => page<D>(tableOf(collection), query)),
    count: (collection, filter) =>
      access('count', () => matching(tableOf(collection), filter).length),
    facets: (collection, filter, fields) =>
      access('facets', () => {
        const table = tableOf(collection);
        const isAsked = (field: string) => filter.some((one) => one.field === field);
        const found = matching(table, filter);
        const foundFor = (field: string) =>
          isAsked(field) ? matching(table, withoutField(filter, field)) : found;
        return Object.fromEntries(
          fields.map((field) => [field, facet(table, foundFor(field), field)]),
        );
      }),
    // Lookups use the documents themselves, so no index can be wrong.
    misindexed: (collection) =>
      access('misindexed', () => {
        tableOf(collection);
        return [];
      }),
    async commit(operations, guards = []) {
      const ready = operations.map(checked);
      return access('commit', () => commit(tableOf, ready, guards));
    },
    changes: (signal) =>
      changesOf((notify) => notifier.listen(() => void access('news', notify)), signal),
    close: async () => {},
  };

  function commit(
    tableFor: (collection: string) => Table,
    ready: readonly Ready[],
    guards: readonly Guard[],
  ): 'committed' | 'guard-failed' {
    for (const { collection } of [...guards, ...ready]) tableFor(collection);
    for (const { collection, id, expected } of guards) {
      const there = tableFor(collection).rows.get(id)?.text ?? null;
      if (there !== (expected && canonicalJson(expected))) return 'guard-failed';
    }
    for (const { collection, row } of ready)
      if (row !== null) checkIndexed(tableFor(collection).shape, row.document);
    for (const { collection, id, row } of ready) {
      const table = tableFor(collection);
      const before = table.rows.get(id);
      if (before) unindex(table, before);
      if (row === null) {
        table.rows.delete(id);
      } else {
        table.rows.set(id, row);
        index(table, row);
      }
    }
    notifier.notify();
    return 'committed';
  }
}

interface Ready {
  readonly collection: string;
  readonly id: string;
  readonly row: Row | null;
}

/** @throws InvalidDocument */
function checked(operation: Operation): Ready {
  const { collection, id } = operation;
  if (id === '') throw new InvalidDocument('A document needs an id');
  if (operation.type === 'delete') return { collection, id, row: null };
  const text = canonicalJson(operation.document);
  return { collection, id, row: { id, text, document: JSON.parse(text) as Document } };
}

/** @throws InvalidDocument when an indexed field holds a value that no engine indexes. */
function checkIndexed(shape: TableShape, document: Document): void {
  for (const field of shape.columns) scalarOf(document, field);
  for (const field of shape.multikey) scalarsOf(document, field);
  for (const field of shape.texts) textOf(document, field);
}

function ensure(tables: Map<string, Table>, spec: CollectionSpec): void {
  const known = tables.get(spec.name);
  const indexes = unionOfIndexes(known?.shape.indexes ?? [], spec.indexes);
  // Every start calls this for collections that have long existed.
  if (known !== undefined && indexes.length === known.shape.indexes.length) return;
  const shape = toShape({ name: spec.name, indexes });
  const rows = known?.rows ?? new Map<string, Row>();
  const equal = shape.sqlIndexes.flatMap(({ fields }) => fields);
  const holders = new Map(equal.map((field) => [field, new Map<Scalar, Set<string>>()]));
  const table: Table = { shape, rows, holders, lists: new Map() };
  for (const row of rows.values()) index(table, row);
  tables.set(spec.name, table);
}

function index({ holders, lists }: Table, row: Row): void {
  const { id, document } = row;
  for (const [field, values] of holders) {
    const value = scalarOf(document, field);
    const ids = values.get(value) ?? new Set();
    values.set(value, ids.add(id));
  }
  for (const list of lists.values())
    if (belongsTo(list, row)) list.items.splice(beginOf(list, sortKeyOf(list.sort, row)), 0, row);
}

const belongsTo = ({ fields, values }: SortedRows, { document }: Row): boolean =>
  fields.every((field, at) => scalarOf(document, field) === values[at]);

/** The index of the first item at or after a place. */
const beginOf = ({ items, sort }: SortedRows, place: SortKey): number =>
  partitionPoint(items, (row) => order(sort, sortKeyOf(sort, row), place) < 0);

function unindex({ holders, lists }: Table, row: Row): void {
  const { id, document } = row;
  for (const list of lists.values())
    if (belongsTo(list, row)) list.items.splice(beginOf(list, sortKeyOf(list.sort, row)), 1);
  for (const [field, values] of holders) {
    const value = scalarOf(document, field);
    const ids = values.get(value);
    ids?.delete(id);
    if (ids?.size === 0) values.delete(value);
  }
}

/** The matching documents, unordered. @throws UnservedQuery */
function matching(table: Table, filter: Filter): readonly Row[] {
  checkFilter(table.shape, filter);
  for (const condition of filter) checkValues(condition);
  let fewest: ReadonlySet<string> | null = null;
  for (const condition of filter) {
    const values = condition.op === 'eq' ? table.holders.get(condition.field) : undefined;
    if (values === undefined || condition.op !== 'eq') continue;
    const ids: ReadonlySet<string> = values.get(condition.value) ?? new Set();
    if (fewest === null || ids.size < fewest.size) fewest = ids;
  }
  const from = fewest === null ? [...table.rows.values()] : rowsOf(table, fewest);
  return from.filter(({ document }) => filter.every((condition) => holds(document, condition)));
}

const rowsOf = ({ rows }: Table, ids: ReadonlySet<string>): Row[] =>
  [...ids].flatMap((id) => rows.get(id) ?? []);

/** @throws InvalidDocument for values that are not scalars, as from an untyped caller. */
function checkValues(condition: Condition): void {
  if (condition.op === 'words') return;
  for (const value of condition.op === 'in' ? condition.values : [condition.value]) toStored(value);
}

function holds(document: Document, condition: Condition): boolean {
  switch (condition.op) {
    case 'contains':
      return scalarsOf(document, condition.field).includes(condition.value);
    case 'words': {
      const text = textOf(document, condition.field);
      return condition.words.every((word) => text?.includes(word) === true);
    }
    case 'in':
      return condition.values.includes(scalarOf(document, condition.field));
    case 'eq':
      return scalarOf(document, condition.field) === condition.value;
    case 'ne':
      return scalarOf(document, condition.field) !== condition.value;
    default: {
      const value = scalarOf(document, condition.field);
      if (kindOf(value) !== kindOf(condition.value)) return false;
      const difference = compare(value, condition.value);
      if (condition.op === 'gt') return difference > 0;
      if (condition.op === 'gte') return difference >= 0;
      return condition.op === 'lt' ? difference < 0 : difference <= 0;
    }
  }
}

/** @throws UnservedQuery; InvalidCursor; InvalidDocument for an invalid page size. */
function page<D extends Document>(table: Table, query: Query): Page<D> {
  const { filter = [], sort = [], limit } = query;
  checkFilter(table.shape, filter);
  checkLimit(limit);
  const served = walkIndex(table.shape, filter, sort);
  if (!served) throw new UnservedQuery(table.shape.name, 'no index serves this order');
  const place = parseCursor(query);
  for (const condition of filter) checkValues(condition);
  const isUpwards = sort.every(({ order: direction }) => direction === 'asc');
  const most = limit ?? Number.POSITIVE_INFINITY;
  const found = isUpwards
    ? rowsInRange(sortedRowsOf(table, served.fields, filter, sort), filter, place, most)
    : matching(table, filter)
        .filter((row) => place === null || order(sort, sortKeyOf(sort, row), place, served.ids) > 0)
        .sort((a, b) => order(sort, sortKeyOf(sort, a), sortKeyOf(sort, b), served.ids));
  return pageOf(query, found, ({ document }) => document as D);
}

function sortedRowsOf(
  table: Table,
  fields: readonly string[],
  filter: Filter,
  sort: Sort,
): SortedRows {
  const values = fields.map((field) => {
    const equal = filter.find((condition) => condition.field === field && condition.op === 'eq');
    return equal?.op === 'eq' ? equal.value : null;
  });
  const name = JSON.stringify([fields, values, sort.map(({ field }) => field)]);
  const known = table.lists.get(name);
  if (known) return known;
  const list: SortedRows = { fields, values, sort, items: [] };
  for (const row of table.rows.values()) if (belongsTo(list, row)) list.items.push(row);
  list.items.sort((a, b) => order(sort, sortKeyOf(sort, a), sortKeyOf(sort, b)));
  table.lists.set(name, list);
  return list;
}

/** At most `most` + 1 matching documents. Only the range that can match is scanned. */
function rowsInRange(
  list: SortedRows,
  filter: Filter,
  place: SortKey | null,
  most: number,
): readonly Row[] {
  const { items, sort } = list;
  const [first] = sort;
  const bounds = filter.filter(({ field }) => field === first?.field);
  let at = place === null ? 0 : beginOf(list, place);
  for (const bound of bounds)
    if (bound.op === 'gt' || bound.op === 'gte') {
      const values = sort.map((_, index) => (index === 0 ? bound.value : null));
      at = Math.max(at, beginOf(list, { values, id: '' }));
    }
  const found: Row[] = [];
  for (; at < items.length && found.length <= most; at += 1) {
    const row = items[at];
    if (row === undefined) break;
    if (bounds.some((bound) => isBeyond(row.document, bound))) break;
    if (place !== null && order(sort, sortKeyOf(sort, row), place) <= 0) continue;
    if (filter.every((condition) => holds(row.document, condition))) found.push(row);
  }
  return found;
}

/** Whether this document and all after it exceed an upper bound. */
function isBeyond(document: Document, condition: Condition): boolean {
  if (condition.op !== 'lt' && condition.op !== 'lte') return false;
  const difference = compare(scalarOf(document, condition.field), condition.value);
  return condition.op === 'lt' ? difference >= 0 : difference > 0;
}

type Sort = NonNullable<Query['sort']>;

const sortKeyOf = (sort: Sort, { id, document }: Row): SortKey => ({
  id,
  values: sort.map(({ field }) => scalarOf(document, field)),
});

/** @param ids the order of ties */
function order(sort: Sort, one: SortKey, other: SortKey, ids: Order = 'asc'): number {
  for (const [at, { order: direction }] of sort.entries()) {
    const difference = compare(one.values[at] ?? null, other.values[at] ?? null);
    if (difference !== 0) return difference * directionOf(direction);
  }
  return byCodePoint(one.id, other.id) * directionOf(ids);
}

/** The sort order of types: null, numbers, text, booleans. */
const kinds = ['object', 'number', 'string', 'boolean'];
const kindOf = (value: Scalar) => kinds.indexOf(typeof value);

function compare(one: Scalar, other: Scalar): number {
  if (typeof one === 'string' && typeof other === 'string') return byCodePoint(one, other);
  const difference = kindOf(one) - kindOf(other);
  return difference !== 0 || one === null ? difference : Number(one) - Number(other);
}

function facet({ shape }: Table, found: readonly Row[], field: string) {
  const isList = shape.multikey.includes(field);
  if (!isList && !shape.columns.includes(field))
    throw new UnservedQuery(shape.name, `no index serves a facet of '${field}'`);
  const counts = new Map<Scalar, number>();
  for (const { document } of found) {
    const values = isList ? scalarsOf(document, field) : [scalarOf(document, field)];
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return rankByCount(counts);
}
