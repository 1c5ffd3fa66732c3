import type { PlacedOrder } from '@oja/domain';
import { refuse } from '@oja/http';
import type { Deps, Handler } from '../../deps.js';
import { CHECKOUT_COOKIE, hasPlaced } from '../browser.js';
import { openSecret, orderKeyOf } from '../order-key.js';
import { isPaid, verifyPayment } from './verify-payment.js';

/**
 * The browser comes back from the provider. That proves nothing, so the provider is asked; when it
 * does not answer, that is an error and not an unpaid order. The order's key goes only to the browser
 * that placed it.
 */
export function verifyTransaction(deps: Deps): Handler<'verifyTransaction'> {
  return async ({ params, cookie }) => {
    const told = await verifyPayment(deps, params.reference, 'return');
    if (told.kind === 'unknown') return refuse(404, 'There is no payment with this reference');
    if (told.kind === 'unanswered')
      return refuse(503, 'The payment provider does not answer. Please try again in a moment.', {
        code: 'provider_unavailable',
        headers: { 'Retry-After': String(told.retryAfterSeconds) },
      });

    const { order, position } = told;
    const answer = { status: 200, position } as const;
    if (!isPaid(order)) {
      const status = order.reversed ? 'reversed' : heldAside(order, told.status);
      return { ...answer, body: { ok: false, status } };
    }
    const key = await keyFor(deps, order, cookie(CHECKOUT_COOKIE));
    return { ...answer, body: { ok: true, status: 'success', ...key } };
  };
}

/** A payment that succeeded and is not this order's is no success to its buyer. */
const heldAside = (order: Pick<PlacedOrder, 'mismatched'>, status: string): string =>
  status === 'success' && order.mismatched.length > 0 ? 'mismatched' : status;

async function keyFor(
  deps: Deps,
  order: PlacedOrder,
  cookie: string | undefined,
): Promise<{ readonly transactionId?: string }> {
  const { transactionId } = order;
  const secret = await openSecret(deps, order);
  if (secret === null || !hasPlaced(cookie, transactionId, secret)) return {};
  return { transactionId: orderKeyOf(transactionId, secret) };
}
