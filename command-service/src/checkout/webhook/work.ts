import { createHash } from 'node:crypto';
import { transactionOfReference } from '@oja/domain/rules';
import type { PaymentNotice } from '@oja/platform';
import type { Deps } from '../../deps.js';
import { verifyPayment } from '../pay/verify-payment.js';
import { workRefunds } from '../payback/refunds.js';
import { settleTransfer } from '../payback/transfer-notice.js';
import { noticeIsDone, noticeToWork } from './inbox.js';

/** Notices that wait for a worker of this service. */
export const WEBHOOK_QUEUE = 'webhooks';

const jobId = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Asks a worker to take it; without queues, or when they are down, the sweep finds it. */
export async function workNoticeSoon({ jobs, logger }: Deps, key: string): Promise<void> {
  await jobs
    ?.add(WEBHOOK_QUEUE, { key }, { id: jobId(key) })
    .catch((error: unknown) => logger.warn({ err: error }, 'a notice waits for the sweep'));
}

/** Works on a notice that was kept; whether it is done with. Doing it again changes nothing. */
export async function workNotice(deps: Deps, key: string): Promise<boolean> {
  const kept = await noticeToWork(deps, key);
  if (kept === null) return true;
  if (!(await isSettled(deps, kept.notice, kept.at))) return false;
  await noticeIsDone(deps, kept.notice);
  return true;
}

/** A notice says where to look, hardly ever what is there: the facts are read from the provider. */
async function isSettled(deps: Deps, notice: PaymentNotice, at: number): Promise<boolean> {
  switch (notice.type) {
    case 'charge.success':
      return isVerified(deps, notice.reference);
    case 'charge.dispute.create': {
      const { reference, disputeId } = notice;
      deps.logger.error({ reference, disputeId }, 'a cardholder disputes a payment: tell an admin');
      // What was given back already must be known before what the bank took is judged.
      const order = transactionOfReference(reference);
      if (order !== null && !(await workRefunds(deps, order, { ask: false }))) return false;
      return isVerified(deps, reference, { again: true });
    }
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

async function isVerified(
  deps: Deps,
  reference: string,
  options: { readonly again?: boolean } = {},
): Promise<boolean> {
  const told = await verifyPayment(deps, reference, 'webhook', options);
  if (told.kind === 'unknown') deps.logger.warn({ reference }, 'a notice of no payment of ours');
  return told.kind !== 'unanswered';
}

function ignored({ logger }: Deps, { type, key }: PaymentNotice): true {
  logger.warn({ type, key }, 'a notice of the provider was kept and not worked on');
  return true;
}
