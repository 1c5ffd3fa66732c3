import { ORDER_EXPIRES_AFTER_MS } from '@oja/domain/rules';
import { asRecord } from '../../api/as-record.js';
import { newIdempotencyKey } from '../../api/client.js';
import { loadText, saveText } from '../../stores/form-storage.js';
import {
  type Attempt,
  clearAttempt,
  currentOrders,
  type StoredOrder,
} from '../../stores/orders.js';
import { parseStored } from '../../stores/safe-storage.js';
import type { Checkout } from './api.js';

/** The fields that the shopper fills in, in the order in which they are shown. */
export const buyerFields = ['full_name', 'email', 'home_address', 'phone_number'] as const;
export type Buyer = Pick<Checkout, (typeof buyerFields)[number]>;

/** A submitted order. The same content is always sent with the same key. */
interface Submission {
  readonly key: string;
  /** The order as JSON. */
  readonly content: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

interface Draft {
  readonly buyer?: Partial<Buyer>;
  readonly attempt?: Submission;
}

/** Key in sessionStorage, which ends with the tab: names and addresses must not stay on a shared phone. */
const DRAFT = 'oja-checkout';

function read(): Draft {
  const raw = parseStored(loadText(DRAFT));
  const buyer = asRecord(raw.buyer);
  const { key, content, at } = asRecord(raw.attempt);
  return {
    buyer: Object.fromEntries(
      buyerFields.flatMap((name) => (typeof buyer[name] === 'string' ? [[name, buyer[name]]] : [])),
    ),
    ...(typeof key === 'string' &&
      typeof content === 'string' &&
      typeof at === 'number' && { attempt: { key, content, at } }),
  };
}

const write = (draft: Draft): void => saveText(DRAFT, JSON.stringify(draft));

/** What was typed before a reload, or before Back from the payment page. */
export function typedBefore(): Partial<Buyer> {
  return read().buyer ?? {};
}

export function keepTyped(buyer: Partial<Buyer>): void {
  write({ ...read(), buyer });
}

/**
 * With what this order is to be sent. Reload, Back, a second press and another tab find the key it was sent with, so
 * they lead to the same order. A changed order gets a new key, and so does one that has expired or is paid.
 * @param now epoch milliseconds
 */
export async function attemptFor(order: Checkout, now: number): Promise<Attempt> {
  const content = JSON.stringify(order);
  const digest = await digestOf(content);
  const draft = read();
  const { attempt } = draft;
  const isOpen = (at: number) => now - at < ORDER_EXPIRES_AFTER_MS;
  if (attempt?.content === content && isOpen(attempt.at) && !isPaid(attempt.key))
    return { key: attempt.key, digest };
  const isSame = (kept: StoredOrder) =>
    kept.stage === 'placed' && kept.attempt?.digest === digest && isOpen(Date.parse(kept.placedAt));
  const inOtherTab = digest === null ? undefined : currentOrders().find(isSame);
  const key = inOtherTab?.attempt?.key ?? newIdempotencyKey();
  const at = inOtherTab === undefined ? now : Date.parse(inOtherTab.placedAt);
  write({ ...draft, attempt: { key, content, at } });
  return { key, digest };
}

/** Whether another tab has seen the payment of the order that was sent with this key. */
const isPaid = (key: string): boolean =>
  currentOrders().some(({ attempt, stage }) => attempt?.key === key && stage !== 'placed');

/** Tells orders apart without their names and addresses. Null where the browser has no cryptography, as without https. */
async function digestOf(content: string): Promise<string | null> {
  if (globalThis.crypto?.subtle === undefined) return null;
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content));
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

/** Forgets the key, which the server knows for another order: the next submission gets a new one. */
export function dropKey(): void {
  const { attempt, ...rest } = read();
  write(rest);
  if (attempt !== undefined) clearAttempt(attempt.key);
}

/** Deletes the draft once the order is paid. */
export const forgetDraft = (): void => saveText(DRAFT, null);
