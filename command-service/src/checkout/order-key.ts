import { noSuchOrder, type PlacedOrder } from '@oja/domain';
import type { Deps } from '../deps.js';
import { refusalAnswer } from '../refusals.js';
import { loadOrder, type Order, orderStream } from './order.js';
import { isSameSecret } from './same-text.js';

/** One answer for an order that is not there, one that was forgotten, and one that is not yours. */
export const notYours = refusalAnswer(noSuchOrder);

export const orderKeyOf = (transactionId: string, secret: string): string =>
  `${transactionId}.${secret}`;

/** The secret of an order; null once its buyer was forgotten. */
export function openSecret(
  { sealer }: Deps,
  { transactionId, buyer }: PlacedOrder,
): Promise<string | null> {
  return sealer.open(orderStream(transactionId), 'secret', buyer.secret);
}

/** The order that `<id>.<secret>` opens; null for any other text. */
export async function openOrder(deps: Deps, orderKey: string): Promise<Order | null> {
  const [id = '', given = ''] = orderKey.split('.');
  const order = await loadOrder(deps, id);
  if (order === null) return null;
  const secret = await openSecret(deps, order.state);
  return secret !== null && isSameSecret(given, secret) ? order : null;
}
