import { noSuchOrder, type PlacedOrder } from '@oja/domain';
import { type Failed, refuse } from '@oja/platform';
import type { Deps } from '../deps.js';
import { refusalAnswer } from '../refusals.js';
import { loadOrder, type Order, orderStream } from './order.js';
import { isSameSecret } from './same-text.js';

/** Answers that carry an order's key, or follow one in their path: no address of them is told on. */
export const NO_REFERRER = { 'Referrer-Policy': 'no-referrer' } as const;

/** One answer for an order that is not there, one that was forgotten, and one that is not yours. */
const NOT_YOURS: Failed = { ...refusalAnswer(noSuchOrder).failed, headers: NO_REFERRER };

export const notYours = { failed: NOT_YOURS };

/** Refused, to somebody who came with an order's key. */
export const refusedToHolder = (failed: Failed) => {
  const { status, message, ...more } = failed;
  return refuse(status, message, { ...more, headers: { ...more.headers, ...NO_REFERRER } });
};

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
