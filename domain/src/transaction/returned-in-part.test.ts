import { describe, expect, it } from 'vitest';
import { given } from '../../test/given.js';
import {
  AMOUNT,
  complain,
  hour,
  ORDER,
  PAYMENT,
  pay,
  place,
  refundDone,
  refundFailed,
  reverse,
  settle,
} from '../../test/orders.js';
import { isPartOfPayment, type PlacedOrder, refundIdOf, transaction } from './index.js';

const BAG = 230_000;
const begun = { type: 'RecordDispute', reference: ORDER, disputeId: '7', at: hour(200) } as const;
const closed = { ...begun, type: 'CloseDispute', at: hour(250) } as const;
/** The dispute ends, and the cardholder gets this much of the payment back, in kobo. */
const lost = (returned: number) => ({ ...closed, returned });
const ofAda = refundIdOf(ORDER, 'ada');
/** Before Ada's refund is sent. */
const count = { type: 'CountReturned', refundId: ofAda, at: hour(260) } as const;

describe('a dispute that gives back a part of the payment', () => {
  it('is closed, and the part is recorded once', () => {
    const order = given(transaction, place, pay, begun);
    order
      .when(lost(BAG))
      .thenHappens(
        { type: 'PaymentReturnedInPart', data: { disputeId: '7', amount: BAG } },
        'PaymentDisputeClosed',
      );
    given(transaction, place, pay, begun, lost(BAG)).when(lost(BAG)).thenNothing();
  });

  it('gives back nothing in part that is all of what is left, or is of another payment', () => {
    for (const amount of [0, AMOUNT, AMOUNT + 1])
      given(transaction, place, pay, begun).when(lost(amount)).thenHappens('PaymentDisputeClosed');
    given(transaction, place, pay)
      .when({ ...lost(BAG), reference: `${ORDER}-2` })
      .thenHappens('PaymentDisputeClosed');
    given(transaction, place, pay, reverse).when(lost(BAG)).thenHappens('PaymentDisputeClosed');
    const { state } = given(transaction, place, pay, begun, lost(BAG));
    const is = (amount: number) => isPartOfPayment(state as PlacedOrder, ORDER, amount);
    expect([is(1), is(AMOUNT - BAG - 1), is(AMOUNT - BAG)]).toEqual([true, true, false]);
  });

  it('has made a refund that is no larger, before it is sent: once', () => {
    const complained = [place, pay, complain('ada', 'bisi'), begun, lost(BAG)] as const;
    given(transaction, ...complained)
      .when(settle('ada', 'refund'))
      .thenHappens('DisputeResolved', { type: 'RefundRequested', data: { amount: BAG } });
    const refunded = given(transaction, ...complained, settle('ada', 'refund'));
    refunded
      .when(count)
      .thenHappens({ type: 'RefundCompleted', data: { amount: BAG, returned: true } });
    given(transaction, ...complained, settle('ada', 'refund'), refundFailed(ofAda))
      .when(count)
      .thenHappens('RefundCompleted');
    given(transaction, ...complained, settle('ada', 'refund'), count)
      .when(count)
      .thenNothing();
    given(transaction, ...complained, settle('ada', 'refund'), count)
      .when(settle('bisi', 'refund'))
      .thenHappens('DisputeResolved', { type: 'RefundRequested', data: { amount: AMOUNT - BAG } });
  });

  it('makes a refund smaller that is larger, and counts for no void one', () => {
    const refunded = [place, pay, complain('ada'), settle('ada', 'refund'), begun] as const;
    const reduced = { refundId: ofAda, providerId: PAYMENT, amount: 1, returned: BAG - 1 };
    given(transaction, ...refunded, lost(BAG - 1))
      .when(count)
      .thenHappens({ type: 'RefundReduced', data: reduced });
    given(transaction, ...refunded, lost(BAG - 1), count)
      .when(refundDone(ofAda))
      .thenHappens({ type: 'RefundCompleted', data: { amount: 1 } });
    given(transaction, ...refunded, lost(BAG - 1), count)
      .when(count)
      .thenNothing();
    given(transaction, ...refunded, lost(BAG), reverse)
      .when(count)
      .thenNothing();
  });

  it('is not taken again by a chargeback of the rest', () => {
    const complained = [place, pay, complain('ada', 'bisi'), begun] as const;
    const taken = (amount: number) => ({ type: 'PaymentReversed', data: { amount } }) as const;
    given(transaction, ...complained, lost(BAG))
      .when(reverse)
      .thenHappens(taken(AMOUNT - BAG));
    given(transaction, ...complained, lost(BAG), settle('ada', 'refund'), count)
      .when(reverse)
      .thenHappens(taken(AMOUNT - BAG));
    const less = [...complained, lost(1_000), settle('ada', 'refund')] as const;
    given(transaction, ...less, refundDone(ofAda))
      .when(reverse)
      .thenHappens(taken(AMOUNT - BAG - 1_000));
    given(transaction, ...less, count, refundDone(ofAda))
      .when(reverse)
      .thenHappens(taken(AMOUNT - BAG));
  });

  it('counts first when all of the payment was to be given back anyway', () => {
    const both = [settle('ada', 'refund'), settle('bisi', 'refund')] as const;
    given(transaction, place, pay, complain('ada', 'bisi'), begun, lost(1_000), ...both)
      .when(reverse)
      .thenHappens(
        { type: 'RefundReduced', data: { refundId: ofAda, amount: BAG - 1_000 } },
        { type: 'RefundCompleted', data: { amount: BAG - 1_000, reversed: true } },
        { type: 'RefundCompleted', data: { amount: AMOUNT - BAG, reversed: true } },
      );
    given(transaction, place, pay, complain('ada', 'bisi'), begun, lost(BAG), ...both)
      .when(reverse)
      .thenHappens(
        { type: 'RefundCompleted', data: { refundId: ofAda, returned: true } },
        { type: 'RefundCompleted', data: { amount: AMOUNT - BAG, reversed: true } },
      );
  });
});
