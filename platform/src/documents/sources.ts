import type { Sql } from '../sqlite/index.js';
import { allOf, candidateRows, conditionSql, type Fragment, sql } from './conditions.js';
import type { Filter } from './port.js';
import type { Shape, SqlIndex } from './shape.js';

/** A way to reach the rows that can match without reading the others: selects their `row`. */
export type Source = Fragment;

/**
 * What makes one range of an index: equal conditions on the fields it begins with, then any on the
 * next field.
 */
export function servedBy(index: SqlIndex, filter: Filter): Filter {
  const served: Filter[number][] = [];
  for (const field of [...index.fields, ...index.by]) {
    const equal = filter.find((condition) => condition.field === field && condition.op === 'eq');
    if (equal) {
      served.push(equal);
      continue;
    }
    const isRange = ({ field: other, op }: Filter[number]) =>
      other === field && ['gt', 'gte', 'lt', 'lte', 'in'].includes(op);
    served.push(...filter.filter(isRange));
    break;
  }
  return served;
}

/** Sources of more than this share of the rows are no quicker than reading all of them. */
export const narrowShare = 1 / 10;

/** Every way to narrow this filter that the declared indexes offer. */
export function sourcesOf(db: Sql, shape: Shape, filter: Filter): readonly Source[] {
  const byIndex = new Map<string, Source>();
  for (const index of shape.sqlIndexes) {
    const served = servedBy(index, filter);
    const key = served.map((condition) => filter.indexOf(condition)).join();
    if (served.length === 0 || byIndex.has(key)) continue;
    const where = allOf(served.map((condition) => conditionSql(shape, condition)));
    const text = `SELECT row FROM ${shape.table} INDEXED BY ${index.name} WHERE ${where.text}`;
    byIndex.set(key, sql(text, ...where.parameters));
  }
  const fromSideTables = filter.flatMap((condition) => candidateRows(db, shape, condition) ?? []);
  return [...byIndex.values(), ...fromSideTables];
}

/** The narrowest source of at most `bound` rows, or null when all are broader. */
export function narrowest(db: Sql, sources: readonly Source[], bound: number): Source | null {
  let best: Source | null = null;
  let fewest = Math.floor(bound) + 1;
  for (const source of sources) {
    const { text, parameters } = source;
    const rows = countOf(db, sql(`${text} LIMIT ?`, ...parameters, fewest));
    if (rows < fewest) {
      best = source;
      fewest = rows;
    }
  }
  return best;
}

/**
 * `FROM` and `WHERE` that read a source's rows, or all rows, in the order they lie in: far quicker
 * than in the order of an index.
 */
export function rowsOf(shape: Shape, source: Source | null): Fragment {
  const all = `FROM ${shape.table} NOT INDEXED WHERE`;
  return source ? sql(`${all} row IN (${source.text})`, ...source.parameters) : sql(`${all} 1`);
}

export function countOf(db: Sql, { text, parameters }: Fragment): number {
  const [counted] = db.all<{ rows: number }>(`SELECT count(*) AS rows FROM (${text})`, parameters);
  return counted?.rows ?? 0;
}

/** About how many rows there are; exact where nothing was deleted. */
export function sizeOf(db: Sql, shape: Shape): number {
  return (
    db.all<{ rows: number }>(`SELECT coalesce(max(row), 0) AS rows FROM ${shape.table}`)[0]?.rows ??
    0
  );
}

/**
 * The index that walks the rows in the order asked for, with the most equal fields before it; its
 * `order` is the way to walk it.
 */
export function walkIndex(
  shape: Shape,
  filter: Filter,
  sort: readonly { readonly field: string; readonly order: 'asc' | 'desc' }[],
): SqlIndex | null {
  const equal = new Set(filter.flatMap(({ field, op }) => (op === 'eq' ? [field] : [])));
  const way = sort[0]?.order ?? 'asc';
  const serves = ({ fields, by, order, bothWays }: SqlIndex) =>
    fields.every((field) => equal.has(field)) &&
    by.length === sort.length &&
    (bothWays || order === way) &&
    sort.every((part, at) => part.field === by[at] && part.order === way);
  const serving = shape.sqlIndexes.filter(serves);
  const [best] = serving.sort((one, other) => other.fields.length - one.fields.length);
  return best ? { ...best, order: way } : null;
}
