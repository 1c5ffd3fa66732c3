import {
  type OrderLine,
  PROBLEM_AFTER_MS,
  refundIdOf,
  type TransactionEvent,
  transaction,
} from '@oja/domain';
import type { Sealer } from '@oja/platform';
import { projections } from '../../src/index.js';
import type { MemoryDocuments } from './documents.js';
import { follow } from './follow.js';
import type { MemoryLog } from './log.js';
import { record } from './orders.js';

export const PAID = '2026-03-01T08:00:00.000Z';

interface Market {
  readonly sealer: Sealer;
  readonly log: MemoryLog;
  readonly documents: MemoryDocuments;
}

const bag: OrderLine = {
  productId: 'p-1',
  sellerId: 's-1',
  businessName: 'Ada & Daughters',
  name: 'Red <Bag>',
  image: 'bag.jpg',
  subcategoryId: 1,
  quantity: 2,
  unitPrice: 1_150_000,
  priceKind: 'upload',
};

const shoes: OrderLine = {
  ...bag,
  productId: 'p-2',
  sellerId: 's-2',
  businessName: 'Bola Shoes',
  name: 'Shoes',
  quantity: 1,
  unitPrice: 900_000,
};

export type Step =
  /** Another seller's goods are in it too. */
  | 'of two sellers'
  | 'paid'
  | 'paid twice'
  | 'asked again'
  | 'paid thrice'
  | 'paid in dollars'
  | 'refund failed'
  | 'disputed by the bank'
  | 'dispute closed'
  | 'the other disputed'
  | 'complained'
  | 'settled for the buyer'
  | 'settled for the seller'
  | 'taken back'
  | 'given back'
  | 'refund went through'
  | 'confirmed'
  | 'seller paid twice'
  | 'paid twice, and one came back'
  | 'sold out';

/** Appends the events of an order, as the domain decides them, and lets every read model follow. */
export async function orderHappens(
  { sealer, log, documents }: Market,
  ID: string,
  email: string,
  ...steps: readonly Step[]
): Promise<void> {
  const stream = `transaction-${ID}`;
  const buyer = await sealer.seal(`transaction:${ID}`, stream, {
    fullName: 'Ngozi Eze',
    email,
    homeAddress: '1 Road',
    phoneNumber: '08030000000',
    secret: 'AbCdEfGhIjKlMnOpQrStUv',
  });
  const events: TransactionEvent[] = [];
  let at = transaction.initial;
  const carryOut = (command: Parameters<typeof transaction.decide>[0]) => {
    const decision = transaction.decide(command, at);
    if (!decision.ok) throw new Error(decision.refusal.message);
    for (const event of decision.events) {
      events.push(event);
      at = transaction.evolve(at, event);
    }
  };
  const lines = steps.includes('of two sellers') ? [bag, shoes] : [bag];
  const amount = lines.reduce((sum, { quantity, unitPrice }) => sum + quantity * unitPrice, 0);
  carryOut({ type: 'PlaceOrder', transactionId: ID, lines, amount, ...buyer, at: PAID });
  if (steps.includes('paid')) {
    carryOut({
      type: 'VerifyPayment',
      reference: ID,
      status: 'success',
      amount,
      currency: 'NGN',
      fees: 0,
      channel: 'card',
      providerId: '1',
      paidAt: PAID,
      at: PAID,
    });
  }
  const told = {
    type: 'VerifyPayment',
    amount,
    currency: 'NGN',
    fees: 0,
    channel: 'card',
    paidAt: PAID,
    at: PAID,
  } as const;
  if (steps.includes('paid twice'))
    carryOut({ ...told, status: 'success', reference: `${ID}-2`, providerId: '2' });
  if (steps.includes('the other disputed'))
    carryOut({ type: 'RecordDispute', reference: `${ID}-2`, disputeId: 'd-2', at: PAID });
  if (steps.includes('sold out'))
    carryOut({ ...told, status: 'success', reference: ID, providerId: '1', isSoldOut: true });
  if (steps.includes('paid thrice'))
    carryOut({ ...told, status: 'success', reference: `${ID}-3`, providerId: '3' });
  if (steps.includes('paid in dollars')) {
    const dollars = { ...told, amount: 115_000, currency: 'USD', fees: 500 };
    carryOut({ ...dollars, status: 'success', reference: `${ID}-4`, providerId: '4' });
  }
  if (steps.includes('refund failed'))
    for (const { refundId } of at.status === 'none' ? [] : at.refunds)
      carryOut({ type: 'FailRefund', refundId, reason: 'the card is gone', at: PAID });
  if (steps.includes('disputed by the bank'))
    carryOut({ type: 'RecordDispute', reference: ID, disputeId: 'd-1', at: PAID });
  if (steps.includes('dispute closed'))
    carryOut({ type: 'CloseDispute', reference: ID, disputeId: 'd-1', at: PAID });
  if (steps.includes('complained')) {
    const complaint = { sealed: 'x', subject: `transaction:${ID}` };
    const later = new Date(Date.parse(PAID) + PROBLEM_AFTER_MS).toISOString();
    carryOut({ type: 'ReportProblem', sellerIds: ['s-1'], complaint, at: later });
  }
  for (const [step, outcome] of [
    ['settled for the buyer', 'refund'],
    ['settled for the seller', 'release'],
  ] as const)
    if (steps.includes(step))
      carryOut({ type: 'ResolveDispute', sellerId: 's-1', outcome, by: 'admin', at: PAID });
  if (steps.includes('taken back'))
    carryOut({ ...told, status: 'reversed', reference: ID, providerId: '1' });
  if (steps.includes('given back'))
    carryOut({ ...told, status: 'success', reference: ID, providerId: '1', reversals: 1 });
  if (steps.includes('refund went through'))
    carryOut({ type: 'CompleteRefund', refundId: refundIdOf(ID, 's-1'), at: PAID });
  if (steps.includes('confirmed')) carryOut({ type: 'ConfirmDelivery', at: PAID });
  if (steps.includes('asked again'))
    for (const requestId of ['r-1', 'r-2'])
      carryOut({ type: 'RequestReceipt', requestId, at: PAID });
  if (steps.includes('seller paid twice')) {
    const [sellerId, payoutId] = ['s-1', `${ID}_0_0`];
    carryOut({ type: 'RequestPayout', sellerId, method: 'transfer', at: PAID });
    carryOut({ type: 'SettlePayout', sellerId, reason: 'paid in cash', at: PAID });
    carryOut({ type: 'RecordLatePayout', payoutId, at: PAID });
  }
  if (steps.includes('paid twice, and one came back')) {
    const [sellerId, first, second] = ['s-1', `${ID}_0_0`, `${ID}_0_1`];
    const payOut = { type: 'RequestPayout', sellerId, method: 'transfer', at: PAID } as const;
    const failed = { type: 'FailPayout', reason: 'stuck', at: PAID } as const;
    carryOut(payOut);
    carryOut({ ...failed, payoutId: first, givenUp: true });
    carryOut(payOut);
    carryOut({ type: 'CompletePayout', payoutId: second, at: PAID });
    carryOut({ type: 'RecordLatePayout', payoutId: first, at: PAID });
    carryOut({ ...failed, payoutId: second });
  }
  log.record(record(stream, PAID, events));
  for (const projection of projections) await follow(log, documents, projection, { batchSize: 9 });
}
