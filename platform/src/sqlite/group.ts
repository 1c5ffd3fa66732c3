import type { WriteOperations, WriteReply, WriteRequest } from './protocol.js';
import { isBroken, isBusy, isFull, messageOf, type Sql } from './sql.js';

/** How long to wait for the lock: another process may hold it for a while (a checkpoint, a backup). */
const patienceMs = 30_000;

/** Nothing was acknowledged, and nothing more may be written; after a full disk, not until there is room. */
export class BrokenStore extends Error {
  override readonly name = 'BrokenStore';
  readonly isFull: boolean;

  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
    this.isFull = isFull(cause);
  }
}

/** Takes the write lock; retries for `patienceMs`. @throws the last error, when the file is still locked. */
export function beginPatiently(sql: Sql): void {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      sql.exec('BEGIN IMMEDIATE');
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
    }
  }
}

/** @throws whatever the operation throws. */
function perform(sql: Sql, operations: WriteOperations, write: WriteRequest): WriteReply {
  const operation = operations[write.operation];
  if (!operation) throw new Error(`There is no write operation '${write.operation}'`);
  return { id: write.id, ok: true, value: operation(sql, write.request as never) };
}

/** Performs a request in a savepoint, so that only its own changes are undone when it is refused. */
function performApart(sql: Sql, operations: WriteOperations, write: WriteRequest): WriteReply {
  sql.run('SAVEPOINT request');
  try {
    const reply = perform(sql, operations, write);
    sql.run('RELEASE request');
    return reply;
  } catch (error) {
    if (!isRefusal(sql, error)) throw error;
    sql.run('ROLLBACK TO request');
    sql.run('RELEASE request');
    return { id: write.id, ok: false, why: 'refused', message: messageOf(error) };
  }
}

const isRefusal = (sql: Sql, error: unknown) => !isBroken(error) && sql.inTransaction();

/**
 * Runs the requests in one transaction and returns their replies after the commit. A request that fails is
 * undone alone.
 *
 * @throws BrokenStore when the disk or the file failed: no request of the group may be acknowledged,
 *   not even those that had succeeded.
 */
export function runGroup(
  sql: Sql,
  operations: WriteOperations,
  writes: readonly WriteRequest[],
  how = perform,
): readonly WriteReply[] {
  try {
    beginPatiently(sql);
  } catch (error) {
    if (!isBusy(error)) throw new BrokenStore(error);
    const message = `The file was locked elsewhere for ${patienceMs / 1_000} s`;
    return writes.map(({ id }) => ({ id, ok: false, why: 'busy', message }));
  }
  try {
    const replies = writes.map((write) => how(sql, operations, write));
    sql.exec('COMMIT');
    return replies;
  } catch (error) {
    const isRefused = how === perform && isRefusal(sql, error);
    rollBack(sql);
    if (!isRefused) throw new BrokenStore(error);
    // Rare. Savepoints for every request, always, would cost as much as small writes do.
    return runGroup(sql, operations, writes, performApart);
  }
}

function rollBack(sql: Sql): void {
  try {
    if (sql.inTransaction()) sql.exec('ROLLBACK');
  } catch {
    // The connection is given up anyway, and the first error is the one to report.
  }
}
