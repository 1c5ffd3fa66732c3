import { z } from 'zod';
import type { EventOf } from '../decider.js';
import { id, instant, kobo, quantity, sealed } from '../decider.js';

const orderLine = z.object({
  productId: id,
  sellerId: id,
  businessName: z.string(),
  name: z.string(),
  /** Reference of the title picture. */
  image: z.string(),
  subcategoryId: z.number().int(),
  quantity,
  unitPrice: kobo,
  priceKind: z.enum(['upload', 'update']),
});
export type OrderLine = z.infer<typeof orderLine>;

/** One seller's part: `share` is theirs, `price` what the buyer paid for their goods. */
const share = z.object({ sellerId: id, businessName: z.string(), price: kobo, share: kobo });
export type Share = z.infer<typeof share>;

const transactionId = id;

/** Buyer's values and the confirm secret are sealed under `transaction:<id>`, a payout's account under `seller:<id>`. */
export const transactionEvents = {
  OrderPlaced: z.object({
    transactionId,
    lines: z.array(orderLine).min(1),
    shares: z.array(share).min(1),
    deliveryFee: kobo,
    /** Subtotal and delivery fee. */
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
    /** Where the buyer pays: the same call made again is answered with it. */
    authorizationUrl: z.string().optional(),
  }),
  PaymentVerified: z.object({
    transactionId,
    reference: z.string(),
    amount: kobo,
    fees: kobo,
    channel: z.string().nullable(),
    /** The provider's id of the payment: what a refund names. */
    providerId: z.string(),
    paidAt: instant,
  }),
  /** Money that came and is not this order's payment: held aside until it is refunded in full. */
  PaymentMismatched: z.object({
    transactionId,
    reference: z.string(),
    amount: kobo,
    fees: kobo,
    currency: z.string(),
    providerId: z.string(),
    /** 'erased' and 'sold-out' stood here for a while, which 0.1.0 cannot read: they are said by `why` today. */
    reason: z.enum(['amount', 'currency', 'second-payment', 'erased', 'sold-out']),
    /**
     * Comes before `reason`, which is 'amount' then. 'erased': the buyer was forgotten before it came, so nobody could
     * confirm a delivery; 'sold-out': too few of its goods were left.
     */
    why: z.enum(['erased', 'sold-out']).optional(),
    refundId: id,
    at: instant,
  }),
  /** The provider took the payment back (chargeback). */
  PaymentReversed: z.object({ transactionId, reference: z.string(), amount: kobo, at: instant }),
  /** The cardholder disputes the payment; until that is closed the provider may take it back. */
  PaymentDisputed: z.object({ transactionId, reference: z.string(), disputeId: id, at: instant }),
  PaymentDisputeClosed: z.object({
    transactionId,
    reference: z.string(),
    disputeId: id,
    at: instant,
  }),
  /** A payment that was taken back came back whole: the market has won the dispute. */
  PaymentRestored: z.object({
    transactionId,
    reference: z.string(),
    amount: kobo,
    /** What is owed to sellers again, and where it stood. */
    shares: z.array(
      z.object({
        sellerId: id,
        amount: kobo,
        status: z.enum(['held', 'disputed', 'released', 'payout-requested']),
        payoutId: id.nullable(),
      }),
    ),
    /** What is owed to the buyer again. */
    refunds: z.array(
      z.object({ refundId: id, sellerId: id.nullable(), providerId: z.string(), amount: kobo }),
    ),
    at: instant,
  }),
  /** The buyer asks for the letter with the receipt once more. */
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
    /** Nobody had complained: the buyer had neither confirmed nor answered for long. */
    unconfirmed: z.boolean().optional(),
    /** Why, in the words of who settled it. */
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
    /** Where a transfer goes, under the seller's key: the last digits of the account, and its bank. */
    accountEnd: sealed.optional(),
    bankName: sealed.optional(),
    at: instant,
  }),
  PayoutCompleted: z.object({
    transactionId,
    sellerId: id,
    payoutId: id,
    amount: kobo,
    /** Why, in the words of who settled it by hand; without it the provider says so. */
    reason: z.string().min(1).optional(),
    at: instant,
  }),
  /** Asked after once more, days later: the money has stayed with the seller. */
  PayoutCleared: z.object({
    transactionId,
    sellerId: id,
    payoutId: id,
    /** It was given up before, and nothing more is to be heard of it. */
    givenUp: z.boolean().optional(),
    at: instant,
  }),
  PayoutFailed: z.object({
    transactionId,
    sellerId: id,
    payoutId: id,
    amount: kobo,
    reason: z.string(),
    /** Whether it had been completed and came back. */
    reversed: z.boolean(),
    /** Ended without the provider's word: the transfer may still arrive. */
    givenUp: z.boolean().optional(),
    /** The buyer's payment had been taken back before: the share is not payable again. */
    forfeited: z.boolean().optional(),
    at: instant,
  }),
  /** One that was given up has arrived after all, and its share was paid otherwise or taken back: a loss. */
  PayoutDoubled: z.object({
    transactionId,
    sellerId: id,
    payoutId: id,
    amount: kobo,
    at: instant,
  }),
  RefundRequested: z.object({
    transactionId,
    refundId: id,
    /** Whose goods; null: money held aside, or the delivery fee alone. */
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
     * Known from the provider calling the whole payment reversed: our refund had arrived unheard, or the
     * cardholder's bank was quicker.
     */
    reversed: z.boolean().optional(),
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

/** Why the money is held aside, whichever release wrote it down. */
export const asideReason = ({ reason, why }: Pick<Aside, 'reason' | 'why'>): Aside['reason'] =>
  why ?? reason;
