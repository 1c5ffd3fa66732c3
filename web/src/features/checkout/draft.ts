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
const DRAFT_KEY = 'oja-checkout';

function readDraft(): Draft {
  const raw = parseStored(loadText(DRAFT_KEY));
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

const writeDraft = (draft: Draft): void => saveText(DRAFT_KEY, JSON.stringify(draft));

/** What was typed before a reload, or before Back from the payment page. */
export function loadBuyer(): Partial<Buyer> {
  return readDraft().buyer ?? {};
}

export function saveBuyer(buyer: Partial<Buyer>): void {
  writeDraft({ ...readDraft(), buyer });
}

/**
 * The key and digest to submit this order with. Reload, Back, a second press and another tab find the former key, so
 * they lead to the same order. A changed order gets a new key, and so does one that has expired or is paid.
 * @param now epoch milliseconds
 */
export async function findOrCreateAttempt(order: Checkout, now: number): Promise<Attempt> {
  const content = JSON.stringify(order);
  const digest = await computeDigest(content);
  const draft = readDraft();
  const { attempt } = draft;
  const isOpen = (at: number) => now - at < ORDER_EXPIRES_AFTER_MS;
  if (attempt?.content === content && isOpen(attempt.at) && !isPaid(attempt.key))
    return { key: attempt.key, digest };
  const isSame = (kept: StoredOrder) =>
    kept.stage === 'placed' && kept.attempt?.digest === digest && isOpen(Date.parse(kept.placedAt));
  const inOtherTab = digest === null ? undefined : currentOrders().find(isSame);
  const key = inOtherTab?.attempt?.key ?? newIdempotencyKey();
  const at = inOtherTab === undefined ? now : Date.parse(inOtherTab.placedAt);
  writeDraft({ ...draft, attempt: { key, content, at } });
  return { key, digest };
}

/** Whether another tab has seen the payment of the order that was sent with this key. */
const isPaid = (key: string): boolean =>
  currentOrders().some(({ attempt, stage }) => attempt?.key === key && stage !== 'placed');

/** Tells orders apart without their names and addresses. Null where the browser has no cryptography, as without https. */
async function computeDigest(content: string): Promise<string | null> {
  if (globalThis.crypto?.subtle === undefined) return null;
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content));
  return btoa(String.fromCharCode(...new Uint8Array(bytes)));
}

/** Forgets the key, which the server knows for another order: the next submission gets a new one. */
export function discardAttempt(): void {
  const { attempt, ...rest } = readDraft();
  writeDraft(rest);
  if (attempt !== undefined) clearAttempt(attempt.key);
}

/** Deletes the draft once the order is paid. */
export const deleteDraft = (): void => saveText(DRAFT_KEY, null);
