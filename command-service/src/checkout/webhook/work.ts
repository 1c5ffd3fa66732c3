import { createHash } from 'node:crypto';
import { ORDER_EXPIRES_AFTER_MS, transactionOfReference } from '@oja/domain/rules';
import type { PaymentNotice } from '@oja/platform';
import type { Deps } from '../../deps.js';
import { verifyPayment } from '../pay/verify-payment.js';
import { settleDisputed } from '../payback/disputed.js';
import { workRefunds } from '../payback/refunds.js';
import { settleTransfer } from '../payback/transfer-notice.js';
import { noticeIsDone, noticeToWork } from './inbox.js';

/** Notices that wait for a worker of this service. */
export const WEBHOOK_QUEUE = 'webhooks';

/** So long the provider is asked after a payment that it has told us of and does not yet confirm. */
const NOTICE_ASKED_FOR_MS = ORDER_EXPIRES_AFTER_MS;

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
