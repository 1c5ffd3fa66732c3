import type { Place } from './cursor.js';
import { allOf, type Fragment, sql } from './fragment.js';
import type { Scalar } from './port.js';
import { keepableText, toColumn } from './scalars.js';
import { column, type SqlIndex } from './shape.js';

export function orderBy({ by, order }: SqlIndex): string {
  return [...by.map((field) => `${column(field)} ${order.toUpperCase()}`), 'id'].join(', ');
}

function same(name: string, value: Scalar): Fragment {
  return value === null ? sql(`${name} IS NULL`) : sql(`${name} = ?`, toColumn(value));
}

/** The stretches beyond a value, in order; null stands before everything. */
function beyond(name: string, value: Scalar, order: 'asc' | 'desc'): readonly Fragment[] {
  if (order === 'asc') {
    return value === null ? [sql(`${name} IS NOT NULL`)] : [sql(`${name} > ?`, toColumn(value))];
  }
  return value === null ? [] : [sql(`${name} < ?`, toColumn(value)), sql(`${name} IS NULL`)];
}

/**
 * What comes after a place, as stretches of the index to be read one after the other: the rest of
 * the ties, then what differs in the last field, and so on. Each is one range, which an OR of them
 * all would not be.
 */
export function stretches({ by, order }: SqlIndex, place: Place | null): readonly Fragment[] {
  if (place === null) return [sql('1')];
  const names = by.map(column);
  const ties = names.map((name, index) => same(name, place.values[index] ?? null));
  const rest = [allOf([...ties, sql('id > ?', keepableText(place.id))])];
  for (let at = names.length - 1; at >= 0; at -= 1) {
    const name = names[at] ?? '';
    for (const stretch of beyond(name, place.values[at] ?? null, order)) {
      rest.push(allOf([...ties.slice(0, at), stretch]));
    }
  }
  return rest;
}
