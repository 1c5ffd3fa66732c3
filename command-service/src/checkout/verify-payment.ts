import { keySubject, type PlacedOrder, paysFor, type VerifyPayment } from '@oja/domain';
import { orderKey, paymentReference, transactionOfReference } from '@oja/domain/rules';
import { refuse } from '@oja/http';
import { loggedFailure, nowOf, type Position, type VerifiedPayment } from '@oja/platform';
import { BUYER, factCommandId, orderFactContext } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import {
  buyerSubject,
  CHECKOUT_COOKIE,
  isInOrderCookie,
  loadOrder,
  type Order,
  openSecret,
  returnStock,
  runOrderCommand,
} from './order.js';
import { recordEndedRefunds } from './settlement/refund-records.js';
import { takeStock } from './stock.js';

/** What triggered the verification; it sets the actor in the event metadata. */
type VerificationSource = 'return' | 'webhook' | 'check';

const actors = { return: BUYER, webhook: 'paystack', check: 'sweep' } as const;

type Verification =
  /** Not a reference of ours: there is no such order, or no such attempt of this order. */
  | { readonly kind: 'unknown' }
  /** The provider did not answer, so nothing is known and nothing has changed. */
  | { readonly kind: 'unanswered'; readonly retryAfterSeconds: number }
  | {
      readonly kind: 'answered';
      readonly order: PlacedOrder;
      /** The provider's status; 'not-started' for a reference it has never seen. */
      readonly status: VerifiedPayment['status'] | 'not-started';
      readonly position: Position;
    };

const RETRY_SECONDS = 5;

/** Whether the order is paid and the payment was not reversed. */
const isPaid = ({ payment, reversed }: PlacedOrder): boolean => payment !== null && !reversed;

const referencesOf = ({ transactionId, attempts }: PlacedOrder): readonly string[] => [
  ...new Set([paymentReference(transactionId, 1), ...attempts.map(({ reference }) => reference)]),
];

/**
 * Asks the provider how a payment ended, and records a final answer. The browser's return, the
 * webhook and the re-check all use this path, and none of them is believed by itself. The same
 * answer gives the same command id, so concurrent calls record it once.
 *
 * `force`: ask even when the stream has the payment already, because it may have been reversed.
 */
export async function verifyPayment(
  deps: Deps,
  reference: string,
  source: VerificationSource,
  options: { readonly force?: boolean } = {},
): Promise<Verification> {
  const transactionId = transactionOfReference(reference);
  const order = transactionId === null ? null : await loadOrder(deps, transactionId);
  if (order === null) return { kind: 'unknown' };
  const { state, position } = order;
  if (state.payment?.reference === reference && options.force !== true)
    return {
      kind: 'answered',
      order: state,
      status: state.reversed ? 'reversed' : 'success',
      position,
    };

  const answer = await deps.payments.verify(reference);
  if (!answer.ok && answer.reason === 'not-found') {
    if (!referencesOf(state).includes(reference)) return { kind: 'unknown' };
    return { kind: 'answered', order: state, status: 'not-started', position };
  }
  if (!answer.ok) {
    deps.logger.warn({ reference, ...loggedFailure(answer) }, 'a payment could not be verified');
    const seconds = answer.reason === 'rate-limited' ? answer.retryAfterSeconds : RETRY_SECONDS;
    return { kind: 'unanswered', retryAfterSeconds: seconds };
  }
  const payment = answer.value;
  if (payment.reference !== reference) {
    deps.logger.error(
      { reference },
      'the provider answered about another payment than the one asked for',
    );
    return { kind: 'unanswered', retryAfterSeconds: RETRY_SECONDS };
  }

  return recordVerification(deps, order, payment, source);
}

/** Records the provider's answer, if it is final. */
async function recordVerification(
  deps: Deps,
  read: Order,
  payment: VerifiedPayment,
  source: VerificationSource,
): Promise<Verification> {
  const { status, reference } = payment;
  // A reversal can only be judged once the completed refunds are known.
  const isJudged =
    status !== 'reversed' || (await recordEndedRefunds(deps, read.state.transactionId));
  const order = status === 'reversed' ? await loadOrder(deps, read.state.transactionId) : read;
  if (!isJudged || order === null) return { kind: 'unanswered', retryAfterSeconds: RETRY_SECONDS };
  const { state, position } = order;
  if (status === 'reversed') await returnStock(deps, state, payment.id);
  const context = orderFactContext(
    commandIdOf(payment, reference, state.reversals),
    actors[source],
  );
  // This answer was recorded before, and the order already includes what happened since.
  if (order.known.commands.has(context.commandId))
    return { kind: 'answered', order: state, status, position };
  const what: VerifyPayment = {
    ...toCommand(payment),
    at: nowOf(deps),
    reversals: state.reversals,
    ...((await isBuyerGone(deps, state)) && { isBuyerGone: true }),
    ...((await isSellerGone(deps, state)) && { isSoldOut: true }),
  };
  const goods = paysFor(what, state) ? await takeStock(deps, state, payment.id) : 'taken';
  if (goods === 'unsure') return { kind: 'unanswered', retryAfterSeconds: 1 };
  const handled = await runOrderCommand(
    deps,
    state.transactionId,
    goods === 'taken' ? what : { ...what, isSoldOut: true },
    context,
    order.known,
  );
  // Repeated write conflicts. The next request finds what the others wrote.
  if (!handled.ok || handled.state.status === 'none' || handled.position === null)
    return { kind: 'unanswered', retryAfterSeconds: 1 };
  logForAdmin(deps, handled.events);
  return { kind: 'answered', order: handled.state, status, position: handled.position };
}

/** The command id of an answer. The same status after a reversal is another fact. */
const commandIdOf = (
  { id, status }: VerifiedPayment,
  reference: string,
  reversals: number,
): string =>
  factCommandId('verify', reference, id, status, ...(reversals === 0 ? [] : [reversals]));

/** Whether the buyer of an unpaid order was erased meanwhile, so that nobody could confirm the delivery. */
const isBuyerGone = async ({ keys }: Deps, { transactionId, payment }: PlacedOrder) =>
  payment === null && (await keys.isDestroyed(buyerSubject(transactionId)));

/**
 * Whether a seller of an unpaid order was erased meanwhile: nobody could deliver those goods, or be paid for them.
 * They went off the market with their seller, so for the buyer the order is sold out.
 */
async function isSellerGone({ keys }: Deps, { shares, payment }: PlacedOrder): Promise<boolean> {
  if (payment !== null) return false;
  const gone = shares.map(({ sellerId }) => keys.isDestroyed(keySubject('seller', sellerId)));
  return (await Promise.all(gone)).includes(true);
}

/** Whether the payment that counts was ever disputed; it may have been reversed then. */
export const wasDisputed = ({ payment, openDisputes, closedDisputes }: PlacedOrder): boolean =>
  [...openDisputes, ...closedDisputes].some(({ reference }) => reference === payment?.reference);

/**
 * Verifies a payment again if it was ever disputed, before anything is decided on it. Returns false
 * when the provider did not answer.
 */
export async function verifyDisputed(deps: Deps, order: PlacedOrder): Promise<boolean> {
  if (order.payment === null || !wasDisputed(order)) return true;
  const verification = await verifyPayment(deps, order.payment.reference, 'check', { force: true });
  return verification.kind === 'answered';
}

const finalStatuses: Partial<Record<VerifiedPayment['status'], VerifyPayment['status']>> = {
  success: 'success',
  reversed: 'reversed',
};

function toCommand({ id, status, fees, ...payment }: VerifiedPayment): Omit<VerifyPayment, 'at'> {
  return {
    ...payment,
    type: 'VerifyPayment',
    status: finalStatuses[status] ?? 'other',
    fees: fees ?? 0,
    providerId: id,
  };
}

/** Logs events that an admin must see at once: money held aside, taken back, or owed to the buyer once more. */
function logForAdmin(
  { logger }: Deps,
  events: readonly { readonly type: string; readonly data: object }[],
): void {
  for (const { type, data } of events)
    if (type === 'PaymentMismatched' || type === 'PaymentReversed' || type === 'RefundUndone')
      logger.error({ type, ...data }, 'a payment needs an admin');
}

/** Whether nothing more is to be asked about payments: paid, and begun once, so that it cannot be paid twice. */
export const isSettled = (order: PlacedOrder): boolean =>
  isPaid(order) && referencesOf(order).length === 1;

type PaymentCheck = 'paid' | 'unpaid' | 'unanswered' | 'unknown';

/** Verifies every reference by which an order may have been paid, oldest first. */
export async function checkPayment(deps: Deps, transactionId: string): Promise<PaymentCheck> {
  const order = await loadOrder(deps, transactionId);
  if (order === null) return 'unknown';
  let answered = true;
  let paid = isPaid(order.state);
  for (const reference of referencesOf(order.state)) {
    const verification = await verifyPayment(deps, reference, 'check');
    if (verification.kind === 'unanswered') answered = false;
    if (verification.kind === 'answered') paid ||= isPaid(verification.order);
  }
  if (paid) return 'paid';
  return answered ? 'unpaid' : 'unanswered';
}

/**
 * Handles the browser's return from the provider. The return proves nothing, so the provider is asked; if it does
 * not answer, that is an error and not an unpaid order. Only the browser that placed the order gets the order key.
 */
export function verifyTransaction(deps: Deps): Handler<'verifyTransaction'> {
  return async ({ params, cookie }) => {
    const verification = await verifyPayment(deps, params.reference, 'return');
    if (verification.kind === 'unknown')
      return refuse(404, 'There is no payment with this reference');
    if (verification.kind === 'unanswered')
      return refuse(503, 'The payment provider does not answer. Please try again in a moment.', {
        code: 'provider_unavailable',
        headers: { 'Retry-After': String(verification.retryAfterSeconds) },
      });

    const { order, position } = verification;
    const answer = { status: 200, position } as const;
    if (!isPaid(order)) {
      const asked = order.reversed ? 'reversed' : verification.status;
      const status = heldAsideStatus(order, params.reference) ?? asked;
      return { ...answer, body: { ok: false, status } };
    }
    const key = await orderKeyFor(deps, order, cookie(CHECKOUT_COOKIE));
    return { ...answer, body: { ok: true, status: 'success', ...key } };
  };
}

/** The status for the buyer of a payment that is held aside, whatever became of it since; null for any other. */
function heldAsideStatus({ mismatched }: PlacedOrder, reference: string): string | null {
  const aside = mismatched.find((each) => each.reference === reference);
  if (aside === undefined) return null;
  return aside.reason === 'sold-out' ? 'sold_out' : 'mismatched';
}

async function orderKeyFor(
  deps: Deps,
  order: PlacedOrder,
  cookie: string | undefined,
): Promise<{ readonly transactionId?: string }> {
  const { transactionId } = order;
  const secret = await openSecret(deps, order);
  if (secret === null || !isInOrderCookie(cookie, transactionId, secret)) return {};
  return { transactionId: orderKey(transactionId, secret) };
}
