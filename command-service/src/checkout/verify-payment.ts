import { type PlacedOrder, paysFor, type VerifyPayment } from '@oja/domain';
import { orderKey, paymentReference, transactionOfReference } from '@oja/domain/rules';
import { refuse } from '@oja/http';
import type { Position, VerifiedPayment } from '@oja/platform';
import type { Deps, Handler } from '../deps.js';
import {
  BUYER,
  buyerSubject,
  CHECKOUT_COOKIE,
  command,
  factId,
  followingOrder,
  hasPlaced,
  loadOrder,
  nowOf,
  type Order,
  openSecret,
  returnGoods,
} from './order.js';
import { recordEndedRefunds } from './settlement/refund-records.js';
import { takeGoods } from './stock.js';

/** Who noticed that there may be something to know: written into the event's metadata. */
type VerificationSource = 'return' | 'webhook' | 'check';

const actorOf = { return: BUYER, webhook: 'paystack', check: 'sweep' } as const;

type Verification =
  /** No reference of ours: no order, or none that this order was ever asked to be paid by. */
  | { readonly kind: 'unknown' }
  /** The provider did not say, so nothing is known and nothing has changed. */
  | { readonly kind: 'unanswered'; readonly retryAfterSeconds: number }
  | {
      readonly kind: 'told';
      readonly order: PlacedOrder;
      /** The provider's word; 'not-started' for a reference it has never seen. */
      readonly status: VerifiedPayment['status'] | 'not-started';
      readonly position: Position;
    };

const RETRY_SECONDS = 5;

/** Paid, and the money is still ours to hold. */
const isPaid = ({ payment, reversed }: PlacedOrder): boolean => payment !== null && !reversed;

const referencesOf = ({ transactionId, attempts }: PlacedOrder): readonly string[] => [
  ...new Set([paymentReference(transactionId, 1), ...attempts.map(({ reference }) => reference)]),
];

/**
 * Asks the provider how a payment ended and records what is final: the one path behind the browser's
 * return, the webhook and the re-check. What they say themselves is never believed. The same answer
 * makes the same command, so that many at once record it once.
 *
 * `again`: also when the stream knows the payment already (it may have been taken back).
 */
export async function verifyPayment(
  deps: Deps,
  reference: string,
  source: VerificationSource,
  options: { readonly again?: boolean } = {},
): Promise<Verification> {
  const transactionId = transactionOfReference(reference);
  const order = transactionId === null ? null : await loadOrder(deps, transactionId);
  if (order === null) return { kind: 'unknown' };
  const { state, position } = order;
  if (state.payment?.reference === reference && options.again !== true)
    return {
      kind: 'told',
      order: state,
      status: state.reversed ? 'reversed' : 'success',
      position,
    };

  const answer = await deps.payments.verify(reference);
  if (!answer.ok && answer.reason === 'not-found') {
    if (!referencesOf(state).includes(reference)) return { kind: 'unknown' };
    return { kind: 'told', order: state, status: 'not-started', position };
  }
  if (!answer.ok) {
    deps.logger.warn({ reference, reason: answer.reason }, 'a payment could not be verified');
    const seconds = answer.reason === 'rate-limited' ? answer.retryAfterSeconds : RETRY_SECONDS;
    return { kind: 'unanswered', retryAfterSeconds: seconds };
  }
  const payment = answer.value;
  if (payment.reference !== reference) {
    deps.logger.error(
      { reference },
      'the provider spoke of another payment than it was asked about',
    );
    return { kind: 'unanswered', retryAfterSeconds: RETRY_SECONDS };
  }

  return record(deps, order, payment, source);
}

/** Records an answer that is final. */
async function record(
  deps: Deps,
  read: Order,
  payment: VerifiedPayment,
  source: VerificationSource,
): Promise<Verification> {
  const { status, reference } = payment;
  // What was given back before must be known before what the bank took back is judged.
  const isJudged =
    status !== 'reversed' || (await recordEndedRefunds(deps, read.state.transactionId));
  const order = status === 'reversed' ? await loadOrder(deps, read.state.transactionId) : read;
  if (!isJudged || order === null) return { kind: 'unanswered', retryAfterSeconds: RETRY_SECONDS };
  const { state, position } = order;
  if (status === 'reversed') await returnGoods(deps, state, payment.id);
  const context = followingOrder(factOf(payment, reference, state.reversals), actorOf[source]);
  // It was recorded before; what has become of the order since is known as well.
  if (order.known.commands.has(context.commandId))
    return { kind: 'told', order: state, status, position };
  const what: VerifyPayment = {
    ...told(payment),
    at: nowOf(deps),
    reversals: state.reversals,
    ...((await isBuyerGone(deps, state)) && { isBuyerGone: true }),
  };
  const goods = paysFor(what, state) ? await takeGoods(deps, state, payment.id) : 'taken';
  if (goods === 'unsure') return { kind: 'unanswered', retryAfterSeconds: 1 };
  const handled = await command(
    deps,
    state.transactionId,
    goods === 'taken' ? what : { ...what, isSoldOut: true },
    context,
    order.known,
  );
  // Others wrote again and again: whoever asks next finds what they wrote.
  if (!handled.ok || handled.state.status === 'none' || handled.position === null)
    return { kind: 'unanswered', retryAfterSeconds: 1 };
  reportAside(deps, handled.events);
  return { kind: 'told', order: handled.state, status, position: handled.position };
}

/** The same word about a payment that has been taken back since is another fact. */
const factOf = ({ id, status }: VerifiedPayment, reference: string, reversals: number): string =>
  factId('verify', reference, id, status, ...(reversals === 0 ? [] : [reversals]));

/** Of an order that is not paid yet: whoever placed it was forgotten meanwhile, and could confirm nothing. */
const isBuyerGone = async ({ keys }: Deps, { transactionId, payment }: PlacedOrder) =>
  payment === null && (await keys.isDestroyed(buyerSubject(transactionId)));

/** Whether the cardholder's bank has ever disputed the payment: then it may have been taken back. */
export const wasDisputed = ({ openDisputes, closedDisputes }: PlacedOrder): boolean =>
  openDisputes.length + closedDisputes.length > 0;

/**
 * Asks again how a payment stands that was disputed, before anything is made of it. Whether the provider
 * answered, if it had to be asked.
 */
export async function verifyDisputed(deps: Deps, order: PlacedOrder): Promise<boolean> {
  if (order.payment === null || !wasDisputed(order)) return true;
  const told = await verifyPayment(deps, order.payment.reference, 'check', { again: true });
  return told.kind === 'told';
}

const final: Partial<Record<VerifiedPayment['status'], VerifyPayment['status']>> = {
  success: 'success',
  reversed: 'reversed',
};

function told({ id, status, fees, ...payment }: VerifiedPayment): Omit<VerifyPayment, 'at'> {
  return {
    ...payment,
    type: 'VerifyPayment',
    status: final[status] ?? 'other',
    fees: fees ?? 0,
    providerId: id,
  };
}

/** Money that is not this order's payment is an admin's business at once. */
function reportAside(
  { logger }: Deps,
  events: readonly { readonly type: string; readonly data: object }[],
): void {
  for (const { type, data } of events)
    if (type === 'PaymentMismatched' || type === 'PaymentReversed')
      logger.error({ type, ...data }, 'a payment needs an admin');
}

type Checked = 'paid' | 'unpaid' | 'unanswered' | 'unknown';

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
const heldAside = ({ mismatched }: Pick<PlacedOrder, 'mismatched'>, status: string): string => {
  if (status !== 'success' || mismatched.length === 0) return status;
  return mismatched.at(-1)?.reason === 'sold-out' ? 'sold_out' : 'mismatched';
};

async function keyFor(
  deps: Deps,
  order: PlacedOrder,
  cookie: string | undefined,
): Promise<{ readonly transactionId?: string }> {
  const { transactionId } = order;
  const secret = await openSecret(deps, order);
  if (secret === null || !hasPlaced(cookie, transactionId, secret)) return {};
  return { transactionId: orderKey(transactionId, secret) };
}
