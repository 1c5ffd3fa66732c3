import type { TransactionDocument } from '@oja/contracts/models';
import { formatMoney, formatNaira } from '@oja/domain/rules';
import { letter, link, paragraph, table, type Words } from './letter.js';

/** To the support: nothing in these letters can be known of the buyer. */

const openOrder = (publicUrl: string, { transactionId }: TransactionDocument) =>
  link('The order', `${publicUrl}/admin-dashboard/${transactionId}`);

/** Money came for an order and is not its payment. */
export function heldAside(order: TransactionDocument, publicUrl: string): Words {
  const asides = order.refunds.filter((refund) => refund.of === 'held-aside');
  return letter(`[Money] Held aside: a payment for order ${order.transactionId}`, [
    paragraph(
      'A payment came in for this order that does not pay for it: the amount or the currency is wrong, ' +
        'the order was paid before, or its buyer was forgotten. It is held aside and refunded in full without your help.',
    ),
    table(
      asides.map(({ amount, currency, status }) => [
        `Refund ${status}`,
        formatMoney(amount, currency),
      ]),
    ),
    paragraph(
      'Look again tomorrow: while "oja status" names money that is held aside, it has not arrived.',
    ),
    openOrder(publicUrl, order),
  ]);
}

/** A refund that the provider refused or could not make; null when none is left of those. */
export function refundFailed(order: TransactionDocument, publicUrl: string): Words | null {
  const failed = order.refunds.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return null;
  return letter(`[Money] Not given back: a refund of order ${order.transactionId}`, [
    paragraph(
      'The payment provider did not make a refund that is owed to the buyer of this order. Oja asks for ' +
        'it again, ever less often, at least once a day.',
    ),
    table(failed.map(({ amount, status }) => [`Refund ${status}`, formatNaira(amount)])),
    paragraph(
      `What the provider said is shown by "oja events show transaction-${order.transactionId}". A refund of ` +
        'the same amount that is made by hand at the provider is recognised, and nothing more is asked for.',
    ),
    openOrder(publicUrl, order),
  ]);
}

/** A chargeback: what the sellers have been paid of it is the market's loss. */
export function takenBack(order: TransactionDocument, publicUrl: string): Words {
  const paid = order.shares.filter(({ status }) => status === 'paid-out');
  return letter(`[Money] Taken back: the payment of order ${order.transactionId}`, [
    paragraph(
      `The bank of the cardholder took back the payment of ${formatNaira(order.amount)}. What was still ` +
        'held for the sellers went with it; nothing more is paid out for this order.',
    ),
    ...(paid.length === 0
      ? []
      : [
          paragraph('These sellers were paid before, at the loss of the market:'),
          table(paid.map(({ businessName, share }) => [businessName, formatNaira(share)])),
        ]),
    paragraph('Evidence against it is handed in at the provider, within the days it gives.'),
    openOrder(publicUrl, order),
  ]);
}
