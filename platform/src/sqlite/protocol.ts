import type { Sql, SqlOptions } from './sql.js';

/** So much room there must be: less is gone with the next order, and a market that comes and goes helps nobody. */
export const roomBytes = 4 * 1024 * 1024;

/** How a writer thread is told what to own. */
export interface WriterSettings extends Omit<SqlOptions, 'readonly' | 'busyTimeoutMs'> {
  readonly file: string;
  /** URL of a built module that is a `WriterModule`. */
  readonly module: string;
}

export interface WriteRequest {
  readonly id: number;
  readonly operation: string;
  readonly request: unknown;
  /** It has to outlive a power cut. */
  readonly durable: boolean;
}

export type ToWriter =
  | { readonly kind: 'write'; readonly requests: readonly WriteRequest[] }
  | { readonly kind: 'truncate'; readonly id: number; readonly forMs: number }
  | { readonly kind: 'close' };

/**
 * `refused`: the operation threw and left no trace. `busy`: the lock was held elsewhere for too long.
 * `full`: there is no room on the disk; nothing is written until there is. `stopped`: the store is
 * broken; nothing will be written any more.
 */
export type WriteReply =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | {
      readonly id: number;
      readonly ok: false;
      readonly why: 'refused' | 'busy' | 'full' | 'stopped';
      readonly message: string;
    };

export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly message: string }
  /** After a full disk writes are taken again. */
  | { readonly kind: 'room' }
  | { readonly kind: 'replies'; readonly replies: readonly WriteReply[] };

/**
 * A named write. It runs inside the group's transaction: when it throws, only its own changes are undone, for which
 * the group is begun anew, so it changes nothing but the file. `request` and the reply cross a thread, so they are
 * what structured clone keeps; a Buffer arrives as a Uint8Array (use `asBuffer`).
 */
export type WriteOperation = (sql: Sql, request: never) => unknown;
export type WriteOperations = Readonly<Record<string, WriteOperation>>;

/** What a writer's module exports. */
export interface WriterModule {
  /** Statements that can be repeated (`IF NOT EXISTS`); run for each connection that may write, in a transaction. */
  readonly schema: string;
  readonly operations: WriteOperations;
}

/** The same bytes as a Buffer, which is what may be bound. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
