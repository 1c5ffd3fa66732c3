import type { PlacedOrder, VerifyPayment } from '@oja/domain';
import { paymentReference, transactionOfReference } from '@oja/domain/rules';
import type { Position, VerifiedPayment } from '@oja/platform';
import type { Deps } from '../../deps.js';
import { BUYER, command, factId, following, nowOf } from '../commands.js';
import { buyerSubject, loadOrder } from '../order.js';

/** Who noticed that there may be something to know: written into the event's metadata. */
export type VerificationSource = 'return' | 'webhook' | 'check';

const actorOf = { return: BUYER, webhook: 'paystack', check: 'sweep' } as const;

export type Verification =
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
export const isPaid = ({ payment, reversed }: PlacedOrder): boolean =>
  payment !== null && !reversed;

export const referencesOf = ({ transactionId, attempts }: PlacedOrder): readonly string[] => [
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

  const handled = await command(
    deps,
    state.transactionId,
    {
      ...told(payment),
      at: nowOf(deps),
      reversals: state.reversals,
      ...((await isBuyerGone(deps, state)) && { isBuyerGone: true }),
    },
    following(factOf(payment, reference, state.reversals), actorOf[source]),
    order.known,
  );
  // Others wrote again and again: whoever asks next finds what they wrote.
  if (!handled.ok || handled.state.status === 'none' || handled.position === null)
    return { kind: 'unanswered', retryAfterSeconds: 1 };
  reportAside(deps, handled.events);
  const { status } = payment;
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
