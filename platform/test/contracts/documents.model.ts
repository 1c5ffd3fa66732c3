import type { Condition, Document, Filter, Query, Scalar, Stored } from '@oja/platform';

/**
 * The simplest `find` that keeps the port's promise: it tests every document and sorts the matches. All indexes that
 * it is asked to read in descending order serve both.
 */
export function naiveFind(all: readonly Stored[], query: Query): readonly Stored[] {
  const found = all.filter(({ document }) => matches(document, query.filter ?? []));
  return found.sort((one, other) => {
    for (const { field, order } of query.sort ?? []) {
      const difference = compare(scalarAt(one.document, field), scalarAt(other.document, field));
      if (difference !== 0) return order === 'asc' ? difference : -difference;
    }
    return compare(one.id, other.id) * (query.sort?.[0]?.order === 'desc' ? -1 : 1);
  });
}

/** The simplest facet count: documents per value of `field`. `multikey`: the field that holds a list. */
export function naiveFacet(
  all: readonly Stored[],
  filter: Filter,
  field: string,
  multikey: string,
): ReadonlyMap<Scalar, number> {
  const counts = new Map<Scalar, number>();
  for (const { document } of all.filter((stored) => matches(stored.document, filter))) {
    const values = field === multikey ? listAt(document, field) : [scalarAt(document, field)];
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

function matches(document: Document, filter: Filter): boolean {
  return filter.every((condition) => holds(document, condition));
}

function holds(document: Document, condition: Condition): boolean {
  const held = document[condition.field];
  if (condition.op === 'contains') return Array.isArray(held) && held.includes(condition.value);
  if (condition.op === 'words') {
    return condition.words.every((word) => typeof held === 'string' && held.includes(word));
  }
  const value = scalarAt(document, condition.field);
  if (condition.op === 'in') return condition.values.includes(value);
  if (condition.op === 'eq') return value === condition.value;
  if (condition.op === 'ne') return value !== condition.value;
  if (kindOf(value) !== kindOf(condition.value)) return false;
  const difference = compare(value, condition.value);
  switch (condition.op) {
    case 'gt':
      return difference > 0;
    case 'gte':
      return difference >= 0;
    case 'lt':
      return difference < 0;
    case 'lte':
      return difference <= 0;
  }
}

/** The distinct values of a list field; a missing list counts as empty. */
function listAt(document: Document, field: string): ReadonlySet<Scalar> {
  const list = document[field];
  return new Set<Scalar>(Array.isArray(list) ? list : []);
}

function scalarAt(document: Document, field: string): Scalar {
  const value = document[field] ?? null;
  if (typeof value === 'object' && value !== null) throw new Error(`${field} is not a scalar`);
  return value;
}

function kindOf(value: Scalar): number {
  if (value === null) return 0;
  return ['number', 'string', 'boolean'].indexOf(typeof value) + 1;
}

/** Sort order: null, then numbers, then text by code point, then booleans. */
function compare(one: Scalar, other: Scalar): number {
  const kinds = kindOf(one) - kindOf(other);
  if (kinds !== 0 || one === null || other === null) return kinds;
  if (typeof one === 'string' && typeof other === 'string') {
    return Buffer.compare(Buffer.from(one), Buffer.from(other));
  }
  return Number(one) - Number(other);
}
