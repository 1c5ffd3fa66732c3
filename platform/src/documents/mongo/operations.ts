import type { AnyBulkWriteOperation } from 'mongodb';
import { canonicalJson } from '../canonical.js';
import { InvalidDocument } from '../errors.js';
import type { Operation } from '../port.js';
import { type Entry, entryOf, type Known } from './entry.js';

/** What is to be there: canonical JSON, or null for nothing. By collection and id. */
export type Outcome = ReadonlyMap<string, ReadonlyMap<string, string | null>>;

/**
 * What a list of operations ends in. A put replaces the whole document, so of several on one only the
 * last counts, and the rest may run in any order.
 *
 * @throws InvalidDocument
 */
export function outcomeOf(operations: readonly Operation[]): Outcome {
  const outcome = new Map<string, Map<string, string | null>>();
  for (const operation of operations) {
    const { collection, id } = operation;
    if (typeof id !== 'string' || id === '') throw new InvalidDocument('A document needs an id');
    const changes = outcome.get(collection) ?? new Map<string, string | null>();
    outcome.set(collection, changes);
    changes.set(id, operation.type === 'put' ? canonicalJson(operation.document) : null);
  }
  return outcome;
}

/** One collection's part, for one bulkWrite. @throws InvalidDocument */
export function bulkOf(
  known: Known,
  changes: ReadonlyMap<string, string | null>,
): AnyBulkWriteOperation<Entry>[] {
  return [...changes].map(([id, json]) => {
    if (json === null) return { deleteOne: { filter: { _id: id } } };
    const { _id, ...replacement } = entryOf(known, id, json);
    return { replaceOne: { filter: { _id }, replacement, upsert: true } };
  });
}
