import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical.js';
import { InvalidCursor } from './errors.js';
import type { Document, Query, Scalar } from './port.js';
import { scalarOf } from './scalars.js';

/** Where the last page ended. */
export interface Place {
  readonly values: readonly Scalar[];
  readonly id: string;
}

/** Names a query without its collection, so that a cursor lives on when a rebuild takes over. */
function hashOf({ filter = [], sort = [] }: Query): string {
  const query = canonicalJson([
    filter.map((condition) => ({ ...condition })),
    sort.map(({ field, order }) => [field, order]),
  ]);
  return createHash('sha256').update(query).digest('base64url').slice(0, 16);
}

export function cursorAfter(query: Query, id: string, document: Document): string {
  const values = (query.sort ?? []).map(({ field }) => scalarOf(document, field));
  return Buffer.from(JSON.stringify([hashOf(query), id, ...values])).toString('base64url');
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** @throws InvalidCursor for what this query did not hand out. */
export function placeOf(query: Query): Place | null {
  if (query.cursor === undefined) return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(query.cursor, 'base64url').toString('utf8'));
  } catch {
    throw new InvalidCursor();
  }
  if (!Array.isArray(parsed)) throw new InvalidCursor();
  const [hash, id, ...values]: readonly unknown[] = parsed;
  if (hash !== hashOf(query) || typeof id !== 'string' || !values.every(isScalar)) {
    throw new InvalidCursor();
  }
  if (values.length !== (query.sort ?? []).length) throw new InvalidCursor();
  return { values, id };
}
