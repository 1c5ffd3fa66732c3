import type { Sql, SqlOptions } from './sql.js';

/** Free bytes that the disk must have: less is used up by the next order, and the market would stop again at once. */
export const spareBytes = 4 * 1024 * 1024;

/** A file that a writer thread owns, and the module that it runs. */
export interface WriterSettings extends Omit<SqlOptions, 'readonly' | 'busyTimeoutMs'> {
  readonly file: string;
  /** URL of a built module that exports a `WriterModule`. */
  readonly module: string;
}

export interface WriteRequest {
  readonly id: number;
  readonly operation: string;
  readonly request: unknown;
  /** Whether the write must survive a power cut. */
  readonly durable: boolean;
}

/** The messages to a file's owner. It answers all requests before it closes. */
export type ToWriter =
  | { readonly kind: 'open'; readonly settings: WriterSettings }
  | ({ readonly kind: 'write' } & WriteRequest)
  | { readonly kind: 'truncate'; readonly id: number; readonly forMs: number }
  | { readonly kind: 'close' };

/** A message to a writer thread: `file` is the number of one of its files. */
export type ToThread = ToWriter & { readonly file: number };

/**
 * `refused`: the operation threw and was undone. `busy`: another process held the lock for too long.
 * `full`: the disk is full, and nothing is written until there is room. `stopped`: the file is broken, and
 * nothing more will be written.
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
  /** After a full disk, writes are accepted again. */
  | { readonly kind: 'room' }
  | { readonly kind: 'replies'; readonly replies: readonly WriteReply[] }
  | { readonly kind: 'closed' };

export type FromThread = FromWriter & { readonly file: number };

/**
 * A named write, run inside the group's transaction. If one throws, only its own changes are undone: the whole group
 * runs again, so an operation must change nothing but the file. `request` and the reply cross threads by structured
 * clone; a Buffer arrives as a Uint8Array (use `asBuffer`).
 */
export type WriteOperation = (sql: Sql, request: never) => unknown;
export type WriteOperations = Readonly<Record<string, WriteOperation>>;

/** What a writer's module exports. */
export interface WriterModule {
  /** Repeatable statements (`IF NOT EXISTS`), run in a transaction on each connection that may write. */
  readonly schema: string;
  readonly operations: WriteOperations;
}
