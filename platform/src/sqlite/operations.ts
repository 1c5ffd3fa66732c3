import type { Sql } from './sql.js';

/**
 * A named write. It runs inside the group's transaction: when it throws, only its own changes are undone, for which
 * the group is begun anew, so it changes nothing but the file. `request` and the reply cross a thread, so they are
 * what structured clone keeps; a Buffer arrives as a Uint8Array (use `asBuffer`).
 */
export type WriteOperation = (sql: Sql, request: never) => unknown;
export type WriteOperations = Readonly<Record<string, WriteOperation>>;

/** What a writer's module exports. */
export interface WriterModule {
  /** Statements that can be repeated (`IF NOT EXISTS`); run once at each start, in a transaction. */
  readonly schema: string;
  readonly operations: WriteOperations;
}

/** The same bytes as a Buffer, which is what may be bound. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
