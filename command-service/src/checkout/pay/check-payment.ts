import type { Deps } from '../../deps.js';
import { loadOrder } from '../order.js';
import { isPaid, referencesOf, verifyPayment } from './verify-payment.js';

export type Checked = 'paid' | 'unpaid' | 'unanswered' | 'unknown';

/** Asks after every reference by which an order may have been paid, the oldest first. */
export async function checkPayment(deps: Deps, transactionId: string): Promise<Checked> {
  const order = await loadOrder(deps, transactionId);
  if (order === null) return 'unknown';
  let answered = true;
  let paid = isPaid(order.state);
  for (const reference of referencesOf(order.state)) {
    const told = await verifyPayment(deps, reference, 'check');
    if (told.kind === 'unanswered') answered = false;
    if (told.kind === 'told') paid ||= isPaid(told.order);
  }
  if (paid) return 'paid';
  return answered ? 'unpaid' : 'unanswered';
}
