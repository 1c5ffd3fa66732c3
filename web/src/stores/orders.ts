import { ORDERS_STORAGE } from '@oja/contracts/wire';
import { keep, keptStore, useKept } from './kept.js';

/** placed: sent to the provider. paid: verified, not confirmed yet. closed: confirmed or refunded. */
const stages = ['placed', 'paid', 'closed'] as const;

/** An order of this browser. */
export interface KeptOrder {
  /** `<id>.<secret>`, as initialize or verify returned it: whoever holds it may confirm. */
  readonly key: string;
  /** ISO 8601. */
  readonly placedAt: string;
  readonly stage: (typeof stages)[number];
}

interface Orders {
  /** Newest first. */
  readonly orders: readonly KeptOrder[];
}

function readOrder(raw: unknown): KeptOrder[] {
  if (typeof raw !== 'object' || raw === null) return [];
  const { key, placedAt, stage }: Partial<Record<keyof KeptOrder, unknown>> = raw;
  if (typeof key !== 'string' || key === '') return [];
  return [
    {
      key,
      placedAt: typeof placedAt === 'string' ? placedAt : '',
      stage: stages.find((known) => known === stage) ?? 'paid',
    },
  ];
}

function readOrders(raw: unknown): Orders {
  const list = typeof raw === 'object' && raw !== null && 'orders' in raw ? raw.orders : [];
  return { orders: Array.isArray(list) ? list.flatMap(readOrder) : [] };
}

/** Kept under `oja-orders`, beside auth-storage, since it must outlive a logout. */
const [useKeptOrders, change] = keptStore<Orders>(ORDERS_STORAGE, { orders: [] }, readOrders);

export const useOrders = () => useKeptOrders((kept) => kept.orders);
/** Outside React. */
export const currentOrders = () => useKeptOrders.getState().orders;

/** From verified payment until Yes, and after No: what the bell is for. */
export function useHasUnconfirmed(): boolean {
  const paid = useKeptOrders((kept) => kept.orders.some((order) => order.stage === 'paid'));
  const pending = useKept((kept) => kept.status === 'Pending');
  return paid || pending;
}

/** Adds an order, or says at which stage it is now. */
export function keepOrder(key: string, stage: KeptOrder['stage']): void {
  change(({ orders }) => ({
    orders: orders.some((order) => order.key === key)
      ? orders.map((order) => (order.key === key ? { ...order, stage } : order))
      : [{ key, stage, placedAt: new Date().toISOString() }, ...orders],
  }));
}

/** Takes it off this browser's list; the market knows nothing of that. */
export function dropOrder(key: string): void {
  change(({ orders }) => ({ orders: orders.filter((kept) => kept.key !== key) }));
}

/** 'Pending' after No; cleared by Yes. */
export function setDeliveryStatus(status: 'Pending' | 'AVAILABLE'): void {
  keep(() => ({ status }));
}
