import { receivedStatuses } from '@oja/domain';
import { z } from 'zod';
import { payoutReasons, payoutStatuses } from '../models/income.js';
import { shareStatuses } from '../models/transactions.js';
import { id, instant, naira, personal } from './common.js';

const received = z.enum(receivedStatuses);

/** One seller's part of an order, and its status. */
export const sellerShare = z.object({
  user_id: id,
  businessName: z.string(),
  share: naira,
  status: z.enum(shareStatuses),
  complaint: personal.optional(),
});

const line = z.object({
  product_id: id,
  user_id: id,
  businessName: z.string(),
  prod_name: z.string(),
  image_url: z.string(),
  quantity: z.number().int(),
  price: naira,
});
export type OrderLine = z.infer<typeof line>;

/** A row of the admin's table. The lists are comma-separated, with one entry per product. */
export const transaction = z.object({
  transaction_id: id,
  buyer_id: id,
  /** 'pending', 'success' (paid), 'expired' or 'reversed'. */
  status: z.string(),
  reference: z.string(),
  amount: naira,
  delivery_fee: naira,
  paid_at: instant.nullable(),
  created_at: instant,
  currency: z.string(),
  channel: z.string().nullable(),
  buyer_name: personal,
  email: personal,
  home_address: personal,
  phone_number: personal,
  recieved: received,
  product_ids: z.string(),
  quantities: z.string(),
  prices: z.string(),
  user_ids: z.string(),
  lines: z.array(line),
  shares: z.array(sellerShare),
});
export type Transaction = z.infer<typeof transaction>;

/** A seller's part of an order. It contains nothing about the buyer. */
export const sale = z.object({
  transaction_id: id,
  /** The short number that people say and write on parcels. */
  number: z.string(),
  paid_at: instant,
  /** `held`: paid, to be handed over. `released`: delivered, the money is payable. */
  status: sellerShare.shape.status,
  /** The cardholder's bank disputes the payment: nothing is paid out until that is settled. */
  bank_disputed: z.literal(true).optional(),
  /** What the seller gets. */
  share: naira,
  items: z.array(
    z.object({
      product_id: id,
      prod_name: z.string(),
      image_url: z.string(),
      quantity: z.number().int(),
    }),
  ),
});
export type Sale = z.infer<typeof sale>;

export const saleWithHistory = sale.extend({
  /** Oldest first. `type` is that of an event, but `PayoutStopped` for a failed payout that no bank has refused. */
  history: z.array(z.object({ type: z.string(), at: instant, text: z.string() })),
});
export type SaleWithHistory = z.infer<typeof saleWithHistory>;

/** One attempt to pay out a seller's share of an order. */
export const payout = z.object({
  payout_id: z.string(),
  transaction_id: id,
  /** The short number of its order. */
  number: z.string(),
  amount: naira,
  method: z.enum(['transfer', 'manual']),
  /** Where it went: the last digits of the account, and the bank. Null when that was not stored. */
  account: z.object({ ends_in: z.string(), bank_name: z.string() }).nullable(),
  status: z.enum(payoutStatuses),
  reason: z.enum(payoutReasons).nullable(),
  /** Whether the share is still to be paid out: nothing else has paid it, and the payment was not taken back. */
  owed: z.boolean(),
  requested_at: instant,
  /** When it was sent, failed or came back. */
  ended_at: instant.nullable(),
});
export type Payout = z.infer<typeof payout>;

const soldFigures = { sum: naira, orders: z.number().int() };

/** A seller's sales in a period that ends today: their own share, without refunds to buyers. */
export const soldInPeriod = z.object({
  ...soldFigures,
  /** One entry per day or month, oldest first. `from` is its first day, YYYY-MM-DD in Lagos. */
  steps: z.array(z.object({ from: z.iso.date(), ...soldFigures })),
  /** The best-selling products, by revenue. */
  products: z.array(
    z.object({ product_id: id, prod_name: z.string(), pieces: z.number().int(), sum: naira }),
  ),
});
export type SoldInPeriod = z.infer<typeof soldInPeriod>;

/** An order, as the holder of its key sees it. */
export const order = z.object({
  /** The order key `<id>.<secret>`, as the client sent it. */
  transactionId: z.string(),
  status: z.string(),
  recieved: received,
  amount: naira,
  delivery_fee: naira,
  created_at: instant,
  paid_at: instant.nullable(),
  /**
   * A payment could not be taken and goes back: it came after the goods were sold out, did not fit, or came besides the
   * one that paid the order.
   */
  payment_returned: z.literal(true).optional(),
  /** When the buyer confirmed the delivery. A settlement by the market closes an order without it. */
  delivered_at: instant.optional(),
  /** The masked address that the receipt goes to, recognisable to its owner: 'n•••@example.com'. */
  email_hint: personal,
  lines: z.array(line),
  shares: z.array(sellerShare),
  /** A problem can be reported from 48 hours after payment. */
  may_report_problem: z.boolean(),
  report_from: instant.nullable(),
});
export type Order = z.infer<typeof order>;
