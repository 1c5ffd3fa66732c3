import { transactionOfReference } from '@oja/domain/rules';
import { emptyCart } from '../../stores/cart.js';
import {
  currentOrders,
  type KeptOrder,
  keepOrder,
  setDeliveryStatus,
} from '../../stores/orders.js';
import { forgetDraft } from './draft.js';

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
export function rememberStage(key: string, stage: KeptOrder['stage']): void {
  const known = currentOrders().find((kept) => kept.key === key);
  if (known !== undefined && order[known.stage] >= order[stage]) return;
  keepOrder(key, stage);
  if (stage === 'closed' && !currentOrders().some((kept) => kept.stage === 'paid'))
    setDeliveryStatus('AVAILABLE');
}
