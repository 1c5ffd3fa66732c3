import { queues } from '@oja/contracts/models';
import { transactionOfReference } from '@oja/domain/rules';
import { refuse } from '@oja/http';
import {
  addOrderToLogContext,
  inTrace,
  type PaymentNotice,
  readWebhook,
  withCurrentCorrelation,
} from '@oja/platform';
import type { Deps, Handler } from '../deps.js';
import { settleDisputed } from './settlement/disputed-payments.js';
import { settleTransfer } from './settlement/payout-checks.js';
import { workRefunds } from './settlement/refunds.js';
import {
  loadWaitingWebhook,
  markWebhookDone,
  postponeWebhook,
  storeWebhook,
  WEBHOOK_RETRIED_FOR_MS,
  webhookJobId,
} from './stored-webhooks.js';
import { verifyPayment } from './verify-payment.js';

/** Queues a notice for a worker. Without queues, or when they are down, the sweep handles it. */
async function queueWebhook({ jobs, logger }: Deps, key: string): Promise<void> {
  await jobs
    ?.add(queues.webhooks, withCurrentCorrelation({ key }), { id: webhookJobId(key) })
    .catch((error: unknown) =>
      logger.warn({ err: error }, 'a webhook could not be queued: the sweep works it off'),
    );
}

/** Handles a stored notice; returns whether it is done with. Repeating it changes nothing. */
export async function workWebhook(deps: Deps, key: string): Promise<boolean> {
  const kept = await loadWaitingWebhook(deps, key);
  if (kept === null) return true;
  const { notice, at, traceparent: from = '' } = kept;
  // Whether a job or a sweep handles it, it belongs to the trace of the request that delivered it.
  return inTrace(`notice ${notice.type}`, { kind: 'consumer', from }, async () => {
    setLoggedOrder(notice);
    if (!(await settleWebhook(deps, notice, at))) return false;
    await markWebhookDone(deps, notice);
    return true;
  });
}

/** Lets all further log lines name the order that a notice is about, if it names one. */
function setLoggedOrder(notice: PaymentNotice): void {
  const order = 'reference' in notice ? transactionOfReference(notice.reference) : null;
  if (order !== null) addOrderToLogContext(order);
}

/**
 * Handles a notice by its type; returns whether it is done with. A notice mostly says where to
 * look; the facts are read from the provider.
 */
async function settleWebhook(deps: Deps, notice: PaymentNotice, at: number): Promise<boolean> {
  switch (notice.type) {
    case 'charge.success':
      return settleCharge(deps, notice, at);
    case 'charge.dispute.create':
    case 'charge.dispute.remind':
    case 'charge.dispute.resolve':
      return settleDisputed(deps, notice, at);
    case 'refund.processed':
    case 'refund.failed': {
      const order = transactionOfReference(notice.reference);
      return order === null ? ignoreWebhook(deps, notice) : workRefunds(deps, order);
    }
    case 'transfer.success':
    case 'transfer.failed':
    case 'transfer.reversed':
      return settleTransfer(deps, notice, at);
    case 'other':
    case 'unreadable':
      return ignoreWebhook(deps, notice);
  }
}

/**
 * Verifies a payment that a notice reported as successful; returns whether the notice is done with. While the
 * provider does not confirm it, the provider is asked again, because nothing else may be checking this reference or
 * order any more.
 */
async function settleCharge(
  deps: Deps,
  notice: Extract<PaymentNotice, { readonly type: 'charge.success' }>,
  at: number,
): Promise<boolean> {
  const { reference } = notice;
  const verification = await verifyPayment(deps, reference, 'webhook');
  if (verification.kind === 'unknown')
    deps.logger.warn(
      { reference },
      'ignored a webhook: it is about a payment that this market does not know',
    );
  if (verification.kind !== 'answered') return verification.kind === 'unknown';
  if (verification.status === 'success' || verification.status === 'reversed') return true;
  // Held aside already. While its refund is under way, the provider does not call it a success any more.
  if (verification.order.mismatched.some((aside) => aside.reference === reference)) return true;
  const until = at + WEBHOOK_RETRIED_FOR_MS;
  if (deps.clock.now() < until) return postponeWebhook(deps, notice, until);
  deps.logger.error(
    { reference, says: verification.status },
    'the provider did not confirm a webhook about a payment in time',
  );
  return true;
}

function ignoreWebhook({ logger }: Deps, { type, key }: PaymentNotice): true {
  logger.warn(
    { type, key },
    'ignored a webhook of the payment provider: it needs no action or cannot be read',
  );
  return true;
}

const SIGNATURE_HEADER = 'x-paystack-signature';

/**
 * Receives the provider's webhook. Only signed bodies are read. The notice is stored durably before
 * the answer and handled afterwards, so that neither a crash nor a slow provider loses it.
 */
export function paystackWebhook(deps: Deps): Handler<'paystackWebhook'> {
  return async ({ body, header }) => {
    if (!deps.payments.isSignedByProvider(body, header(SIGNATURE_HEADER)))
      return refuse(401, 'The signature does not belong to this body');
    const notice = readWebhook(body);
    setLoggedOrder(notice);
    try {
      if (await storeWebhook(deps, notice)) await queueWebhook(deps, notice.key);
    } catch (error) {
      // Whatever went wrong: the provider only knows success and failure, and resends the notice after a failure.
      deps.logger.error(
        { err: error, key: notice.key },
        'a webhook could not be stored: the payment provider is asked to send it again',
      );
      return refuse(500, 'It could not be kept. Please send it again.');
    }
    return { status: 200, body: { success: true } };
  };
}
