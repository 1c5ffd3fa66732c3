import type { TransactionCommand } from '../src/transaction/commands.js';
import type { OrderLine } from '../src/transaction/events.js';

/** An order of two sellers: Ada's bag for ₦2,300 (her share is ₦2,000) and Bisi's for ₦1,150; delivery is ₦800. */
export const ORDER = '0b8f4c1e-5d0a-4f0e-9a86-3d1c7e52b9f4';
export const PAYMENT = '4099260516';
export const AMOUNT = 230_000 + 115_000 + 80_000;

const START = Date.parse('2026-03-01T08:00:00.000Z');
/** The time this many hours after the order was placed, ISO 8601. */
export const hour = (hours: number) => new Date(START + hours * 3_600_000).toISOString();

export const secret = (text: string) => ({ sealed: text, subject: `transaction:${ORDER}` });

export const line = (sellerId: string, unitPrice: number): OrderLine => ({
  productId: `bag-of-${sellerId}`,
  sellerId,
  businessName: `${sellerId} Stores`,
  name: 'Bag',
  image: 'bag.jpg',
  subcategoryId: 1,
  quantity: 1,
  unitPrice,
  priceKind: 'upload',
});

type Of<T extends TransactionCommand['type']> = Extract<TransactionCommand, { readonly type: T }>;

export const place: Of<'PlaceOrder'> = {
  type: 'PlaceOrder',
  transactionId: ORDER,
  lines: [line('ada', 230_000), line('bisi', 115_000)],
  amount: AMOUNT,
  fullName: secret('name'),
  email: secret('email'),
  homeAddress: secret('address'),
  phoneNumber: secret('phone'),
  secret: secret('secret'),
  at: hour(0),
};

export const pay: Of<'VerifyPayment'> = {
  type: 'VerifyPayment',
  reference: ORDER,
  status: 'success',
  amount: AMOUNT,
  currency: 'NGN',
  fees: 6_375,
  channel: 'card',
  providerId: PAYMENT,
  paidAt: hour(1),
  at: hour(1),
};
export const reverse: Of<'VerifyPayment'> = { ...pay, status: 'reversed', at: hour(300) };
export const confirm: Of<'ConfirmDelivery'> = { type: 'ConfirmDelivery', at: hour(30) };

export const complain = (...sellerIds: readonly string[]): Of<'ReportProblem'> => ({
  type: 'ReportProblem',
  sellerIds,
  complaint: secret('complaint'),
  at: hour(50),
});
export const settle = (sellerId: string, outcome: 'release' | 'refund'): Of<'ResolveDispute'> => ({
  type: 'ResolveDispute',
  sellerId,
  outcome,
  by: 'operator',
  at: hour(60),
});
export const payOut = (
  sellerId: string,
  method: 'transfer' | 'manual' = 'transfer',
): Of<'RequestPayout'> => ({ type: 'RequestPayout', sellerId, method, at: hour(70) });
/** Id of a payout at the provider. `share`: index of the seller's share; `failures`: failed attempts before. */
export const payoutId = (share: number, failures = 0) => `${ORDER}_${share}_${failures}`;
export const payoutDone = (id: string): Of<'CompletePayout'> => ({
  type: 'CompletePayout',
  payoutId: id,
  at: hour(71),
});
export const payoutCleared = (id: string): Of<'ClearPayout'> => ({
  type: 'ClearPayout',
  payoutId: id,
  at: hour(400),
});
export const payoutFailed = (id: string): Of<'FailPayout'> => ({
  type: 'FailPayout',
  payoutId: id,
  reason: 'no such account',
  at: hour(72),
});
export const refundDone = (refundId: string): Of<'CompleteRefund'> => ({
  type: 'CompleteRefund',
  refundId,
  at: hour(80),
});
export const refundFailed = (refundId: string): Of<'FailRefund'> => ({
  type: 'FailRefund',
  refundId,
  reason: 'the bank said no',
  at: hour(80),
});
