import { z } from 'zod';
import type { EventOf } from '../decider.js';
import { id, instant, kobo, quantity, sealed } from '../decider.js';

const orderLine = z.object({
  productId: id,
  sellerId: id,
  businessName: z.string(),
  name: z.string(),
  /** Image reference of the title picture. */
  image: z.string(),
  subcategoryId: z.number().int(),
  quantity,
  unitPrice: kobo,
  priceKind: z.enum(['upload', 'update']),
});
export type OrderLine = z.infer<typeof orderLine>;

/** One seller's part of an order: `share` is what the seller gets, `price` what the buyer paid for their goods. */
const share = z.object({ sellerId: id, businessName: z.string(), price: kobo, share: kobo });
export type Share = z.infer<typeof share>;

const transactionId = id;

/** The buyer's values and the secret are sealed under `transaction:<id>`, a payout's account under `seller:<id>`. */
export const transactionEvents = {
  OrderPlaced: z.object({
    transactionId,
    lines: z.array(orderLine).min(1),
    shares: z.array(share).min(1),
    deliveryFee: kobo,
    /** Subtotal plus delivery fee. */
    amount: kobo,
    currency: z.literal('NGN'),
    reference: z.string(),
    fullName: sealed,
    email: sealed,
    homeAddress: sealed,
    phoneNumber: sealed,
    secret: sealed,
    at: instant,
  }),
  PaymentInitialized: z.object({
    transactionId,
    reference: z.string(),
    accessCode: z.string(),
    /** The address to pay at. A repeated call is answered with it. */
    authorizationUrl: z.string().optional(),
  }),
  PaymentVerified: z.object({
    transactionId,
    reference: z.string(),
    amount: kobo,
    fees: kobo,
    channel: z.string().nullable(),
    /** The provider's id of the payment, needed to refund it. */
    providerId: z.string(),
    paidAt: instant,
  }),
  /** A payment that does not pay this order. The money is held aside until it is refunded in full. */
  PaymentMismatched: z.object({
    transactionId,
    reference: z.string(),
    amount: kobo,
    fees: kobo,
    currency: z.string(),
    providerId: z.string(),
    /**
     * Old events also use 'erased' and 'sold-out' here. Release 0.1.0 cannot read these two, so new
     * events put them in `why`.
     */
    reason: z.enum(['amount', 'currency', 'second-payment', 'erased', 'sold-out']),
    /**
     * Overrides `reason`, which is then 'amount'. 'erased': the buyer was erased before the payment
     * came, so nobody could confirm the delivery. 'sold-out': too little stock was left, or a seller of
     * the order was erased, and the goods with them.
     */
    why: z.enum(['erased', 'sold-out']).optional(),
    refundId: id,
    at: instant,
  }),
  /** The payment was reversed (chargeback). */
  PaymentReversed: z.object({ transactionId, reference: z.string(), amount: kobo, at: instant }),
  /** The cardholder disputes the payment. Until the dispute is closed, the payment may be reversed. */
  PaymentDisputed: z.object({ transactionId, reference: z.string(), disputeId: id, at: instant }),
  PaymentDisputeClosed: z.object({
    transactionId,
    reference: z.string(),
    disputeId: id,
    at: instant,
  }),
  /**
   * A dispute was lost or accepted for a part of the payment: this part went back to the cardholder, the rest stays. A
   * refund of goods counts it, before anything is sent: as a completed refund, or by `RefundReduced`.
   */
  PaymentReturnedInPart: z.object({
    transactionId,
    reference: z.string(),
    disputeId: id,
    amount: kobo,
    at: instant,
  }),
  /** A reversed payment was returned in full: the market has won the dispute. */
  PaymentRestored: z.object({
    transactionId,
    reference: z.string(),
    amount: kobo,
    /** Shares that are owed to sellers again, with the status they return to. */
    shares: z.array(
      z.object({
        sellerId: id,
        amount: kobo,
        status: z.enum(['held', 'disputed', 'released', 'payout-requested']),
        payoutId: id.nullable(),
      }),
    ),
    /** Refunds that are owed to the buyer again. */
    refunds: z.array(
      z.object({ refundId: id, sellerId: id.nullable(), providerId: z.string(), amount: kobo }),
    ),
    at: instant,
  }),
  /** The buyer requests another copy of the receipt. */
  ReceiptRequested: z.object({ transactionId, requestId: id, at: instant }),
  OrderExpired: z.object({ transactionId, at: instant }),
  DeliveryNotYet: z.object({ transactionId, at: instant }),
  DeliveryDisputed: z.object({
    transactionId,
    sellerIds: z.array(id).min(1),
    complaint: sealed,
    at: instant,
  }),
  DisputeResolved: z.object({
    transactionId,
    sellerId: id,
    outcome: z.enum(['release', 'refund']),
    /** There was no complaint: the buyer had neither confirmed nor answered for a long time. */
    unconfirmed: z.boolean().optional(),
    /** The reason, written by the admin or operator who settled it. */
    note: sealed.optional(),
    by: id,
    at: instant,
  }),
  DeliveryConfirmed: z.object({ transactionId, at: instant }),
  SellerShareReleased: z.object({ transactionId, sellerId: id, amount: kobo, at: instant }),
  PayoutRequested: z.object({
    transactionId,
    sellerId: id,
    payoutId: id,
    amount: kobo,
    method: z.enum(['transfer', 'manual']),
    /** The destination of a transfer, sealed under the seller's key: last digits of the account, and bank name. */
    accountEnd: sealed.optional(),
    bankName: sealed.optional(),
    at: instant,
  }),
  PayoutCompleted: z.object({
    transactionId,
    sellerId: id,
    payoutId: id,
    amount: kobo,
    /** The reason, written by the operator who settled it by hand. Absent when the provider reported the outcome. */
    reason: z.string().min(1).optional(),
    at: instant,
  }),
  /** A second check days after the transfer: the money has stayed with the seller. */
  PayoutCleared: z.object({
    transactionId,
    sellerId: id,
    payoutId: id,
    /** The payout was given up earlier; nothing more is expected of it. */
    givenUp: z.boolean().optional(),
    at: instant,
  }),
  PayoutFailed: z.object({
    transactionId,
    sellerId: id,
    payoutId: id,
    amount: kobo,
    reason: z.string(),
    /** Whether the payout had been completed and the money came back. */
    reversed: z.boolean(),
    /** Ended before the provider reported an outcome: the transfer may still arrive. */
    givenUp: z.boolean().optional(),
    /** The buyer's payment had been reversed, so the share is not payable again. */
    forfeited: z.boolean().optional(),
    /** The seller has heard before that no transfer arrives at this bank account: this is no news to them. */
    repeated: z.boolean().optional(),
    at: instant,
  }),
  /** A given-up transfer arrived after its share had been paid otherwise or taken back: a loss. */
  PayoutDoubled: z.object({
    transactionId,
    sellerId: id,
    payoutId: id,
    amount: kobo,
    at: instant,
  }),
  /** The bank returned a transfer that had been one too many: the loss is made good. */
  DoubledPayoutReturned: z.object({
    transactionId,
    sellerId: id,
    payoutId: id,
    amount: kobo,
    /** The provider's status of the transfer, such as `transfer.reversed`. */
    reason: z.string(),
    at: instant,
  }),
  RefundRequested: z.object({
    transactionId,
    refundId: id,
    /** The seller whose goods are refunded; null for money held aside, or for the delivery fee alone. */
    sellerId: id.nullable(),
    providerId: z.string(),
    amount: kobo,
    deliveryFee: kobo,
    at: instant,
  }),
  RefundCompleted: z.object({
    transactionId,
    refundId: id,
    amount: kobo,
    /**
     * Set when the provider reports the whole payment as reversed: either our refund had arrived
     * without an answer, or the cardholder's bank was faster.
     */
    reversed: z.boolean().optional(),
    /** The cardholder's bank had given back at least as much before, so nothing was sent: see `PaymentReturnedInPart`. */
    returned: z.boolean().optional(),
    at: instant,
  }),
  /**
   * The payment whose reversal had counted as this refund is a success again: what the bank had given
   * back has come back to the market, and is owed to the buyer again.
   */
  RefundUndone: z.object({
    transactionId,
    refundId: id,
    /** Null for money held aside. */
    sellerId: id.nullable(),
    providerId: z.string(),
    amount: kobo,
    at: instant,
  }),
  /** A dispute had given back some of what a refund was to send: only the rest is sent. */
  RefundReduced: z.object({
    transactionId,
    refundId: id,
    sellerId: id.nullable(),
    providerId: z.string(),
    /** The rest. */
    amount: kobo,
    returned: kobo,
    at: instant,
  }),
  RefundFailed: z.object({
    transactionId,
    refundId: id,
    amount: kobo,
    reason: z.string(),
    at: instant,
  }),
  BuyerRecordRemoved: z.object({ transactionId, by: id, at: instant }),
};
export type TransactionEvent = EventOf<typeof transactionEvents>;

type Aside = Extract<TransactionEvent, { readonly type: 'PaymentMismatched' }>['data'];

/** Why a payment is held aside, for events of any release. */
export const heldAsideReason = ({ reason, why }: Pick<Aside, 'reason' | 'why'>): Aside['reason'] =>
  why ?? reason;
