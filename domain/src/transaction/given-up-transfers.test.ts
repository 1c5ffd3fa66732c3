import { describe, expect, it } from 'vitest';
import { given } from '../../test/given.js';
import {
  confirm,
  hour,
  ORDER,
  pay,
  payOut,
  payoutCleared,
  payoutDone,
  payoutFailed,
  payoutId,
  place,
  reverse,
} from '../../test/orders.js';
import { type TransactionEvent, transaction } from './index.js';

const released = [place, pay, confirm] as const;
const ada = payoutId(0);

describe('a transfer that was given up', () => {
  const at = hour(90);
  const settled = { type: 'SettlePayout', sellerId: 'ada', reason: 'paid in cash', at } as const;
  const late = { type: 'RecordLatePayout', payoutId: ada, at } as const;
  const ended = { type: 'FailPayout', payoutId: ada, reason: 'stuck', givenUp: true, at } as const;

  it('and arrives after its share was paid by hand is recorded as one too many, once', () => {
    const twice = given(transaction, ...released, payOut('ada'), settled);
    twice.when(late).thenHappens({
      type: 'PayoutDoubled',
      data: { sellerId: 'ada', payoutId: ada, amount: 200_000 },
    });
    given(transaction, ...released, payOut('ada'), settled, late)
      .when(late)
      .thenNothing();
  });

  it('and was one too many may come back, once, and nothing is owed for it', () => {
    const twice = [...released, payOut('ada'), settled, late] as const;
    const returned = payoutFailed(ada);
    given(transaction, ...twice)
      .when(returned)
      .thenHappens({
        type: 'DoubledPayoutReturned',
        data: { sellerId: 'ada', payoutId: ada, amount: 200_000 },
      });
    const back = given(transaction, ...twice, returned);
    expect(back.state).toMatchObject({ shares: [{ status: 'paid-out', doubled: [] }, {}] });
    back.when(returned).thenNothing();
    back.when(late).thenNothing();
  });

  it('and was one too many is cleared once it has been seen to stay', () => {
    const twice = [...released, payOut('ada'), settled, late] as const;
    given(transaction, ...twice)
      .when(payoutCleared(ada))
      .thenHappens({ type: 'PayoutCleared', data: { payoutId: ada, givenUp: true } });
    const stayed = given(transaction, ...twice, payoutCleared(ada));
    stayed.when(payoutCleared(ada)).thenNothing();
    stayed.when(payoutFailed(ada)).thenHappens('DoubledPayoutReturned');
  });

  const givenUp = [...released, payOut('ada'), ended] as const;

  it('pays the share where nothing else has, as if it had never been given up', () => {
    given(transaction, ...givenUp)
      .when(late)
      .thenHappens({ type: 'PayoutCompleted', data: { payoutId: ada, amount: 200_000 } });
    given(transaction, ...givenUp, late)
      .when(late)
      .thenNothing();
    given(transaction, ...givenUp, late)
      .when(payOut('ada'))
      .thenRefused({ code: 'not_payable' });
  });

  it('pays the share in place of what was requested since: only a transfer may still arrive', () => {
    const next = payoutId(0, 1);
    const instead = given(transaction, ...givenUp, payOut('ada'));
    instead
      .when(late)
      .thenHappens(
        { type: 'PayoutFailed', data: { payoutId: next, reversed: false, givenUp: true } },
        { type: 'PayoutCompleted', data: { payoutId: ada } },
      );
    const { state } = given(transaction, ...givenUp, payOut('ada', 'manual'), late);
    expect(state).toMatchObject({ shares: [{ status: 'paid-out', givenUp: [ada] }, {}] });
    given(transaction, ...givenUp, payOut('ada'), late)
      .when({ ...late, payoutId: next })
      .thenHappens({ type: 'PayoutDoubled', data: { payoutId: next } });
  });

  it('is read as before where earlier events say that a payout by hand stands for it', () => {
    const next = payoutId(0, 1);
    const { state: before } = given(transaction, ...givenUp);
    const of = { transactionId: ORDER, sellerId: 'ada', at };
    const manual = { ...of, payoutId: next, amount: 200_000 };
    const events: readonly TransactionEvent[] = [
      { type: 'PayoutRequested', data: { ...manual, method: 'manual' } },
      { type: 'PayoutCompleted', data: { ...manual, reason: `transfer ${ada} has arrived` } },
      { type: 'PayoutCleared', data: { ...of, payoutId: ada, givenUp: true } },
    ];
    const state = events.reduce(transaction.evolve, before);
    expect(state).toMatchObject({
      shares: [
        { status: 'paid-out', payoutId: next, payoutMethod: 'manual', reportedLate: [ada] },
        {},
      ],
    });
    expect(transaction.decide(late, state)).toEqual({ ok: true, events: [] });
  });

  it('may come back after it has arrived, and the share is payable again', () => {
    given(transaction, ...givenUp, late)
      .when(payoutFailed(ada))
      .thenHappens({ type: 'PayoutFailed', data: { payoutId: ada, reversed: true } });
    const back = [...givenUp, late, payoutFailed(ada)] as const;
    given(transaction, ...back)
      .when(payOut('ada'))
      .thenHappens({ type: 'PayoutRequested', data: { payoutId: payoutId(0, 1) } });
    for (const again of [late, payoutFailed(ada), payoutCleared(ada)])
      given(transaction, ...back)
        .when(again)
        .thenNothing();
  });

  it('is cleared like any other once it has been seen to stay', () => {
    given(transaction, ...givenUp, late)
      .when(payoutCleared(ada))
      .thenHappens({ type: 'PayoutCleared', data: { payoutId: ada } });
    given(transaction, ...givenUp, late, payoutCleared(ada))
      .when(payoutCleared(ada))
      .thenNothing();
  });

  const other = payoutId(0, 1);
  const endedToo = { ...ended, payoutId: other } as const;

  it('is known though another one is given up after it, whether they arrive or not', () => {
    const both = [...givenUp, payOut('ada'), endedToo] as const;
    const clear = { type: 'ClearPayout', payoutId: ada, at } as const;
    given(transaction, ...both)
      .when(clear)
      .thenHappens({ type: 'PayoutCleared', data: { payoutId: ada, givenUp: true } });
    const lateToo = { ...late, payoutId: other };
    const arrived = [...both, payOut('ada', 'manual'), payoutDone(payoutId(0, 2)), late, lateToo];
    const order = given(transaction, ...arrived);
    expect(order.state).toMatchObject({ shares: [{ doubled: [ada, other] }, {}] });
    for (const again of [late, lateToo]) order.when(again).thenNothing();
    order.when(payoutFailed(other)).thenHappens('DoubledPayoutReturned');
    given(transaction, ...arrived, payoutFailed(other))
      .when(payoutFailed(ada))
      .thenHappens('DoubledPayoutReturned');
    const clearedBoth = [...arrived, payoutCleared(ada), payoutCleared(other)];
    for (const again of [payoutCleared(ada), payoutCleared(other)])
      given(transaction, ...clearedBoth)
        .when(again)
        .thenNothing();
    const back = given(transaction, ...arrived, payoutFailed(payoutId(0, 2)));
    expect(back.state).toMatchObject({
      shares: [
        { status: 'paid-out', payoutId: ada, payoutMethod: 'transfer', doubled: [other] },
        {},
      ],
    });
  });

  it('and pays the share after it had stayed as one too many is watched anew, and it alone', () => {
    const twice = [...givenUp, payOut('ada'), payoutDone(other), late] as const;
    const paying = [
      ...twice,
      payoutCleared(ada),
      payoutCleared(other),
      payoutFailed(other),
    ] as const;
    given(transaction, ...paying)
      .when(payoutCleared(ada))
      .thenHappens({ type: 'PayoutCleared', data: { payoutId: ada } });
    const { state } = given(transaction, ...paying);
    expect(state).toMatchObject({ shares: [{ payoutId: ada, clearedPayouts: [other] }, {}] });
  });

  it('and was one too many pays the share after all, if the other one comes back', () => {
    const twice = [...givenUp, payOut('ada'), payoutDone(other), late] as const;
    given(transaction, ...twice)
      .when(payoutFailed(other))
      .thenHappens(
        { type: 'PayoutFailed', data: { payoutId: other, reversed: true } },
        { type: 'PayoutCompleted', data: { payoutId: ada } },
      );
  });

  describe('and arrives while the payment is taken back', () => {
    const won = { ...pay, reversals: 1, at: hour(310) };

    it('pays the share once the payment is given back', () => {
      given(transaction, ...givenUp, reverse)
        .when(late)
        .thenHappens('PayoutDoubled');
      given(transaction, ...givenUp, reverse, late)
        .when(won)
        .thenHappens('PaymentRestored', { type: 'PayoutCompleted', data: { payoutId: ada } });
      const restored = given(transaction, ...givenUp, reverse, late, won);
      expect(restored.state).toMatchObject({
        shares: [{ status: 'paid-out', payoutId: ada }, { status: 'released' }],
      });
      restored.when(payOut('ada')).thenRefused({ code: 'not_payable' });
      restored.when(late).thenNothing();
      restored
        .when(payoutFailed(ada))
        .thenHappens({ type: 'PayoutFailed', data: { reversed: true } });
    });

    it('leaves what was on its way as one that was given up', () => {
      given(transaction, ...givenUp, payOut('ada'), reverse, late)
        .when(won)
        .thenHappens(
          'PaymentRestored',
          { type: 'PayoutFailed', data: { payoutId: payoutId(0, 1), givenUp: true } },
          { type: 'PayoutCompleted', data: { payoutId: ada } },
        );
    });

    it('stays one too many where another has paid the share', () => {
      const { state } = given(transaction, ...released, payOut('ada'), settled, late, reverse, won);
      expect(state).toMatchObject({
        shares: [{ status: 'paid-out', payoutId: payoutId(0, 1) }, {}],
      });
    });
  });

  it('and never arrives is cleared, which says nothing of the payout that followed', () => {
    const clear = { type: 'ClearPayout', payoutId: ada, at } as const;
    const cleared = given(transaction, ...released, payOut('ada'), settled);
    cleared.when(clear).thenHappens({ type: 'PayoutCleared', data: { givenUp: true } });
    given(transaction, ...released, payOut('ada'), settled, clear)
      .when(late)
      .thenNothing();
  });

  it('is none that the order never had', () => {
    for (const other of ['', `${ada}_0`, payoutId(7), payoutId(0, 1), 'other_0_0'])
      given(transaction, ...released, payOut('ada'), settled)
        .when({ ...late, payoutId: other })
        .thenNothing();
  });
});
