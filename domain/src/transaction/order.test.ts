import { describe, expect, it } from 'vitest';
import { given } from '../../test/given.js';
import {
  AMOUNT,
  complain,
  confirm,
  hour,
  line,
  ORDER,
  pay,
  payOut,
  payoutDone,
  payoutId,
  place,
  reverse,
  settle,
} from '../../test/orders.js';
import { refundIdOf } from './deliver.js';
import { isAmountChanged, isOrderOpen, mayBeRestored, transaction } from './index.js';

describe('an order', () => {
  it('is placed with the prices and the shares of its day', () => {
    given(transaction)
      .when(place)
      .thenHappens({
        type: 'OrderPlaced',
        data: {
          amount: AMOUNT,
          deliveryFee: 80_000,
          reference: ORDER,
          shares: [
            { sellerId: 'ada', price: 230_000, share: 200_000 },
            { sellerId: 'bisi', price: 115_000, share: 100_000 },
          ],
        },
      });
  });

  it('is placed once', () => {
    given(transaction, place).when(place).thenRefused({ code: 'placed' });
  });

  it('of another amount than the goods cost is refused with the right one', () => {
    const decision = transaction.decide({ ...place, amount: AMOUNT - 1 }, transaction.initial);
    expect(decision.ok || !isAmountChanged(decision.refusal) || decision.refusal.amount).toBe(
      AMOUNT,
    );
  });

  it('of exactly ₦5,000 may cost the fee or not', () => {
    const lines = [line('ada', 500_000)];
    given(transaction)
      .when({ ...place, lines, amount: 500_000 })
      .thenHappens({ type: 'OrderPlaced', data: { deliveryFee: 0 } });
    given(transaction)
      .when({ ...place, lines, amount: 580_000 })
      .thenHappens({ type: 'OrderPlaced', data: { deliveryFee: 80_000 } });
  });

  it('costs each of its pieces, and gives a seller the share of them all', () => {
    const lines = [{ ...line('ada', 230_000), quantity: 2 }, line('bisi', 115_000)];
    const another = { ...line('ada', 115_000), productId: 'hat-of-ada' };
    given(transaction)
      .when({ ...place, lines: [...lines, another], amount: 690_000 })
      .thenHappens({
        type: 'OrderPlaced',
        data: {
          deliveryFee: 0,
          shares: [
            { sellerId: 'ada', price: 575_000, share: 500_000 },
            { sellerId: 'bisi', price: 115_000, share: 100_000 },
          ],
        },
      });
  });

  const piecesOf = (quantity: number) => ({ ...line('ada', 1_000), quantity });
  const goodsOf = (many: number) =>
    Array.from({ length: many }, (_, i) => line(`seller-${i}`, 1_000));

  it.each([
    ['no goods', [], 'the cart is empty'],
    ['the same goods twice', [piecesOf(1), piecesOf(1)], 'the same product stands in it twice'],
    ['no piece', [piecesOf(0), line('bisi', 1_000)], 'a quantity is 1 to 99'],
    ['too many pieces', [line('bisi', 1_000), piecesOf(100)], 'a quantity is 1 to 99'],
    ['too many goods', goodsOf(51), 'at most 50 different goods an order'],
  ])('of %s is refused for that, whatever it costs', (_, lines, why) => {
    given(transaction)
      .when({ ...place, lines })
      .thenRefused({ kind: 'invalid', errors: { buyerItems: why } });
  });

  it.each([
    ['goods', goodsOf(50), 50_000 + 80_000],
    ['pieces', [piecesOf(99)], 99_000 + 80_000],
    ['money', [line('ada', 1_000_000_000)], 1_000_000_000],
  ])('of as much %s as there may be in one is placed', (_, lines, amount) => {
    given(transaction)
      .when({ ...place, lines, amount })
      .thenHappens('OrderPlaced');
  });

  it('above ₦10,000,000 is refused', () => {
    const lines = [line('ada', 1_000_000_100)];
    const decision = transaction.decide(
      { ...place, lines, amount: 1_000_000_100 },
      transaction.initial,
    );
    expect(decision.ok || isAmountChanged(decision.refusal)).toBe(false);
    given(transaction)
      .when({ ...place, lines, amount: 1_000_000_100 })
      .thenRefused({
        code: 'order_too_large',
        message: 'An order is at most ₦10,000,000: order some goods separately',
      });
  });

  it('that is not there is told so', () => {
    given(transaction).when(pay).thenRefused({ code: 'no_order', kind: 'not-found' });
  });

  it('is open from its payment until it is closed', () => {
    expect(isOrderOpen(transaction.initial)).toBe(false);
    expect(mayBeRestored(transaction.initial)).toBe(false);
    const [placed, paid, delivered] = [[place], [place, pay], [place, pay, confirm]].map(
      (commands) => given(transaction, ...commands).state,
    );
    expect([placed, paid, delivered].map((state) => state && isOrderOpen(state))).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe('an attempt to pay', () => {
  const begun = {
    type: 'RecordInitialized',
    reference: ORDER,
    accessCode: 'abc',
    authorizationUrl: 'https://pay.example/abc',
  } as const;

  it('is kept with its address, once', () => {
    given(transaction, place)
      .when(begun)
      .thenHappens({
        type: 'PaymentInitialized',
        data: { authorizationUrl: begun.authorizationUrl },
      });
    given(transaction, place, begun).when(begun).thenNothing();
  });

  it('is followed by others, which are kept too', () => {
    const second = { ...begun, reference: `${ORDER}-2`, accessCode: 'def' };
    given(transaction, place, begun)
      .when(second)
      .thenHappens({ type: 'PaymentInitialized', data: { accessCode: 'def' } });
    const { state } = given(transaction, place, begun, second);
    expect(state).toMatchObject({ attempts: [{ accessCode: 'abc' }, { accessCode: 'def' }] });
  });

  it('of another order is refused', () => {
    const reference = 'ffffffff-5d0a-4f0e-9a86-3d1c7e52b9f4';
    given(transaction, place)
      .when({ ...begun, reference })
      .thenRefused({ code: 'no_payment' });
  });
});

describe('an order that nobody paid', () => {
  it('expires 72 hours after it was placed, not before', () => {
    given(transaction, place)
      .when({ type: 'ExpireOrder', at: hour(71.99) })
      .thenRefused({
        kind: 'conflict',
        code: 'too_early',
        message: 'An order expires 72 hours after it was placed',
      });
    given(transaction, place)
      .when({ type: 'ExpireOrder', at: hour(72) })
      .thenHappens('OrderExpired');
  });

  it('expires once, and not when it was paid', () => {
    const expire = { type: 'ExpireOrder', at: hour(73) } as const;
    given(transaction, place, expire).when(expire).thenNothing();
    given(transaction, place, pay).when(expire).thenNothing();
  });
});

describe("a buyer's record", () => {
  const remove = { type: 'RemoveBuyerRecord', by: 'head', at: hour(40) } as const;

  it('is removed of a delivered order, once', () => {
    given(transaction, place, pay, confirm).when(remove).thenHappens('BuyerRecordRemoved');
    given(transaction, place, pay, confirm, remove).when(remove).thenNothing();
  });

  it('is kept of any other order', () => {
    given(transaction, place).when(remove).thenRefused({ code: 'not_delivered' });
    given(transaction, place, pay).when(remove).thenRefused({ code: 'not_delivered' });
  });

  it('is kept while the bank may give a payment back that it has taken: a share is held again then', () => {
    const disputed = { reference: ORDER, disputeId: '7', at: hour(290) };
    const taken = [
      place,
      pay,
      complain('ada'),
      settle('ada', 'release'),
      payOut('ada'),
      payoutDone(payoutId(0)),
      { type: 'RecordDispute', ...disputed },
      reverse,
    ] as const;
    const order = given(transaction, ...taken);
    expect(mayBeRestored(order.state)).toBe(true);
    order.when(remove).thenRefused({ code: 'bank_undecided' });

    const lost = given(transaction, ...taken, { type: 'CloseDispute', ...disputed });
    expect(mayBeRestored(lost.state)).toBe(false);
    lost.when(remove).thenHappens('BuyerRecordRemoved');
    const another = { ...disputed, reference: `${ORDER}-2` };
    const unrelated = given(
      transaction,
      ...taken.slice(0, -2),
      { type: 'RecordDispute', ...another },
      reverse,
    );
    expect(mayBeRestored(unrelated.state)).toBe(false);
    const paidOut = given(
      transaction,
      place,
      pay,
      confirm,
      payOut('ada'),
      payOut('bisi'),
      payoutDone(payoutId(0)),
      payoutDone(payoutId(1)),
      { type: 'RecordDispute', ...disputed },
      reverse,
    );
    expect(mayBeRestored(paidOut.state)).toBe(false);
  });

  it('is kept while a refund to its buyer is not made: it may need their bank account', () => {
    const refundId = refundIdOf(ORDER, 'ada');
    const half = [place, pay, complain('ada'), confirm, settle('ada', 'refund')] as const;
    const reason = 'The card is closed';
    const failed = { type: 'FailRefund', refundId, reason, at: hour(300) } as const;
    const made = { type: 'CompleteRefund', refundId, at: hour(301) } as const;
    given(transaction, ...half)
      .when(remove)
      .thenRefused({ code: 'refund_owed' });
    given(transaction, ...half, failed)
      .when(remove)
      .thenRefused({ code: 'refund_owed' });
    given(transaction, ...half, made)
      .when(remove)
      .thenHappens('BuyerRecordRemoved');
  });
});
