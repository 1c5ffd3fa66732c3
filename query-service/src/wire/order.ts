import type { Order } from '@oja/contracts';
import type { TransactionDocument } from '@oja/contracts/models';
import { koboToNaira, PROBLEM_AFTER_MS } from '@oja/domain/rules';
import type { Addresses } from './product.js';
import { orderLine, sharesOf, type TransactionPersonal } from './transaction.js';

/**
 * An order as its buyer sees it: of each seller's part what was paid, not what the seller gets.
 * `now` in epoch milliseconds.
 */
export function order(
  document: TransactionDocument,
  orderKey: string,
  personal: TransactionPersonal,
  images: Addresses,
  now: number,
): Order {
  const { paidAt } = document;
  const reportFrom = paidAt === null ? null : Date.parse(paidAt) + PROBLEM_AFTER_MS;
  return {
    transactionId: orderKey,
    status: document.status,
    recieved: document.received,
    amount: koboToNaira(document.amount),
    delivery_fee: koboToNaira(document.deliveryFee),
    created_at: document.placedAt,
    paid_at: paidAt,
    lines: document.lines.map((line) => orderLine(line, images)),
    shares: sharesOf(document, personal, 'paid'),
    may_report_problem:
      reportFrom !== null &&
      now >= reportFrom &&
      document.shares.some(({ status }) => status === 'held'),
    report_from: reportFrom === null ? null : new Date(reportFrom).toISOString(),
  };
}
