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
import { heldAsideReason, refundIdOf, transaction } from './index.js';

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
  });

  it('keeps its time in UTC, however the provider writes it', () => {
    given(transaction, place)
      .when({ ...pay, paidAt: '2026-03-01T10:00:00+01:00' })
      .thenHappens({ type: 'PaymentVerified', data: { paidAt: hour(1) } });
    given(transaction, place)
      .when({ ...pay, paidAt: 'soon' })
      .thenHappens({ type: 'PaymentVerified', data: { paidAt: pay.at } });
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
    const { state } = given(transaction, place, pay, second, reverse);
    expect(state).toMatchObject({ refunds: [{ refundId: 'aside-second', status: 'requested' }] });
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
    given(transaction, place, pay, second, refundDone(refundId)).when(second).thenNothing();
    given(transaction, place, pay, second, taken)
      .when({ ...pay, reversals: 1 })
      .thenNothing();
  });

  it('counts only if the provider was asked after it was taken back', () => {
    given(transaction, place, pay, reverse)
      .when({ ...back, reversals: 0 })
      .thenNothing();
  });
});
