import { describe, expect, it } from 'vitest';
import { given } from '../../test/given.js';
import {
  complain,
  confirm,
  hour,
  line,
  ORDER,
  pay,
  payOut,
  place,
  refundDone,
  refundFailed,
  reverse,
  secret,
  settle,
} from '../../test/orders.js';
import {
  isOrderOpen,
  receivedStatus,
  refundIdOf,
  type TransactionCommand,
  transaction,
} from './index.js';

function receivedAfter(...commands: readonly TransactionCommand[]) {
  const { state } = given(transaction, ...commands);
  return state.status === 'none' ? null : receivedStatus(state.shares);
}

describe('delivery', () => {
  it('confirmed releases what each seller typed', () => {
    given(transaction, place, pay)
      .when(confirm)
      .thenHappens(
        'DeliveryConfirmed',
        { type: 'SellerShareReleased', data: { sellerId: 'ada', amount: 200_000 } },
        { type: 'SellerShareReleased', data: { sellerId: 'bisi', amount: 100_000 } },
      );
  });

  it('is confirmed once, and only of a paid order', () => {
    given(transaction, place, pay, confirm).when(confirm).thenNothing();
    given(transaction, place).when(confirm).thenRefused({ code: 'not_paid' });
  });

  it('is confirmed while money is held for it, and no longer', () => {
    const late = { at: hour(24 * 40), note: secret('why') };
    const refunded = ['ada', 'bisi'].map((id) => ({ ...settle(id, 'refund'), ...late }));
    given(transaction, place, pay, ...refunded)
      .when(confirm)
      .thenRefused({ code: 'settled', message: expect.stringContaining('no longer held') });
    given(transaction, place, pay, complain('ada', 'bisi'))
      .when(confirm)
      .thenRefused({ code: 'settled', message: expect.stringContaining('still hold the money') });
    const [ofAda] = refunded;
    if (ofAda === undefined) throw new Error('nothing was refunded');
    given(transaction, place, pay, ofAda, complain('bisi'))
      .when(confirm)
      .thenRefused({ code: 'settled', message: expect.stringContaining('still hold the money') });
    given(transaction, place, pay, ofAda)
      .when(confirm)
      .thenHappens('DeliveryConfirmed', {
        type: 'SellerShareReleased',
        data: { sellerId: 'bisi' },
      });
  });

  it('confirmed leaves to its settlement what is disputed', () => {
    given(transaction, place, pay, complain('ada'))
      .when(confirm)
      .thenHappens('DeliveryConfirmed', {
        type: 'SellerShareReleased',
        data: { sellerId: 'bisi' },
      });
  });

  it('not yet come is noted until it is confirmed', () => {
    const notYet = { type: 'ReportNotReceived', at: hour(20) } as const;
    given(transaction, place, pay).when(notYet).thenHappens('DeliveryNotYet');
    given(transaction, place, pay, confirm).when(notYet).thenRefused({ code: 'confirmed' });
  });

  it('not yet come is nothing to tell once all of the money has gone its way', () => {
    const notYet = { type: 'ReportNotReceived', at: hour(900) } as const;
    const one = [place, pay, complain('ada'), settle('ada', 'refund')];
    given(transaction, ...one)
      .when(notYet)
      .thenHappens('DeliveryNotYet');
    given(transaction, ...one, complain('bisi'))
      .when(notYet)
      .thenHappens('DeliveryNotYet');
    given(transaction, ...one, complain('bisi'), settle('bisi', 'release'))
      .when(notYet)
      .thenRefused({ code: 'settled' });
  });

  it('not yet come is noted once a day, however often it is said', () => {
    const notYet = (hours: number) => ({ type: 'ReportNotReceived', at: hour(hours) }) as const;
    given(transaction, place, pay, notYet(20)).when(notYet(43)).thenNothing();
    given(transaction, place, pay, notYet(20)).when(notYet(44)).thenHappens('DeliveryNotYet');
  });
});

describe('a problem', () => {
  it('can be reported from 48 hours after payment', () => {
    const early = { ...complain('ada'), at: hour(48) };
    given(transaction, place, pay).when(early).thenRefused({
      code: 'too_early',
      message: 'A problem can be reported from 48 hours after payment',
    });
    given(transaction, place, pay)
      .when({ ...early, at: hour(49) })
      .thenHappens('DeliveryDisputed');
  });

  it('is about sellers of the order, whose money is held', () => {
    const paid = given(transaction, place, pay);
    paid.when(complain()).thenRefused({ kind: 'invalid' });
    paid.when(complain('eve')).thenRefused({ kind: 'invalid' });
    paid.when(complain('ada', 'eve')).thenRefused({ kind: 'invalid' });
    given(transaction, place, pay, confirm).when(complain('ada')).thenRefused({ code: 'settled' });
    given(transaction, place, pay, complain('ada'))
      .when(complain('ada'))
      .thenRefused({ code: 'already_reported' });
    given(transaction, place, pay, complain('ada'), confirm)
      .when(complain('ada', 'bisi'))
      .thenRefused({ code: 'settled' });
    given(transaction, place, pay, complain('ada'))
      .when(complain('ada', 'bisi'))
      .thenHappens({ type: 'DeliveryDisputed', data: { sellerIds: ['bisi'] } });
  });

  it('is not settled by the seller whose goods they are, head admin or not', () => {
    for (const outcome of ['release', 'refund'] as const)
      given(transaction, place, pay, complain('ada'))
        .when({ ...settle('ada', outcome), by: 'ada' })
        .thenRefused({ kind: 'forbidden', code: 'own_goods' });
    given(transaction, place, pay, complain('ada'))
      .when({ ...settle('ada', 'release'), by: 'operator' })
      .thenHappens('DisputeResolved', 'SellerShareReleased');
  });

  it('settled for the seller releases the share', () => {
    given(transaction, place, pay, complain('ada'))
      .when(settle('ada', 'release'))
      .thenHappens('DisputeResolved', { type: 'SellerShareReleased', data: { sellerId: 'ada' } });
  });

  it('settled for the buyer refunds the goods, and the fee with the last seller', () => {
    const both = [place, pay, complain('ada', 'bisi')] as const;
    given(transaction, ...both)
      .when(settle('ada', 'refund'))
      .thenHappens('DisputeResolved', { type: 'RefundRequested', data: { amount: 230_000 } });
    given(transaction, ...both, settle('ada', 'refund'))
      .when(settle('bisi', 'refund'))
      .thenHappens('DisputeResolved', {
        type: 'RefundRequested',
        data: { amount: 115_000 + 80_000, deliveryFee: 80_000 },
      });
    given(transaction, ...both, settle('ada', 'release'))
      .when(settle('bisi', 'refund'))
      .thenHappens('DisputeResolved', { type: 'RefundRequested', data: { deliveryFee: 0 } });
  });

  it('settled for the buyer refunds the fee with no seller before the last of three', () => {
    const lines = ['ada', 'bisi', 'cem'].map((seller) => line(seller, 115_000));
    const amount = 3 * 115_000 + 80_000;
    const all = [{ ...place, lines, amount }, { ...pay, amount }, complain('ada', 'bisi', 'cem')];
    const one = given(transaction, ...all, settle('ada', 'refund'));
    const refund = (deliveryFee: number) => {
      return { type: 'RefundRequested', data: { deliveryFee } } as const;
    };
    one.when(settle('bisi', 'refund')).thenHappens('DisputeResolved', refund(0));
    given(transaction, ...all, settle('ada', 'refund'), settle('bisi', 'refund'))
      .when(settle('cem', 'refund'))
      .thenHappens('DisputeResolved', refund(80_000));
  });

  it('is not needed where nobody has answered for long: but a reason is, which stays', () => {
    const late = { ...settle('ada', 'refund'), at: hour(1 + 14 * 24) };
    given(transaction, place, pay).when(late).thenRefused({ code: 'invalid_field' });
    given(transaction, place, pay)
      .when({ ...late, note: secret('no answer, and never sent') })
      .thenHappens(
        {
          type: 'DisputeResolved',
          data: { unconfirmed: true, note: secret('no answer, and never sent') },
        },
        'RefundRequested',
      );
  });

  it('needs no reason either where the buyer is gone, nor says that none was confirmed where one complained', () => {
    const late = { ...settle('ada', 'refund'), at: hour(1 + 14 * 24) };
    given(transaction, place, pay)
      .when({ ...late, isBuyerGone: true })
      .thenHappens({ type: 'DisputeResolved', data: { unconfirmed: true } }, 'RefundRequested');
    const complained = given(transaction, place, pay, complain('ada'));
    const decision = transaction.decide(late, complained.state);
    expect(decision).toMatchObject({ ok: true, events: [{ type: 'DisputeResolved' }, {}] });
    expect(JSON.stringify(decision)).not.toContain('unconfirmed');
  });

  it('is settled once, however long nobody has confirmed the rest', () => {
    const late = { ...settle('ada', 'refund'), note: secret('why'), at: hour(24 * 40) };
    for (const outcome of ['release', 'refund'] as const)
      given(transaction, place, pay, complain('ada'), settle('ada', outcome))
        .when(late)
        .thenRefused({ code: 'no_dispute' });
  });

  it('is settled of a paid order, about a seller of it', () => {
    given(transaction, place).when(settle('ada', 'refund')).thenRefused({ code: 'not_paid' });
    given(transaction, place, pay, complain('ada'))
      .when(settle('eve', 'refund'))
      .thenRefused({ kind: 'invalid', code: 'invalid_field' });
  });

  it('is settled once, and only where there is one', () => {
    given(transaction, place, pay)
      .when(settle('ada', 'refund'))
      .thenRefused({ code: 'no_dispute' });
    given(transaction, place, pay, complain('ada'), settle('ada', 'refund'))
      .when(settle('ada', 'release'))
      .thenRefused({ code: 'no_dispute' });
  });
});

describe('a refund', () => {
  const refundId = refundIdOf(ORDER, 'ada');
  const refunded = [place, pay, complain('ada'), settle('ada', 'refund')] as const;

  it('is completed once', () => {
    given(transaction, ...refunded)
      .when(refundDone(refundId))
      .thenHappens('RefundCompleted');
    given(transaction, ...refunded, refundDone(refundId))
      .when(refundDone(refundId))
      .thenNothing();
    given(transaction, ...refunded)
      .when(refundDone('other'))
      .thenRefused({ code: 'no_refund' });
  });

  it('that failed can still be completed', () => {
    given(transaction, ...refunded)
      .when(refundFailed(refundId))
      .thenHappens('RefundFailed');
    given(transaction, ...refunded, refundFailed(refundId))
      .when(refundFailed(refundId))
      .thenNothing();
    given(transaction, ...refunded, refundFailed(refundId))
      .when(refundDone(refundId))
      .thenHappens('RefundCompleted');
  });
});

describe('where a delivery stands', () => {
  it.each<[string, readonly TransactionCommand[]]>([
    ['PENDING', [place]],
    ['PENDING', [place, pay]],
    ['DELIVERED', [place, pay, confirm]],
    ['DISPUTED', [place, pay, complain('ada')]],
    ['DISPUTED', [place, pay, complain('ada'), confirm]],
    ['DELIVERED', [place, pay, complain('ada'), confirm, settle('ada', 'refund')]],
    ['DELIVERED', [place, pay, complain('ada'), confirm, settle('ada', 'refund'), payOut('bisi')]],
    ['REFUNDED', [place, pay, reverse]],
  ])('is %s (%#)', (expected, commands) => expect(receivedAfter(...commands)).toBe(expected));

  it('is REFUNDED when every seller is', () => {
    const both = [place, pay, complain('ada', 'bisi')] as const;
    expect(receivedAfter(...both, settle('ada', 'refund'), settle('bisi', 'refund'))).toBe(
      'REFUNDED',
    );
  });

  it('stays PENDING with one share released and another held: the buyer has yet to confirm it', () => {
    const oneReleased = [place, pay, complain('ada'), settle('ada', 'release')] as const;
    expect(receivedAfter(...oneReleased)).toBe('PENDING');
    const order = given(transaction, ...oneReleased);
    expect(isOrderOpen(order.state)).toBe(true);
    order.when({ type: 'RemoveBuyerRecord', by: 'h', at: hour(70) }).thenRefused({
      code: 'not_delivered',
    });
    order.when(confirm).thenHappens('DeliveryConfirmed', 'SellerShareReleased');
  });
});

describe('a receipt that is asked for again', () => {
  const ask = (requestId: string, hours: number) =>
    ({ type: 'RequestReceipt', requestId, at: hour(hours) }) as const;

  it('is sent three times a day, and again the next day', () => {
    const thrice = [place, pay, ask('a', 40), ask('b', 41), ask('c', 42)] as const;
    given(transaction, place, pay)
      .when(ask('a', 40))
      .thenHappens({ type: 'ReceiptRequested', data: { transactionId: ORDER, requestId: 'a' } });
    given(transaction, ...thrice)
      .when(ask('d', 63))
      .thenRefused({ code: 'receipts_a_day' });
    given(transaction, ...thrice)
      .when(ask('d', 64))
      .thenHappens('ReceiptRequested');
  });

  it('is one letter, however often the same press arrives', () => {
    given(transaction, place, pay, ask('a', 40)).when(ask('a', 41)).thenNothing();
  });

  it('is there once the order is paid', () => {
    given(transaction, place).when(ask('a', 1)).thenRefused({ code: 'not_paid' });
  });
});
