import type { AnswerOf, Calls } from '@oja/contracts';
import { pagePaths } from '@oja/contracts/pages';
import type { PlacedOrder } from '@oja/domain';
import { orderKey, paymentReference } from '@oja/domain/rules';
import type { Failure } from '@oja/http';
import type { InitializedPayment, JsonObject, PaymentFailure, Position } from '@oja/platform';
import { z } from 'zod';
import { BUYER, factCommandId, factContext, failedAnswer } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import {
  CHECKOUT_COOKIE,
  loadOrder,
  notYourOrder,
  type Order,
  openSecret,
  rememberOrder,
  runOrderCommand,
} from './order.js';
import { placeOrder } from './place-order.js';
import { verifyPayment } from './verify-payment.js';

type Payable =
  | { readonly ok: true; readonly envelope: JsonObject; readonly position: Position }
  | { readonly ok: false; readonly failed: Failure };

/** Where the provider sends the buyer back to after a payment. `publicUrl`: without a trailing slash. */
export const paymentReturnUrl = (publicUrl: string): string =>
  `${publicUrl}${pagePaths.paymentVerification}`;

/** How many answers may be lost in one request before the buyer is told to try again. */
const MAX_LOST = 2;
/** How many references earlier requests with lost answers may have used up. */
const MAX_USED = 20;

const DOWN: Failure = {
  status: 503,
  message: 'The payment provider does not answer. Your order is kept: please try again.',
  code: 'provider_unavailable',
  headers: { 'Retry-After': '5' },
};
const REFUSED: Failure = {
  status: 502,
  message: 'The payment provider did not take this payment. Please check your e-mail address.',
  code: 'provider_refused',
};

/** The provider's answer to an earlier attempt, rebuilt from the stream; null when there is none. */
function knownEnvelope({ attempts }: PlacedOrder): JsonObject | null {
  const last = attempts.at(-1);
  if (last === undefined || last.authorizationUrl === null) return null;
  const { reference, accessCode, authorizationUrl } = last;
  const data = { authorization_url: authorizationUrl, access_code: accessCode, reference };
  return { status: true, message: 'Authorization URL created', data };
}

/**
 * Gets the address where the buyer pays. The provider is asked once per order; a repeated request is answered from
 * the stream. The provider accepts each reference only once, so after a lost answer the next attempt uses another
 * one. The lost page was never shown to anyone, and a payment on it would still belong to this order.
 */
async function askProvider(deps: Deps, placed: Order, email: string): Promise<Payable> {
  const { transactionId } = placed.state;
  let order = placed;
  let lost = 0;
  for (let used = 0; used < MAX_USED; used += 1) {
    const envelope = knownEnvelope(order.state);
    if (envelope !== null) return { ok: true, envelope, position: order.position };
    const reference = paymentReference(transactionId, order.state.attempts.length + used + 1);
    const answer = await deps.payments.initialize({
      email,
      amount: order.state.amount,
      currency: 'NGN',
      reference,
      callbackUrl: paymentReturnUrl(deps.settings.publicUrl),
      metadata: { order: transactionId },
    });
    if (answer.ok) return record(deps, order, answer.value);

    deps.logger.warn(
      { order: transactionId, reason: answer.reason },
      'the payment provider gave no payment page for an order',
    );
    const isLost = answer.reason === 'unreachable';
    if (!isLost && answer.reason !== 'duplicate-reference') return failedBy(answer);
    if (isLost) lost += 1;
    if (lost === MAX_LOST) return { ok: false, failed: DOWN };
    const verification = await verifyPayment(deps, reference, 'return');
    if (verification.kind === 'unanswered') return { ok: false, failed: DOWN };
    // The lost request never reached the provider, so the same reference can be used again.
    if (isLost && verification.kind === 'answered' && verification.status === 'not-started')
      used -= 1;
    order = (await loadOrder(deps, transactionId)) ?? order;
  }
  return { ok: false, failed: DOWN };
}

async function record(
  deps: Deps,
  { state, known }: Order,
  { reference, accessCode, authorizationUrl, envelope }: InitializedPayment,
): Promise<Payable> {
  const handled = await runOrderCommand(
    deps,
    state.transactionId,
    { type: 'RecordInitialized', reference, accessCode, authorizationUrl },
    factContext(factCommandId('initialized', reference), BUYER),
    known,
  );
  if (!handled.ok) return { ok: false, ...failedAnswer(handled) };
  if (handled.position === null) throw new Error('an order that was recorded is not there');
  return { ok: true, envelope, position: handled.position };
}

function failedBy(failure: PaymentFailure): Payable {
  if (failure.reason !== 'rate-limited') return { ok: false, failed: REFUSED };
  const headers = { 'Retry-After': String(failure.retryAfterSeconds) };
  return { ok: false, failed: { ...DOWN, headers } };
}

/** The part of the provider's answer that the browser needs. */
const envelopeForm = z.looseObject({ data: z.looseObject({ authorization_url: z.string() }) });

/**
 * Places the order, then asks the provider for an address to pay at. A failure in between loses
 * neither: the client repeats the call.
 */
export function initializeTransaction(deps: Deps): Handler<'initializeTransaction'> {
  return async (request) => {
    const placed = await placeOrder(deps, request);
    if (!placed.ok) return { failed: placed.failed };
    const { order } = placed;
    const secret = placed.secret ?? (await openSecret(deps, order.state));
    if (secret === null) return notYourOrder;
    const payable = await askProvider(deps, order, request.body.email);
    if (!payable.ok) return { failed: payable.failed };

    const { transactionId } = order.state;
    const body: AnswerOf<Calls['initializeTransaction'], 200> = {
      success: true,
      data: envelopeForm.parse(payable.envelope),
      transactionId: orderKey(transactionId, secret),
    };
    return {
      status: 200,
      body,
      cookies: [rememberOrder(request.cookie(CHECKOUT_COOKIE), transactionId, secret)],
      position: payable.position,
    };
  };
}
