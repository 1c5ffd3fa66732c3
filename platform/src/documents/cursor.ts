import { createHash } from 'node:crypto';
import { allOf, equal, type Fragment, sql } from './conditions.js';
import {
  type Document,
  InvalidCursor,
  type Page,
  type Query,
  type Scalar,
  type Stored,
} from './port.js';
import { canonicalJson, scalarOf, storableText, toColumn } from './scalars.js';
import { column, type Order, type Walk } from './shape.js';

/** Where the last page ended: the sorted values and the id of its last document. */
export interface SortKey {
  readonly values: readonly Scalar[];
  readonly id: string;
}

/** Identifies a query without its collection, so that a cursor stays valid when a rebuild takes over. */
function hashQuery({ filter = [], sort = [] }: Query): string {
  const query = canonicalJson([
    filter.map((condition) => ({ ...condition })),
    sort.map(({ field, order }) => [field, order]),
  ]);
  return createHash('sha256').update(query).digest('base64url').slice(0, 16);
}

/** The cursor of the page that begins after this document. */
function cursorAfter(query: Query, id: string, document: Document): string {
  const values = (query.sort ?? []).map(({ field }) => scalarOf(document, field));
  return Buffer.from(JSON.stringify([hashQuery(query), id, ...values])).toString('base64url');
}

/**
 * The page of what was found, which has one more than the page where there is a next one.
 * @param documentOf reads the document of one of the found; called for those of the page only
 */
export function pageOf<Found extends { readonly id: string }, D extends Document>(
  query: Query,
  found: readonly Found[],
  documentOf: (found: Found) => D,
): Page<D> {
  const shown = found.slice(0, query.limit);
  const items = shown.map((one): Stored<D> => ({ id: one.id, document: documentOf(one) }));
  const last = items.at(-1);
  const isMore = last !== undefined && found.length > shown.length;
  return { items, next: isMore ? cursorAfter(query, last.id, last.document) : null };
}

/** JSON can hold a number that is too large, such as 1e999, which is read as infinite. */
function isScalar(value: unknown): value is Scalar {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}

/** The place in a query's cursor; null without one. @throws InvalidCursor for a cursor of another query. */
export function parseCursor(query: Query): SortKey | null {
  if (query.cursor === undefined) return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(query.cursor, 'base64url').toString('utf8'));
  } catch {
    throw new InvalidCursor();
  }
  if (!Array.isArray(parsed)) throw new InvalidCursor();
  const [hash, id, ...values]: readonly unknown[] = parsed;
  if (hash !== hashQuery(query) || typeof id !== 'string' || !values.every(isScalar)) {
    throw new InvalidCursor();
  }
  if (values.length !== (query.sort ?? []).length) throw new InvalidCursor();
  return { values, id };
}

export function orderBy({ by, wanted, ids }: Walk): string {
  const fields = by.map((field) => `${column(field)} ${wanted.toUpperCase()}`);
  return [...fields, `id ${ids.toUpperCase()}`].join(', ');
}

/** The ranges beyond a value, in order; null sorts before everything. */
function rangesBeyond(name: string, value: Scalar, order: Order): readonly Fragment[] {
  if (order === 'asc') {
    return value === null ? [sql(`${name} IS NOT NULL`)] : [sql(`${name} > ?`, toColumn(value))];
  }
  return value === null ? [] : [sql(`${name} < ?`, toColumn(value)), sql(`${name} IS NULL`)];
}

/**
 * What comes after a place, as ranges of the index to be read one after the other: the rest of the ties, then
 * what differs in the last field, and so on. An OR of them all would not be one range.
 */
export function rangesAfter({ by, wanted, ids }: Walk, place: SortKey | null): readonly Fragment[] {
  if (place === null) return [sql('1')];
  const names = by.map(column);
  const ties = names.map((name, index) => equal(name, place.values[index] ?? null));
  const rest = [allOf([...ties, sql(`id ${ids === 'asc' ? '>' : '<'} ?`, storableText(place.id))])];
  for (let at = names.length - 1; at >= 0; at -= 1) {
    const name = names[at] ?? '';
    for (const stretch of rangesBeyond(name, place.values[at] ?? null, wanted)) {
      rest.push(allOf([...ties.slice(0, at), stretch]));
    }
  }
  return rest;
}
