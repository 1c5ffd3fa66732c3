import { ORDERS_STORAGE } from '@oja/contracts/wire';
import { asRecord } from '../api/as-record.js';
import { changeAuthStorage, createPersistentStore, useAuthStorage } from './persistent-store.js';

/** placed: sent to the payment provider. paid: verified, not confirmed yet. closed: confirmed or refunded. */
const stages = ['placed', 'paid', 'closed'] as const;

/** How an order was submitted, so that the same submission from another tab leads to the same order. */
export interface Attempt {
  /** Its idempotency key. */
  readonly key: string;
  /** A fingerprint of what was ordered, by whom; null where the browser makes none. */
  readonly digest: string | null;
}

/** An order placed in this browser. */
export interface StoredOrder {
  /** `<id>.<secret>`, as initialize or verify returned it. Whoever has the key may confirm the delivery. */
  readonly key: string;
  /** ISO 8601; empty when it could not be read. */
  readonly placedAt: string;
  readonly stage: (typeof stages)[number];
  /** The ids of the ordered products, which leave the cart once they are paid. */
  readonly goods?: readonly string[] | undefined;
  readonly attempt?: Attempt | undefined;
  /** The id of an order with the same goods that was paid while this one waited for its payment. */
  readonly paidInstead?: string | undefined;
}

interface Orders {
  /** Newest first. */
  readonly orders: readonly StoredOrder[];
}

function parseOrder(raw: unknown): StoredOrder[] {
  const { key, placedAt, stage, goods, attempt, paidInstead } = asRecord(raw);
  if (typeof key !== 'string' || key === '') return [];
  return [
    {
      key,
      placedAt: typeof placedAt === 'string' ? placedAt : '',
      stage: stages.find((known) => known === stage) ?? 'paid',
      goods: Array.isArray(goods) ? goods.map(String) : undefined,
      attempt: parseAttempt(asRecord(attempt)),
      paidInstead: typeof paidInstead === 'string' ? paidInstead : undefined,
    },
  ];
}

const parseAttempt = ({ key, digest }: ReturnType<typeof asRecord>): Attempt | undefined =>
  typeof key === 'string' ? { key, digest: typeof digest === 'string' ? digest : null } : undefined;

function parseOrders(raw: unknown): Orders {
  const { orders } = asRecord(raw);
  return { orders: Array.isArray(orders) ? orders.flatMap(parseOrder) : [] };
}

/** Stored under `oja-orders`, apart from auth-storage, since it must outlive a logout. */
const [useStoredOrders, changeOrders] = createPersistentStore<Orders>(
  ORDERS_STORAGE,
  { orders: [] },
  parseOrders,
);

export const useOrders = () => useStoredOrders((kept) => kept.orders);
/** For code outside of React. */
export const currentOrders = () => useStoredOrders.getState().orders;

/** The keys of the orders of this browser that wait for their payment, with blanks between them. */
export const useUnpaidKeys = () =>
  useStoredOrders((kept) =>
    kept.orders.flatMap(({ key, stage }) => (stage === 'placed' ? [key] : [])).join(' '),
  );

/** Whether the delivery bell shows: from verified payment until the buyer answers Yes, also after No. */
export function useHasUnconfirmed(): boolean {
  const paid = useStoredOrders((kept) => kept.orders.some((order) => order.stage === 'paid'));
  const pending = useAuthStorage((kept) => kept.status === 'Pending');
  return paid || pending;
}

/** Adds an order, or updates its stage. `more`: what else is known of it now. */
export function saveOrder(
  key: string,
  stage: StoredOrder['stage'],
  more: Pick<StoredOrder, 'goods' | 'attempt' | 'paidInstead'> = {},
): void {
  changeOrders(({ orders }) => ({
    orders: orders.some((order) => order.key === key)
      ? orders.map((order) => (order.key === key ? { ...order, stage, ...more } : order))
      : [{ key, stage, ...more, placedAt: new Date().toISOString() }, ...orders],
  }));
}

/** Forgets with which key an order was sent. */
export function clearAttempt(key: string): void {
  changeOrders(({ orders }) => ({
    orders: orders.map((order) =>
      order.attempt?.key === key ? { ...order, attempt: undefined } : order,
    ),
  }));
}

/** Removes an order from this browser's list; the market is not told. */
export function removeOrder(key: string): void {
  changeOrders(({ orders }) => ({ orders: orders.filter((kept) => kept.key !== key) }));
}

/** 'Pending' after the buyer answered No; 'AVAILABLE' after Yes. */
export function setDeliveryStatus(status: 'Pending' | 'AVAILABLE'): void {
  changeAuthStorage(() => ({ status }));
}
