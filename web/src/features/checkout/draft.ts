import { ORDER_EXPIRES_AFTER_MS } from '@oja/domain/rules';
import { newIdempotencyKey } from '../../api/client.js';
import { fieldsOf } from '../../api/fields.js';
import { safeSessionStorage, storedFields } from '../../stores/safe-storage.js';
import type { Checkout } from './api.js';

/** The fields that the shopper fills in. */
export type Buyer = Pick<Checkout, 'full_name' | 'email' | 'home_address' | 'phone_number'>;

/** A submitted order. The same content is always sent with the same key. */
interface Attempt {
  readonly key: string;
  /** The order as JSON. */
  readonly content: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

interface Draft {
  readonly buyer?: Partial<Buyer>;
  readonly attempt?: Attempt;
}

/** Key in sessionStorage, which ends with the tab: names and addresses must not stay on a shared phone. */
const DRAFT = 'oja-checkout';
const fields = ['full_name', 'email', 'home_address', 'phone_number'] as const;

/** For browsers without storage. It lasts as long as the page. */
let inMemory: Draft = {};

function read(): Draft {
  const stored = safeSessionStorage.getItem(DRAFT);
  return stored === null ? inMemory : readDraft(storedFields(stored));
}

function readDraft(raw: ReturnType<typeof storedFields>): Draft {
  const buyer = fieldsOf(raw.buyer);
  const { key, content, at } = fieldsOf(raw.attempt);
  return {
    buyer: Object.fromEntries(
      fields.flatMap((name) => (typeof buyer[name] === 'string' ? [[name, buyer[name]]] : [])),
    ),
    ...(typeof key === 'string' &&
      typeof content === 'string' &&
      typeof at === 'number' && { attempt: { key, content, at } }),
  };
}

function write(draft: Draft): void {
  inMemory = draft;
  // A draft that is not stored stays in memory, and an older one must not win over it.
  if (!safeSessionStorage.setItem(DRAFT, JSON.stringify(draft)))
    safeSessionStorage.removeItem(DRAFT);
}

/** What was typed before a reload, or before Back from the payment page. */
export function typedBefore(): Partial<Buyer> {
  return read().buyer ?? {};
}

export function keepTyped(buyer: Partial<Buyer>): void {
  write({ ...read(), buyer });
}

/**
 * The idempotency key for this order. Reload, Back and a second press find the key it was sent
 * with, so they lead to the same order. A changed order gets a new key, and so does one that has
 * expired.
 * @param now epoch milliseconds
 */
export function keyFor(order: Checkout, now: number): string {
  const content = JSON.stringify(order);
  const draft = read();
  const { attempt } = draft;
  if (attempt?.content === content && now - attempt.at < ORDER_EXPIRES_AFTER_MS) return attempt.key;
  const key = newIdempotencyKey();
  write({ ...draft, attempt: { key, content, at: now } });
  return key;
}

/** Forgets the key, which the server knows for another order: the next submission gets a new one. */
export function dropKey(): void {
  const { attempt: _, ...rest } = read();
  write(rest);
}

/** Deletes the draft once the order is paid. */
export function forgetDraft(): void {
  inMemory = {};
  safeSessionStorage.removeItem(DRAFT);
}
