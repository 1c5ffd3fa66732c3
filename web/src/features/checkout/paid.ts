import { transactionOfReference } from '@oja/domain/rules';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { emptyCart } from '../../stores/cart.js';
import {
  currentOrders,
  dropOrder,
  type KeptOrder,
  keepOrder,
  setDeliveryStatus,
} from '../../stores/orders.js';
import { orderQuery } from './api.js';
import { forgetDraft } from './draft.js';
import { stageOf } from './order.js';

const order: Readonly<Record<KeptOrder['stage'], number>> = { placed: 0, paid: 1, closed: 2 };

/** The order of this browser that a payment reference belongs to. */
function placedHere(reference: string): KeptOrder | undefined {
  const id = transactionOfReference(reference);
  return currentOrders().find(({ key }) => id !== null && key.startsWith(`${id}.`));
}

/**
 * What follows from a verified payment: the order is kept as paid, the cart emptied, the bell shown. Once only: a
 * reload must not empty the next cart, nor reopen an order that was confirmed since. A browser that did not place the
 * order changes nothing.
 * @param told the order's key, where the server gave it to this browser
 * @returns the order's key, where this browser has it
 */
export function rememberPaid(reference: string, told: string | undefined): string | undefined {
  const known = placedHere(reference);
  const key = told ?? known?.key;
  if (key === undefined || (known !== undefined && known.stage !== 'placed')) return key;
  keepOrder(key, 'paid');
  setDeliveryStatus('Pending');
  emptyCart();
  forgetDraft();
  return key;
}

/** Takes over what the server says of an order. Stages only go forward: an answer may be older than a Yes. */
function rememberStage(key: string, stage: KeptOrder['stage']): void {
  const known = currentOrders().find((kept) => kept.key === key);
  if (known !== undefined && order[known.stage] >= order[stage]) return;
  keepOrder(key, stage);
  if (stage === 'closed') restBell();
}

/** Nothing of it stays in this browser: its deliveries are confirmed by the link of the receipt from now on. */
export function forgetOrder(key: string): void {
  dropOrder(key);
  restBell();
}

/** The bell rings for orders of this browser that are paid and not confirmed. */
function restBell(): void {
  if (!currentOrders().some((kept) => kept.stage === 'paid')) setDeliveryStatus('AVAILABLE');
}

/** An order of this browser as the server has it now; where it stands is kept. */
export function useOrder(orderKey: string) {
  const order = useQuery(orderQuery(orderKey));
  const stage = order.data && stageOf(order.data);
  useEffect(() => {
    if (stage !== undefined) rememberStage(orderKey, stage);
  }, [orderKey, stage]);
  return order;
}
