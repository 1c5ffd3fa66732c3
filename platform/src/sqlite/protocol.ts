import type { SqlOptions } from './sql.js';

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
}

export type ToWriter =
  | { readonly kind: 'write'; readonly requests: readonly WriteRequest[] }
  | { readonly kind: 'truncate'; readonly id: number; readonly forMs: number }
  | { readonly kind: 'close' };

/**
 * `refused`: the operation threw and left no trace. `busy`: the lock was held elsewhere for too long.
 * `stopped`: the store is broken; nothing will be written any more.
 */
export type WriteReply =
  | { readonly id: number; readonly ok: true; readonly value: unknown }
  | {
      readonly id: number;
      readonly ok: false;
      readonly why: 'refused' | 'busy' | 'stopped';
      readonly message: string;
    };

export type FromWriter =
  | { readonly kind: 'ready' }
  | { readonly kind: 'unusable'; readonly message: string }
  | { readonly kind: 'replies'; readonly replies: readonly WriteReply[] };
