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

  it.each([
    ['no goods', []],
    ['the same goods twice', [line('ada', 1_000), line('ada', 1_000)]],
    ['too many pieces', [{ ...line('ada', 1_000), quantity: 100 }]],
    ['too many goods', Array.from({ length: 51 }, (_, i) => line(`seller-${i}`, 1_000))],
  ])('of %s is refused', (_, lines) => {
    given(transaction)
      .when({ ...place, lines })
      .thenRefused({ kind: 'invalid' });
  });

  it('above ₦10,000,000 is refused', () => {
    const lines = [line('ada', 1_000_000_100)];
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
      .thenRefused({ kind: 'conflict', code: 'too_early' });
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
});
