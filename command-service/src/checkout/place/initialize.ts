import type { AnswerOf, Calls } from '@oja/contracts';
import { z } from 'zod';
import type { Deps, Handler } from '../../deps.js';
import { CHECKOUT_COOKIE, rememberOrder } from '../browser.js';
import { notYours, openSecret, orderKeyOf } from '../order-key.js';
import { askProvider } from './ask-provider.js';
import { placeOrder } from './place-order.js';

/** The part of the provider's answer that the browser goes by. */
const envelopeForm = z.looseObject({ data: z.looseObject({ authorization_url: z.string() }) });

/** Places the order, then asks the provider for an address: a failure in between loses neither. */
export function initializeTransaction(deps: Deps): Handler<'initializeTransaction'> {
  return async (request) => {
    const placed = await placeOrder(deps, request);
    if (!placed.ok) return { failed: placed.failed };
    const { order } = placed;
    const secret = await openSecret(deps, order.state);
    if (secret === null) return notYours;
    const payable = await askProvider(deps, order, request.body.email);
    if (!payable.ok) return { failed: payable.failed };

    const { transactionId } = order.state;
    const body: AnswerOf<Calls['initializeTransaction'], 200> = {
      success: true,
      data: envelopeForm.parse(payable.envelope),
      transactionId: orderKeyOf(transactionId, secret),
    };
    return {
      status: 200,
      body,
      cookies: [rememberOrder(request.cookie(CHECKOUT_COOKIE), transactionId, secret)],
      position: payable.position,
    };
  };
}
