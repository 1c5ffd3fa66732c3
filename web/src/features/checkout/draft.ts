import { ORDER_EXPIRES_AFTER_MS } from '@oja/domain/rules';
import { clickKey } from '../../api/client.js';
import type { Checkout } from './api.js';

/** What the shopper types. */
export type Buyer = Pick<Checkout, 'full_name' | 'email' | 'home_address' | 'phone_number'>;

/** An order that was sent, or is about to be: the same content goes with the same key. */
interface Attempt {
  readonly key: string;
  /** The order as it was sent, written out. */
  readonly content: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

interface Draft {
  readonly buyer?: Partial<Buyer>;
  readonly attempt?: Attempt;
}

/** Until the tab closes: names and addresses are not left behind on a shared phone. */
const DRAFT = 'oja-checkout';
const fields = ['full_name', 'email', 'home_address', 'phone_number'] as const;

/** For browsers without storage: as long as the page lives. */
let inMemory: Draft = {};

function read(): Draft {
  try {
    const raw: unknown = JSON.parse(sessionStorage.getItem(DRAFT) ?? 'null');
    return typeof raw === 'object' && raw !== null ? readDraft(raw) : inMemory;
  } catch {
    return inMemory;
  }
}

function readDraft(raw: { readonly buyer?: unknown; readonly attempt?: unknown }): Draft {
  const buyer: Record<string, unknown> = { ...object(raw.buyer) };
  const { key, content, at }: Record<string, unknown> = { ...object(raw.attempt) };
  return {
    buyer: Object.fromEntries(
      fields.flatMap((name) => (typeof buyer[name] === 'string' ? [[name, buyer[name]]] : [])),
    ),
    ...(typeof key === 'string' &&
      typeof content === 'string' &&
      typeof at === 'number' && { attempt: { key, content, at } }),
  };
}

function object(raw: unknown): object {
  return typeof raw === 'object' && raw !== null ? raw : {};
}

function write(draft: Draft): void {
  inMemory = draft;
  try {
    sessionStorage.setItem(DRAFT, JSON.stringify(draft));
  } catch {
    // Full or forbidden: it is kept in memory.
  }
}

/** What was typed before a reload, or before Back from the provider's page. */
export function typedBefore(): Partial<Buyer> {
  return read().buyer ?? {};
}

export function keepTyped(buyer: Partial<Buyer>): void {
  write({ ...read(), buyer });
}

/**
 * The key under which to send this order. Reload, Back and a second press find the one it was sent with, so that they
 * lead to the same order; anything changed in it makes a new order, and so does one that has expired.
 */
export function keyFor(order: Checkout, now: number): string {
  const content = JSON.stringify(order);
  const draft = read();
  const { attempt } = draft;
  if (attempt?.content === content && now - attempt.at < ORDER_EXPIRES_AFTER_MS) return attempt.key;
  const key = clickKey();
  write({ ...draft, attempt: { key, content, at: now } });
  return key;
}

/** The server knows this key for another order: the next press gets a new one. */
export function dropKey(): void {
  const { attempt: _, ...rest } = read();
  write(rest);
}

/** Once the order is paid, nothing of it stays. */
export function forgetDraft(): void {
  inMemory = {};
  try {
    sessionStorage.removeItem(DRAFT);
  } catch {
    // Forbidden storage holds nothing.
  }
}
