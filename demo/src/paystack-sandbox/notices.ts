import { refundNotice, transactionBody, transferBody } from './bodies.js';
import type { Inside, Notice } from './inside.js';
import {
  comesBackAt,
  type RefundRecord,
  type TransactionRecord,
  type TransferRecord,
} from './records.js';

export function noticeOfPayment(paid: TransactionRecord): Notice {
  const { reference, settlesAt: at } = paid;
  return { event: 'charge.success', data: transactionBody(paid, at), reference, at };
}

export function noticeOfRefund(transaction: TransactionRecord, refund: RefundRecord): Notice {
  const { outcome, settlesAt: at } = refund;
  const { reference } = transaction;
  return { event: `refund.${outcome}`, data: refundNotice(transaction, refund), reference, at };
}

/** Nobody is told of a transfer that waits for somebody, or ended because nobody came. */
export function noticesOfTransfer(transfer: TransferRecord): readonly Notice[] {
  const { settlesAt, outcome, reference } = transfer;
  const notice = (event: 'success' | 'failed' | 'reversed', at: number): Notice => ({
    event: `transfer.${event}`,
    data: transferBody(transfer, at),
    reference,
    at,
  });
  switch (outcome) {
    case 'success':
    case 'failed':
      return [notice(outcome, settlesAt)];
    case 'reversed':
      return [notice('success', settlesAt), notice('reversed', comesBackAt(transfer))];
    default:
      return [];
  }
}

const noticesOfPayment = (transaction: TransactionRecord): readonly Notice[] => [
  ...(transaction.outcome === 'success' ? [noticeOfPayment(transaction)] : []),
  ...transaction.refunds.map((refund) => noticeOfRefund(transaction, refund)),
];

/**
 * Tells once more, the first first, what was told of a payment or a transfer until now; its events. Null where neither has
 * this reference. What a cardholder's bank has done is not told again.
 */
export async function tellAgain(
  { store, clock, notify }: Inside,
  reference: string,
): Promise<readonly string[] | null> {
  const payment = await store.transaction(reference);
  const transfer = await store.transfer(reference);
  if (payment === null && transfer === null) return null;
  const now = clock.now();
  const told = [
    ...(payment === null ? [] : noticesOfPayment(payment)),
    ...(transfer === null ? [] : noticesOfTransfer(transfer)),
  ]
    .filter(({ at }) => at <= now)
    .sort((one, other) => one.at - other.at);
  for (const notice of told) await notify({ ...notice, at: now });
  return told.map(({ event }) => event);
}
