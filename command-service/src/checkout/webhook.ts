import { ORDER_EXPIRES_AFTER_MS, transactionOfReference } from '@oja/domain/rules';
import { refuse } from '@oja/http';
import { following, inTrace, type PaymentNotice, readWebhook } from '@oja/platform';
import type { Deps, Handler } from '../deps.js';
import { jobId, keepNotice, noticeIsDone, noticeToWork, WEBHOOK_QUEUE } from './notice-inbox.js';
import { settleDisputed } from './settlement/disputed-payments.js';
import { settleTransfer } from './settlement/payout-checks.js';
import { workRefunds } from './settlement/refunds.js';
import { verifyPayment } from './verify-payment.js';

/** So long the provider is asked after a payment that it has told us of and does not yet confirm. */
const NOTICE_ASKED_FOR_MS = ORDER_EXPIRES_AFTER_MS;

/** Asks a worker to take it; without queues, or when they are down, the sweep finds it. */
async function workNoticeSoon({ jobs, logger }: Deps, key: string): Promise<void> {
  await jobs
    ?.add(WEBHOOK_QUEUE, following({ key }), { id: jobId(key) })
    .catch((error: unknown) => logger.warn({ err: error }, 'a notice waits for the sweep'));
}

/** Works on a notice that was kept; whether it is done with. Doing it again changes nothing. */
export async function workNotice(deps: Deps, key: string): Promise<boolean> {
  const kept = await noticeToWork(deps, key);
  if (kept === null) return true;
  const { notice, at, traceparent: from = '' } = kept;
  // A job or a sweep, whichever comes first: it belongs to the request that brought it.
  return inTrace(`notice ${notice.type}`, { kind: 'consumer', from }, async () => {
    if (!(await isSettled(deps, notice, at))) return false;
    await noticeIsDone(deps, notice);
    return true;
  });
}

/** A notice says where to look, hardly ever what is there: the facts are read from the provider. */
async function isSettled(deps: Deps, notice: PaymentNotice, at: number): Promise<boolean> {
  switch (notice.type) {
    case 'charge.success':
      return isBorneOut(deps, notice.reference, at);
    case 'charge.dispute.create':
    case 'charge.dispute.remind':
    case 'charge.dispute.resolve':
      return settleDisputed(deps, notice);
    case 'refund.processed':
    case 'refund.failed': {
      const order = transactionOfReference(notice.reference);
      return order === null ? ignored(deps, notice) : workRefunds(deps, order);
    }
    case 'transfer.success':
    case 'transfer.failed':
    case 'transfer.reversed':
      return settleTransfer(deps, notice, at);
    case 'other':
    case 'unreadable':
      return ignored(deps, notice);
  }
}

/**
 * Whether nothing is left to do about a notice that a payment was made. While the provider itself does
 * not say so yet it is asked again: nobody else may do so for this reference, or for this order any more.
 */
async function isBorneOut(deps: Deps, reference: string, at: number): Promise<boolean> {
  const told = await verifyPayment(deps, reference, 'webhook');
  if (told.kind === 'unknown') deps.logger.warn({ reference }, 'a notice of no payment of ours');
  if (told.kind !== 'told') return told.kind === 'unknown';
  if (told.status === 'success' || told.status === 'reversed') return true;
  if (deps.clock.now() < at + NOTICE_ASKED_FOR_MS) return false;
  deps.logger.error({ reference, status: told.status }, 'a notice was never borne out');
  return true;
}

function ignored({ logger }: Deps, { type, key }: PaymentNotice): true {
  logger.warn({ type, key }, 'a notice of the provider was kept and not worked on');
  return true;
}

const SIGNATURE_HEADER = 'x-paystack-signature';

/**
 * What the provider tells by itself. Only what it signed is looked at; it is kept durably before it is
 * answered and worked on afterwards, so that neither a crash nor a slow provider loses it.
 */
export function paystackWebhook(deps: Deps): Handler<'paystackWebhook'> {
  return async ({ body, header }) => {
    if (!deps.payments.isSignedByProvider(body, header(SIGNATURE_HEADER)))
      return refuse(401, 'The signature does not belong to this body');
    const notice = readWebhook(body);
    try {
      if (await keepNotice(deps, notice)) await workNoticeSoon(deps, notice.key);
    } catch (error) {
      // Whatever is wrong, the provider understands no other word for it, and tells us again.
      deps.logger.error({ err: error, key: notice.key }, 'a notice could not be kept');
      return refuse(500, 'It could not be kept. Please send it again.');
    }
    return { status: 200, body: { success: true } };
  };
}
