import { pagePaths } from '@oja/contracts/pages';
import type { PlacedOrder } from '@oja/domain';
import { paymentReference } from '@oja/domain/rules';
import { refuse } from '@oja/http';
import {
  type InitializedPayment,
  type JsonObject,
  loggedFailure,
  type PaymentFailure,
  type Position,
} from '@oja/platform';
import { type Answer, BUYER, factCommandId, factContext, failedAnswer } from '../commands.js';
import type { Deps } from '../deps.js';
import { loadOrder, type Order, runOrderCommand } from './order.js';
import { endHolds } from './stock.js';
import { verifyPayment } from './verify-payment.js';

interface PaymentPage {
  /** The provider's answer. */
  readonly envelope: JsonObject;
  readonly position: Position;
}

/** Where the provider sends the buyer back to after a payment. `publicUrl`: without a trailing slash. */
export const paymentReturnUrl = (publicUrl: string): string =>
  `${publicUrl}${pagePaths.paymentVerification}`;

/** How many answers may be lost in one request before the buyer is told to try again. */
const MAX_LOST_ANSWERS = 2;
/** How many references earlier requests with lost answers may have used up. */
const MAX_USED_REFERENCES = 20;

const unavailable = (retryAfterSeconds: number, message: string): Answer =>
  refuse(503, message, {
    code: 'provider_unavailable',
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
const providerDown = (retryAfterSeconds = 5) =>
  unavailable(
    retryAfterSeconds,
    'The payment provider does not answer. Your order is kept: please try again.',
  );

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
export async function obtainPaymentPage(
  deps: Deps,
  placed: Order,
  email: string,
): Promise<PaymentPage | Answer> {
  const { transactionId } = placed.state;
  let order = placed;
  let lost = 0;
  let used = 0;
  while (used < MAX_USED_REFERENCES) {
    const envelope = knownEnvelope(order.state);
    if (envelope !== null) return { envelope, position: order.position };
    const reference = paymentReference(transactionId, order.state.attempts.length + used + 1);
    const answer = await deps.payments.initialize({
      email,
      amount: order.state.amount,
      currency: 'NGN',
      reference,
      callbackUrl: paymentReturnUrl(deps.settings.publicUrl),
      metadata: { order: transactionId },
    });
    if (answer.ok) return recordAttempt(deps, order, answer.value);

    const isOfMarket = answer.reason === 'refused' && !isOfAddress(answer);
    deps.logger[isOfMarket ? 'error' : 'warn'](
      { order: transactionId, ...loggedFailure(answer) },
      'the payment provider gave no payment page for an order',
    );
    const isLost = answer.reason === 'unreachable';
    if (answer.reason === 'refused') await endHolds(deps, transactionId);
    if (!isLost && answer.reason !== 'duplicate-reference') return notPayableAnswer(answer);
    if (isLost) lost += 1;
    if (lost === MAX_LOST_ANSWERS) return providerDown();
    const verification = await verifyPayment(deps, reference, 'return');
    if (verification.kind === 'unanswered') return providerDown();
    // A lost request that never reached the provider has not used up its reference.
    const isUnused = verification.kind === 'answered' && verification.status === 'not-started';
    if (!isLost || !isUnused) used += 1;
    order = (await loadOrder(deps, transactionId)) ?? order;
  }
  return providerDown();
}

async function recordAttempt(
  deps: Deps,
  { state, known }: Order,
  { reference, accessCode, authorizationUrl, envelope }: InitializedPayment,
): Promise<PaymentPage | Answer> {
  const handled = await runOrderCommand(
    deps,
    state.transactionId,
    { type: 'RecordInitialized', reference, accessCode, authorizationUrl },
    factContext(factCommandId('initialized', reference), BUYER),
    known,
  );
  if (!handled.ok) return failedAnswer(handled);
  if (handled.position === null) throw new Error('an order that was recorded is not there');
  return { envelope, position: handled.position };
}

/**
 * Whether the provider refuses the e-mail address, as in 'Invalid Email Address Passed'; it also writes 'please email
 * support'. All else that it may refuse is the market's: its business was disabled or has reached a limit, or its servers
 * are not on the provider's list.
 */
const isOfAddress = ({ message }: Extract<PaymentFailure, { readonly reason: 'refused' }>) =>
  /e-?mail/i.test(message) && /valid|required|missing|format/i.test(message);

function notPayableAnswer(failure: PaymentFailure): Answer {
  if (failure.reason === 'rate-limited') return providerDown(failure.retryAfterSeconds);
  const isForbidden = failure.reason === 'refused' && failure.isForbidden === true;
  // The provider refuses the market's own key or servers: the buyer can do nothing about it.
  if (failure.reason === 'unauthorized' || isForbidden)
    return unavailable(
      300,
      'Payments cannot be taken at the moment. Your order is kept: please try again later.',
    );
  const advice =
    failure.reason === 'refused' && isOfAddress(failure)
      ? 'Please check your e-mail address.'
      : 'Please try again later, or write to us.';
  return refuse(502, `The payment provider did not take this payment. ${advice}`, {
    code: 'provider_refused',
  });
}
