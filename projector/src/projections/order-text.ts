import { type EventOf, formatMoney, formatNaira, type transactionEvents } from '@oja/domain';

type OrderEvent = EventOf<typeof transactionEvents>;

/** The total quantity of the lines as a text: '3 pieces'. */
export function formatPieces(lines: readonly { readonly quantity: number }[]): string {
  const pieces = lines.reduce((sum, { quantity }) => sum + quantity, 0);
  return pieces === 1 ? '1 piece' : `${pieces} pieces`;
}

/**
 * An event of an order as text for its admins. Never contains a personal value. `currency`: of a refund, whose events do
 * not contain it.
 */
export function orderText({ type, data }: OrderEvent, currency = 'NGN'): string {
  switch (type) {
    case 'OrderPlaced':
      return `Ordered: ${formatPieces(data.lines)} for ${formatNaira(data.amount)}`;
    case 'PaymentInitialized':
      return `Sent to the payment page with reference ${data.reference}`;
    case 'PaymentVerified':
      return `Paid ${formatNaira(data.amount)}`;
    case 'PaymentMismatched':
      return `A payment of ${formatMoney(data.amount, data.currency)} does not belong to the order and is held aside`;
    case 'PaymentReversed':
      return `The provider took ${formatNaira(data.amount)} back`;
    case 'PaymentReturnedInPart':
      return `A dispute gave ${formatNaira(data.amount)} of the payment back`;
    case 'PaymentDisputed':
      return "The cardholder's bank disputes the payment";
    case 'PaymentDisputeClosed':
      return "The dispute of the cardholder's bank is closed";
    case 'PaymentRestored':
      return `The provider gave ${formatNaira(data.amount)} back`;
    case 'ReceiptRequested':
      return 'The buyer asked for the receipt by mail again';
    case 'OrderExpired':
      return 'Expired without a payment';
    case 'DeliveryNotYet':
      return 'The buyer says that the goods have not come';
    case 'DeliveryDisputed':
      return 'The buyer reported a problem';
    case 'DisputeResolved':
      if (data.unconfirmed)
        return data.outcome === 'release'
          ? 'Not confirmed for long: settled for the seller'
          : 'Not confirmed for long: settled for the buyer';
      return data.outcome === 'release'
        ? 'The dispute was settled for the seller'
        : 'The dispute was settled for the buyer';
    case 'DeliveryConfirmed':
      return 'The buyer confirmed the delivery';
    case 'SellerShareReleased':
      return `${formatNaira(data.amount)} released to the seller`;
    case 'PayoutRequested':
      return `Payout of ${formatNaira(data.amount)} asked for`;
    case 'PayoutCompleted':
      return `${formatNaira(data.amount)} paid out`;
    case 'PayoutCleared':
      return data.givenUp
        ? 'Nothing more is expected of a payout that was given up'
        : 'The payout has stayed with the seller';
    case 'PayoutDoubled':
      return `A payout of ${formatNaira(data.amount)} that was given up arrived: the market's loss`;
    case 'DoubledPayoutReturned':
      return `A payout of ${formatNaira(data.amount)} that was one too many came back`;
    case 'PayoutFailed':
      return `The payout of ${formatNaira(data.amount)} ${data.reversed ? 'came back' : 'failed'}`;
    case 'RefundRequested':
      return `Refund of ${formatNaira(data.amount)} asked for`;
    case 'RefundCompleted':
      return data.returned
        ? `${formatMoney(data.amount, currency)} refunded: the dispute had given it back`
        : `${formatMoney(data.amount, currency)} refunded`;
    case 'RefundReduced':
      return `${formatNaira(data.returned)} counts as refunded: the dispute had given it back. ${formatNaira(data.amount)} is still owed`;
    case 'RefundUndone':
      return `${formatMoney(data.amount, currency)} that the bank had given to the buyer came back: owed again`;
    case 'RefundFailed':
      return `The refund of ${formatMoney(data.amount, currency)} failed`;
    case 'BuyerRecordRemoved':
      return "The buyer's record was removed";
  }
}
