import type { Failed } from './failure.js';

export const IDEMPOTENCY_HEADER = 'Idempotency-Key';

/** Anything that can be seen; browsers of ours send UUIDs. */
const acceptable = /^[\x21-\x7e]{1,200}$/;

export type KeyResult =
  | { readonly ok: true; readonly key: string | null }
  | { readonly ok: false; readonly failed: Failed };

/** The request's key; null where none was sent. */
export function readIdempotencyKey(header: string): KeyResult {
  if (header === '') return { ok: true, key: null };
  if (acceptable.test(header)) return { ok: true, key: header };
  const message = `${IDEMPOTENCY_HEADER} must be 1 to 200 visible characters`;
  return { ok: false, failed: { status: 400, message } };
}
