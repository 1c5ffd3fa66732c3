import type { Sql, WriteOperations } from '../sqlite/index.js';
import { createTally, writeTally } from './counts.js';
import type { CollectionSpec } from './port.js';
import { deleteRow, fillRows, putRow, readRow } from './rows.js';
import {
  createShapeLookup,
  dropTables,
  isCurrent,
  isEnsured,
  makeIndexes,
  makeTables,
  readSpec,
  withoutWords,
  writeSpec,
} from './schema.js';
import { type TableShape, toShape, unionOfIndexes, withoutLateIndexes } from './shape.js';

/** Documents cross the thread as canonical JSON; null deletes. */
export interface Change {
  readonly collection: string;
  readonly id: string;
  readonly json: string | null;
}

export interface EnsureRequest {
  readonly specs: readonly CollectionSpec[];
  readonly loading: boolean;
}

export interface CommitRequest {
  readonly changes: readonly Change[];
  /** `json` is the expected document; null: none may exist. */
  readonly guards: readonly Change[];
}

export type CommitReply =
  | { readonly outcome: 'committed' | 'guard-failed' }
  | { readonly outcome: 'unknown-collection'; readonly collection: string };

const shapesOf = new WeakMap<Sql, (name: string) => TableShape | null>();

function shapesIn(db: Sql): (name: string) => TableShape | null {
  const known = shapesOf.get(db) ?? createShapeLookup(db);
  shapesOf.set(db, known);
  return known;
}

/**
 * Runs under the write lock, so of two processes the second finds what the first has created. True: after a load, more
 * late indexes are missing. Each call creates one, so that nobody waits for all of them.
 */
function ensure(db: Sql, { specs, loading }: EnsureRequest): boolean {
  for (const spec of specs) {
    if (isEnsured(db, spec, loading)) continue;
    const known = readSpec(db, spec.name);
    const indexes = unionOfIndexes(known?.indexes ?? [], spec.indexes);
    const shape = toShape({ name: spec.name, indexes });
    const old = known ? toShape(known, isCurrent(known)) : null;
    const before = old && known && !isCurrent(known) ? withoutWords(db, old) : old;
    const endsLoad = known?.loading === true && !loading;
    const isLoading = loading && (known === null || known.loading === true);
    makeTables(db, shape, before);
    if (before) fillRows(db, shape, before);
    const isLeft = makeIndexes(
      db,
      isLoading ? withoutLateIndexes(shape) : shape,
      endsLoad ? 1 : undefined,
    );
    writeSpec(db, { name: spec.name, indexes }, isLoading || isLeft);
    if (isLeft) return true;
  }
  return false;
}

function drop(db: Sql, name: string): void {
  const spec = readSpec(db, name);
  if (!spec) return;
  dropTables(db, toShape(spec));
  db.run('DELETE FROM "$collections" WHERE name = ?', [name]);
}

function commit(db: Sql, { changes, guards }: CommitRequest): CommitReply {
  const shapeNow = shapesIn(db);
  const involved = new Map<string, TableShape>();
  for (const { collection } of [...guards, ...changes]) {
    if (involved.has(collection)) continue;
    const shape = shapeNow(collection);
    if (!shape) return { outcome: 'unknown-collection', collection };
    involved.set(collection, shape);
  }
  for (const { collection, id, json } of guards) {
    const shape = involved.get(collection);
    if (shape && (readRow(db, shape, id)?.json ?? null) !== json) {
      return { outcome: 'guard-failed' };
    }
  }
  const tally = createTally();
  for (const { collection, id, json } of changes) {
    const shape = involved.get(collection);
    if (!shape) continue;
    if (json === null) deleteRow(db, shape, id, tally);
    else putRow(db, shape, id, json, tally);
  }
  writeTally(db, tally);
  return { outcome: 'committed' };
}

export const operations: WriteOperations = { ensure, drop, commit };

export { schema } from './schema.js';
