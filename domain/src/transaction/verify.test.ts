import { describe, expect, it } from 'vitest';
import { given } from '../../test/given.js';
import {
  AMOUNT,
  complain,
  confirm,
  hour,
  ORDER,
  PAYMENT,
  pay,
  payOut,
  payoutId,
  place,
  refundDone,
  refundFailed,
  reverse,
  settle,
} from '../../test/orders.js';
import {
  heldAsideReason,
  paysFor,
  refundIdOf,
  returnedGoods,
  type TransactionCommand,
  transaction,
} from './index.js';

const bothRefunded = [
  place,
  pay,
  complain('ada', 'bisi'),
  settle('ada', 'refund'),
  settle('bisi', 'refund'),
] as const;
const adaRefunded = [place, pay, complain('ada'), settle('ada', 'refund')] as const;

describe('a payment', () => {
  it('counts when amount, currency and reference are right', () => {
    given(transaction, place)
      .when(pay)
      .thenHappens({ type: 'PaymentVerified', data: { amount: AMOUNT, providerId: PAYMENT } });
  });

  it('counts once, whoever tells of it and however often', () => {
    given(transaction, place, pay).when(pay).thenNothing();
  });

  it('counts after it failed before, and after the order expired', () => {
    given(transaction, place, { ...pay, status: 'other' })
      .when(pay)
      .thenHappens('PaymentVerified');
    given(transaction, place, { type: 'ExpireOrder', at: hour(72) })
      .when({ ...pay, at: hour(80) })
      .thenHappens('PaymentVerified');
  });

  it('of another order is refused', () => {
    const reference = 'ffffffff-5d0a-4f0e-9a86-3d1c7e52b9f4';
    given(transaction, place)
      .when({ ...pay, reference })
      .thenRefused({ kind: 'not-found', code: 'no_payment' });
    given(transaction, place)
      .when({ ...pay, reference: `${ORDER}-x` })
      .thenRefused({ code: 'no_payment' });
  });

  it('of a later attempt counts like the first', () => {
    given(transaction, place)
      .when({ ...pay, reference: `${ORDER}-2` })
      .thenHappens('PaymentVerified');
  });

  it.each([
    ['too little', { amount: AMOUNT - 1 }, 'amount'],
    ['too much', { amount: AMOUNT + 1 }, 'amount'],
    ['less than was asked', { amount: AMOUNT - 1, requestedAmount: AMOUNT }, 'amount'],
    ['another amount asked', { requestedAmount: AMOUNT - 1 }, 'amount'],
    ['dollars', { currency: 'USD' }, 'currency'],
    ['dollars of an erased buyer', { currency: 'USD', isBuyerGone: true }, 'currency'],
  ])('of %s is held aside, to be refunded in full', (_, wrong, reason) => {
    given(transaction, place)
      .when({ ...pay, ...wrong })
      .thenHappens({ type: 'PaymentMismatched', data: { reason, refundId: `aside-${PAYMENT}` } });
  });

  it.each([
    ['an erased buyer', { isBuyerGone: true }, 'erased'],
    ['goods that are sold out', { isSoldOut: true }, 'sold-out'],
  ] as const)('of %s goes back for a reason that 0.1.0 can read', (_, known, why) => {
    given(transaction, place)
      .when({ ...pay, ...known })
      .thenHappens({ type: 'PaymentMismatched', data: { reason: 'amount', why } });
  });

  it('is known to be of goods that are sold out, whichever release wrote it', () => {
    expect(heldAsideReason({ reason: 'sold-out' })).toBe('sold-out');
    expect(heldAsideReason({ reason: 'amount', why: 'sold-out' })).toBe('sold-out');
    expect(heldAsideReason({ reason: 'amount' })).toBe('amount');
  });

  it('is compared by the amount that was asked, where the provider says it', () => {
    given(transaction, place)
      .when({ ...pay, requestedAmount: AMOUNT, amount: AMOUNT + 6_000 })
      .thenHappens('PaymentVerified');
    given(transaction, place)
      .when({ ...pay, requestedAmount: null })
      .thenHappens('PaymentVerified');
  });

  it('that comes as a second one is held aside, once', () => {
    const second = { ...pay, reference: `${ORDER}-2`, providerId: 'second' };
    given(transaction, place, pay)
      .when(second)
      .thenHappens({ type: 'PaymentMismatched', data: { reason: 'second-payment' } });
    given(transaction, place, pay, second).when(second).thenNothing();
    given(transaction, place, pay, second)
      .when({ ...second, providerId: 'third' })
      .thenHappens({ type: 'PaymentMismatched', data: { refundId: 'aside-third' } });
  });

  it('keeps its time in UTC, however the provider writes it', () => {
    given(transaction, place)
      .when({ ...pay, paidAt: '2026-03-01T10:00:00+01:00', at: hour(3) })
      .thenHappens({ type: 'PaymentVerified', data: { paidAt: hour(1) } });
    for (const paidAt of ['soon', null])
      given(transaction, place)
        .when({ ...pay, paidAt, at: hour(3) })
        .thenHappens({ type: 'PaymentVerified', data: { paidAt: hour(3) } });
  });
});

describe('goods', () => {
  const second = { ...pay, reference: `${ORDER}-2`, providerId: 'second' };
  const tooLittle = { ...second, amount: 1 };
  const of = (commands: readonly TransactionCommand[]) => {
    const { state } = given(transaction, ...commands);
    if (state.status === 'none') throw new Error('nothing was placed');
    return state;
  };

  it('are taken for a payment that pays the order, and for no other', () => {
    expect(paysFor(pay, of([place]))).toBe(true);
    expect(paysFor(second, of([place]))).toBe(true);
    expect(paysFor(pay, of([place, tooLittle]))).toBe(true);
    for (const [command, before] of [
      [{ ...pay, status: 'other' }, [place]],
      [reverse, [place]],
      [{ ...pay, reference: 'ffffffff-5d0a-4f0e-9a86-3d1c7e52b9f4' }, [place]],
      [{ ...pay, amount: AMOUNT - 1 }, [place]],
      [second, [place, tooLittle]],
      [second, [place, pay]],
      [pay, [place, pay]],
    ] as const)
      expect(paysFor(command, of(before))).toBe(false);
  });

  const [bag, other] = ['bag-of-ada', 'bag-of-bisi'] as const;
  const back = (providerId: string, ...productIds: readonly string[]) =>
    productIds.map((productId) => ({ productId, providerId }));

  it('return to stock where their seller is refunded, not where others are', () => {
    expect(returnedGoods(of([place, pay]))).toEqual([]);
    expect(returnedGoods(of([place, pay, confirm]))).toEqual([]);
    expect(returnedGoods(of([...adaRefunded]))).toEqual(back(PAYMENT, bag));
    expect(returnedGoods(of([...bothRefunded]))).toEqual(back(PAYMENT, bag, other));
  });

  it('return to stock where a payment is held aside, or was taken back before it was recorded', () => {
    expect(returnedGoods(of([place, tooLittle]))).toEqual(back('second', bag, other));
    expect(returnedGoods(of([place, pay, second]))).toEqual(back('second', bag, other));
    expect(returnedGoods(of([place]), PAYMENT)).toEqual(back(PAYMENT, bag, other));
    expect(returnedGoods(of([place, pay]), PAYMENT)).toEqual([]);
    expect(returnedGoods(of([place, pay]), 'third')).toEqual(back('third', bag, other));
  });
});

describe('a chargeback', () => {
  it('takes back what is not paid out, once', () => {
    given(transaction, place, pay, confirm).when(reverse).thenHappens('PaymentReversed');
    given(transaction, place, pay, confirm, reverse).when(reverse).thenNothing();
  });

  it('of a payment that never counted changes nothing', () => {
    given(transaction, place).when(reverse).thenNothing();
    given(transaction, place, pay)
      .when({ ...reverse, reference: `${ORDER}-2` })
      .thenNothing();
  });

  it('is seen after a part of the payment was refunded', () => {
    given(transaction, ...adaRefunded)
      .when(reverse)
      .thenHappens({ type: 'PaymentReversed', data: { amount: AMOUNT } });
    given(transaction, ...adaRefunded, refundDone(refundIdOf(ORDER, 'ada')))
      .when(reverse)
      .thenHappens({ type: 'PaymentReversed', data: { amount: AMOUNT - 230_000 } });
  });

  it('is none when the refunds cover the whole payment: they have arrived', () => {
    const [ada, bisi] = [refundIdOf(ORDER, 'ada'), refundIdOf(ORDER, 'bisi')];
    const arrived = (refundId: string) => {
      return { type: 'RefundCompleted', data: { refundId, reversed: true } } as const;
    };
    given(transaction, ...bothRefunded)
      .when(reverse)
      .thenHappens(arrived(ada), arrived(bisi));
    given(transaction, ...bothRefunded, refundDone(ada), refundFailed(bisi))
      .when(reverse)
      .thenHappens(arrived(bisi));
    given(transaction, ...bothRefunded, refundDone(ada), refundDone(bisi))
      .when(reverse)
      .thenNothing();
  });

  it('of a part is of no more than that part', () => {
    given(transaction, place, pay)
      .when({ ...reverse, amount: 100_000 })
      .thenHappens({ type: 'PaymentReversed', data: { amount: 100_000 } });
  });

  it('leaves nothing to refund, and records a refund that arrived all the same', () => {
    const refundId = refundIdOf(ORDER, 'ada');
    const { state } = given(transaction, ...adaRefunded, reverse);
    expect(state).toMatchObject({ refunds: [{ refundId, status: 'void' }] });
    given(transaction, ...adaRefunded, reverse)
      .when(refundFailed(refundId))
      .thenNothing();
    given(transaction, ...adaRefunded, reverse)
      .when(refundDone(refundId))
      .thenHappens('RefundCompleted');
  });

  it('leaves a payment that was held aside to be refunded', () => {
    const second = { ...pay, reference: `${ORDER}-2`, providerId: 'second' };
    given(transaction, place, pay, second)
      .when(reverse)
      .thenHappens({ type: 'PaymentReversed', data: { amount: AMOUNT } });
    const { state } = given(transaction, place, pay, second, reverse);
    expect(state).toMatchObject({ refunds: [{ refundId: 'aside-second', status: 'requested' }] });
  });

  it('ends no other refunds than its own: not those of what is held aside, nor the other way round', () => {
    const [second, third] = ['second', 'third'].map((providerId, i) => {
      return { ...pay, reference: `${ORDER}-${i + 2}`, providerId };
    }) as [typeof pay, typeof pay];
    const held = given(transaction, ...bothRefunded, second, third);
    const completed = (refundId: string) => {
      return { type: 'RefundCompleted', data: { refundId } } as const;
    };
    held
      .when(reverse)
      .thenHappens(completed(refundIdOf(ORDER, 'ada')), completed(refundIdOf(ORDER, 'bisi')));
    for (const aside of [second, third])
      held
        .when({ ...aside, status: 'reversed' })
        .thenHappens(completed(`aside-${aside.providerId}`));
  });

  it('of a payment that was held aside is its refund, once, whatever became of that before', () => {
    const second = { ...pay, reference: `${ORDER}-2`, providerId: 'second' };
    const taken = { ...reverse, reference: second.reference, providerId: 'second' };
    const refundId = 'aside-second';
    const held = [place, pay, second] as const;
    const tooLittle = { ...second, amount: 1 };
    for (const before of [held, [...held, refundFailed(refundId)], [place, tooLittle]])
      given(transaction, ...before)
        .when(taken)
        .thenHappens({ type: 'RefundCompleted', data: { refundId, reversed: true } });
    given(transaction, ...held, taken)
      .when(taken)
      .thenNothing();
    given(transaction, ...held, refundDone(refundId))
      .when(taken)
      .thenNothing();
    const { state } = given(transaction, ...held, taken);
    expect(state).toMatchObject({ reversed: false, shares: [{ status: 'held' }, {}] });
  });

  it('ends what could be done with the order', () => {
    const order = given(transaction, place, pay, reverse);
    order.when(confirm).thenRefused({ code: 'reversed' });
    order.when(complain('ada')).thenRefused({ code: 'reversed' });
    order.when({ type: 'ReportNotReceived', at: hour(310) }).thenRefused({ code: 'reversed' });
    order.when(settle('ada', 'refund')).thenRefused({ code: 'reversed' });
  });
});

describe('a payment that is given back after it was taken back', () => {
  const back = { ...pay, reversals: 1, at: hour(310) };

  it.each([
    ['held', [place, pay], { status: 'held' }],
    ['disputed', [place, pay, complain('ada')], { status: 'disputed' }],
    ['payable', [place, pay, confirm], { status: 'released' }],
    [
      'on its way',
      [place, pay, confirm, payOut('ada')],
      { status: 'payout-requested', payoutId: payoutId(0) },
    ],
  ] as const)('leaves a share %s that was so before', (_, before, share) => {
    const { state } = given(transaction, ...before, reverse, back);
    expect(state).toMatchObject({
      reversed: false,
      shares: [{ ...share, reversedFrom: null }, {}],
    });
  });

  it('comes back with as much as was taken', () => {
    given(transaction, ...adaRefunded, refundDone(refundIdOf(ORDER, 'ada')), reverse)
      .when(back)
      .thenHappens({ type: 'PaymentRestored', data: { amount: AMOUNT - 230_000 } });
  });

  it('owes again what was to be refunded', () => {
    const { state } = given(transaction, ...adaRefunded, reverse, back);
    expect(state).toMatchObject({
      refunds: [{ refundId: refundIdOf(ORDER, 'ada'), status: 'requested' }],
      shares: [{ status: 'refunded' }, { status: 'held' }],
    });
  });

  it('owes the whole refund again where the bank had been faster than it', () => {
    const [ada, bisi] = [refundIdOf(ORDER, 'ada'), refundIdOf(ORDER, 'bisi')];
    const undone = (refundId: string) => {
      return { type: 'RefundUndone', data: { refundId, providerId: PAYMENT } } as const;
    };
    const taken = given(transaction, ...bothRefunded, refundDone(ada), reverse);
    const { reversals } = taken.state.status === 'placed' ? taken.state : { reversals: 0 };
    taken.when({ ...back, reversals }).thenHappens(undone(bisi));
    taken.when(pay).thenNothing();

    const again = given(transaction, ...bothRefunded, refundDone(ada), reverse, {
      ...back,
      reversals,
    });
    expect(again.state).toMatchObject({
      refunds: [
        { refundId: ada, status: 'completed' },
        { refundId: bisi, status: 'requested' },
      ],
      shares: [{ status: 'refunded' }, { status: 'refunded' }],
    });
    again.when({ ...back, reversals }).thenNothing();
    again
      .when({ ...reverse, at: hour(320) })
      .thenHappens({ type: 'RefundCompleted', data: { refundId: bisi, reversed: true } });
  });

  it('owes the refund of what is held aside again, and nothing once that was given', () => {
    const second = { ...pay, reference: `${ORDER}-2`, providerId: 'second' };
    const taken = { ...reverse, reference: second.reference, providerId: 'second' };
    const refundId = 'aside-second';
    given(transaction, place, pay, second, taken)
      .when({ ...second, reversals: 1 })
      .thenHappens({ type: 'RefundUndone', data: { refundId, sellerId: null, amount: AMOUNT } });
    for (const before of [[], [refundDone(refundId)]])
      given(transaction, place, pay, second, ...before)
        .when({ ...second, reversals: 0 })
        .thenNothing();
    given(transaction, place, pay, second, taken)
      .when({ ...pay, reversals: 1 })
      .thenNothing();
  });

  it('owes nothing again that was never taken back', () => {
    given(transaction, ...bothRefunded)
      .when({ ...back, reversals: 0 })
      .thenNothing();
  });

  it('owes no refund again that has arrived, nor one of what is held aside', () => {
    const second = { ...pay, reference: `${ORDER}-2`, providerId: 'second' };
    const refundId = refundIdOf(ORDER, 'ada');
    const { state } = given(
      transaction,
      ...adaRefunded,
      second,
      refundDone(refundId),
      refundDone('aside-second'),
      reverse,
      back,
    );
    const arrived = { status: 'completed' };
    expect(state).toMatchObject({ reversed: false, refunds: [arrived, arrived] });
  });

  it('is not meant by news of another one, which is held aside', () => {
    const second = { ...pay, reference: `${ORDER}-2`, providerId: 'second' };
    given(transaction, place, pay, second, reverse)
      .when({ ...second, reversals: 1 })
      .thenNothing();
  });

  it('counts only if the provider was asked after it was taken back', () => {
    given(transaction, place, pay, reverse)
      .when({ ...back, reversals: 0 })
      .thenNothing();
  });
});

describe("a dispute at the cardholder's bank", () => {
  const begun = { type: 'RecordDispute', reference: ORDER, disputeId: '7', at: hour(200) } as const;
  const closed = { ...begun, type: 'CloseDispute', at: hour(250) } as const;

  it('is recorded once, beside others, until it is closed', () => {
    given(transaction, place, pay)
      .when(begun)
      .thenHappens({ type: 'PaymentDisputed', data: { reference: ORDER, disputeId: '7' } });
    given(transaction, place, pay, begun).when(begun).thenNothing();
    given(transaction, place, pay, begun)
      .when({ ...begun, disputeId: '8' })
      .thenHappens({ type: 'PaymentDisputed', data: { disputeId: '8' } });
    const two = given(transaction, place, pay, begun, { ...begun, disputeId: '8' });
    two.when(begun).thenNothing();
    two.when(closed).thenHappens({ type: 'PaymentDisputeClosed', data: { disputeId: '7' } });
  });

  it('is closed once, and opened again by no late notice', () => {
    const ended = given(transaction, place, pay, begun, closed);
    expect(ended.state).toMatchObject({ openDisputes: [] });
    ended.when(closed).thenNothing();
    ended.when(begun).thenNothing();
    ended.when({ ...begun, disputeId: '8' }).thenHappens('PaymentDisputed');
    const one = given(transaction, place, pay, begun, { ...begun, disputeId: '8' }, closed);
    expect(one.state).toMatchObject({ openDisputes: [{ disputeId: '8' }] });
    const both = [begun, { ...begun, disputeId: '8' }, closed, { ...closed, disputeId: '8' }];
    given(transaction, place, pay, ...both)
      .when(begun)
      .thenNothing();
  });

  it('of another order is refused', () => {
    const reference = 'ffffffff-5d0a-4f0e-9a86-3d1c7e52b9f4';
    for (const command of [begun, closed])
      given(transaction, place, pay)
        .when({ ...command, reference })
        .thenRefused({ code: 'no_payment' });
  });
});
