import fc from 'fast-check';
import { acceptableAmounts } from '../src/rules/delivery.js';
import { nairaToKobo, raisedPriceNaira } from '../src/rules/money.js';
import type { PlaceOrder, TransactionCommand } from '../src/transaction/commands.js';
import { decideTransaction, subtotalOf } from '../src/transaction/decide.js';
import type { PlacedOrder } from '../src/transaction/state.js';
import { hour } from './orders.js';

const sealed = { sealed: 'x', subject: 'transaction:x' };

const goods = fc.uniqueArray(
  fc.record({
    product: fc.nat({ max: 5 }),
    seller: fc.nat({ max: 2 }),
    typedNaira: fc.integer({ min: 1, max: 20_000 }),
    quantity: fc.integer({ min: 1, max: 3 }),
    priceKind: fc.constantFrom('upload' as const, 'update' as const),
  }),
  { minLength: 1, maxLength: 4, selector: ({ product }) => product },
);

/** Places an order of up to four products from up to three sellers. */
export const placing = (transactionId: string): fc.Arbitrary<PlaceOrder> =>
  goods.map((chosen) => {
    const lines = chosen.map(({ product, seller, typedNaira, quantity, priceKind }) => ({
      productId: `product-${product}`,
      sellerId: `seller-${seller}`,
      businessName: `Stall ${seller}`,
      name: `Thing ${product}`,
      image: `${product}.jpg`,
      subcategoryId: 1,
      quantity,
      unitPrice: nairaToKobo(raisedPriceNaira(typedNaira, priceKind)),
      priceKind,
    }));
    const subtotal = subtotalOf(lines);
    return {
      type: 'PlaceOrder',
      transactionId,
      lines,
      amount: acceptableAmounts(subtotal)[0] ?? subtotal,
      fullName: sealed,
      email: sealed,
      homeAddress: sealed,
      phoneNumber: sealed,
      secret: sealed,
      at: hour(0),
    };
  });

/** Steps that a placed order may take, sorted so that one often makes the next possible. */
const asks = [
  ...['begin', 'fail', 'expire', 'pay', 'pay', 'pay wrong', 'not yet'],
  ...['problem', 'problem', 'problem', 'refund', 'release', 'confirm', 'refund done'],
  ...['transfer', 'transfer', 'by hand', 'payout done', 'payout failed', 'refund failed'],
  ...[
    'transfer',
    'payout done',
    'payout cleared',
    'reverse',
    'payout failed',
    'reverse in part',
    'reverse aside',
    'restore aside',
  ],
  ...['dispute', 'restore', 'restore', 'undispute', 'remove'],
  ...['dispute lost in part', 'refund', 'refund returned'],
  ...['give up', 'transfer', 'arrives late', 'payout failed', 'settle by hand', 'arrives late'],
  ...['late comes back'],
];

/** `which` selects one of the order's payments, sellers or refunds; `hours` after the order was placed. */
export interface Step {
  readonly ask: string;
  readonly which: number;
  readonly hours: number;
}
export const step: fc.Arbitrary<Step> = fc.record({
  ask: fc.constantFrom(...asks),
  which: fc.nat({ max: 3 }),
  hours: fc.integer({ min: 40, max: 400 }),
});

/** A step of one of these kinds only. */
export const stepOf = (...chosen: readonly string[]): fc.Arbitrary<Step> =>
  step.chain((taken) => fc.constantFrom(...chosen).map((ask) => ({ ...taken, ask })));

/** Long enough for an order to be paid, disputed, paid out and reversed. */
export const longLife = { minLength: 20, maxLength: 80, size: 'max' } as const;

/** The step itself, or the next one in the list that changes something, so that lives do not get stuck. */
export function fruitful(taken: Step, order: PlacedOrder): Step {
  const first = asks.indexOf(taken.ask);
  const steps = asks.map((_, n) => ({
    ...taken,
    ask: asks[(first + n) % asks.length] ?? taken.ask,
  }));
  const found = steps.find((each) => {
    const decision = decideTransaction(commandOf(each, order), order);
    return decision.ok && decision.events.length > 0;
  });
  return found ?? taken;
}

/** The command of a step in the order's present state; it may be refused. */
export function commandOf({ ask, which, hours }: Step, order: PlacedOrder): TransactionCommand {
  const { transactionId, shares, refunds, payment, mismatched } = order;
  const at = hour(hours);
  const share = shares[which % shares.length];
  const sellerId = share?.sellerId ?? '';
  const payout = shares.filter(({ payoutId }) => payoutId !== null);
  const payoutId = payout[which % Math.max(1, payout.length)]?.payoutId ?? 'none';
  const givenUp = shares.flatMap((each) => each.givenUp);
  const late = givenUp[which % Math.max(1, givenUp.length)] ?? 'none';
  const refundId = refunds[which % Math.max(1, refunds.length)]?.refundId ?? 'none';
  const reference = which < 2 ? transactionId : `${transactionId}-${which}`;
  const told = {
    type: 'VerifyPayment',
    reference,
    status: 'success',
    amount: order.amount,
    currency: 'NGN',
    fees: 1_000 * which,
    channel: 'card',
    providerId: `payment-${reference}`,
    paidAt: null,
    at,
  } as const;
  const taken = {
    ...told,
    status: 'reversed',
    reference: payment?.reference ?? reference,
    providerId: payment?.providerId ?? told.providerId,
  } as const;
  const settled = {
    type: 'ResolveDispute',
    sellerId,
    note: sealed,
    by: 'operator',
    at,
  } as const;
  switch (ask) {
    case 'begin':
      return {
        type: 'RecordInitialized',
        reference,
        accessCode: 'code',
        authorizationUrl: 'https://pay.example/code',
      };
    case 'fail':
      return { ...told, status: 'other' };
    case 'pay wrong':
      return { ...told, amount: order.amount + 500 - 250 * which };
    case 'reverse':
      return taken;
    case 'restore':
      return { ...taken, status: 'success', reversals: order.reversals };
    case 'dispute':
      return { type: 'RecordDispute', reference, disputeId: `dispute-${which}`, at };
    case 'undispute':
      return { type: 'CloseDispute', reference, disputeId: `dispute-${which}`, at };
    case 'dispute lost in part':
      return {
        type: 'CloseDispute',
        reference: payment?.reference ?? reference,
        disputeId: `dispute-${which}`,
        returned: Math.floor(order.amount / (which + 2)),
        at,
      };
    case 'reverse in part':
      return { ...taken, amount: Math.floor(order.amount / (which + 1)) };
    case 'reverse aside':
      return { ...taken, ...mismatched[which % Math.max(1, mismatched.length)] };
    case 'restore aside':
      return {
        ...taken,
        ...mismatched[which % Math.max(1, mismatched.length)],
        status: 'success',
        reversals: order.reversals,
      };
    case 'expire':
      return { type: 'ExpireOrder', at };
    case 'not yet':
      return { type: 'ReportNotReceived', at };
    case 'remove':
      return { type: 'RemoveBuyerRecord', by: 'operator', at };
    case 'confirm':
      return { type: 'ConfirmDelivery', at };
    case 'problem':
      return { type: 'ReportProblem', sellerIds: [sellerId], complaint: sealed, at };
    case 'release':
    case 'refund':
      return { ...settled, outcome: ask };
    case 'refund done':
      return { type: 'CompleteRefund', refundId, at };
    case 'refund returned':
      return { type: 'CountReturned', refundId, at };
    case 'refund failed':
      return { type: 'FailRefund', refundId, reason: 'the bank said no', at };
    case 'transfer':
      return { type: 'RequestPayout', sellerId, method: 'transfer', at };
    case 'by hand':
      return { type: 'RequestPayout', sellerId, method: 'manual', at };
    case 'payout done':
      return { type: 'CompletePayout', payoutId, at };
    case 'payout cleared':
      return { type: 'ClearPayout', payoutId, at };
    case 'payout failed':
      return { type: 'FailPayout', payoutId, reason: 'no such account', at };
    case 'give up':
      return { type: 'FailPayout', payoutId, reason: 'stuck', givenUp: true, at };
    case 'settle by hand':
      return { type: 'SettlePayout', sellerId, reason: 'paid in cash', at };
    case 'arrives late':
      return { type: 'RecordLatePayout', payoutId: late, at };
    case 'late comes back':
      return { type: 'FailPayout', payoutId: late, reason: 'transfer.reversed', at };
    default:
      return told;
  }
}
