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
  secret,
} from '../../test/orders.js';
import { shareIndexOf, type TransactionCommand, transaction, wasNeverSent } from './index.js';

const released = [place, pay, confirm] as const;
const ada = payoutId(0);

describe('a payout', () => {
  it('is asked for once a share is released, with an id of its own', () => {
    given(transaction, ...released)
      .when(payOut('ada'))
      .thenHappens({ type: 'PayoutRequested', data: { payoutId: ada, amount: 200_000 } });
  });

  it('belongs to the share of the order that its id names', () => {
    expect(shareIndexOf(ORDER, payoutId(1, 2))).toBe(1);
    expect(shareIndexOf(ORDER, payoutId(12, 34))).toBe(12);
    const noNumbers = ['', 'x', 'x1', '1x'].flatMap((part) => [`${part}_2`, `1_${part}`]);
    const others = ['1', '1_2_3', ...noNumbers].map((rest) => `${ORDER}_${rest}`);
    for (const other of ['another_1_2', ...others]) expect(shareIndexOf(ORDER, other)).toBeNull();
  });

  it('says where it goes, where that is known', () => {
    const account = { accountEnd: secret('6789'), bankName: secret('Zenith Bank') };
    given(transaction, ...released)
      .when({ ...payOut('ada'), account })
      .thenHappens({ type: 'PayoutRequested', data: { payoutId: ada, ...account } });
  });

  it('is refused while the share is held, and to whom has no part in the order', () => {
    given(transaction, place, pay).when(payOut('ada')).thenRefused({ code: 'not_payable' });
    given(transaction, ...released)
      .when(payOut('eve'))
      .thenRefused({ code: 'no_share', kind: 'not-found' });
  });

  it('is one, however often it is asked for', () => {
    given(transaction, ...released, payOut('ada'))
      .when(payOut('ada'))
      .thenNothing();
  });

  it('is not paid by hand while a transfer is under way, nor the other way round', () => {
    const underWay = { kind: 'conflict', code: 'payout_under_way' } as const;
    given(transaction, ...released, payOut('ada', 'transfer'))
      .when(payOut('ada', 'manual'))
      .thenRefused(underWay);
    given(transaction, ...released, payOut('ada', 'manual'))
      .when(payOut('ada', 'transfer'))
      .thenRefused(underWay);
  });

  it('is completed once', () => {
    given(transaction, ...released, payOut('ada'))
      .when(payoutDone(ada))
      .thenHappens('PayoutCompleted');
    given(transaction, ...released, payOut('ada'), payoutDone(ada))
      .when(payoutDone(ada))
      .thenNothing();
    given(transaction, ...released)
      .when(payoutDone(ada))
      .thenRefused({ code: 'no_payout' });
  });

  it('is cleared once it has been seen to stay, not before it arrived nor after it came back', () => {
    const done = [...released, payOut('ada'), payoutDone(ada)] as const;
    given(transaction, ...done)
      .when(payoutCleared(ada))
      .thenHappens({ type: 'PayoutCleared', data: { payoutId: ada } });
    given(transaction, ...done, payoutCleared(ada))
      .when(payoutCleared(ada))
      .thenNothing();
    given(transaction, ...done, payoutFailed(ada))
      .when(payoutCleared(ada))
      .thenNothing();
    given(transaction, ...released, payOut('ada'))
      .when(payoutCleared(ada))
      .thenNothing();
    given(transaction, ...done)
      .when(payoutCleared(payoutId(1)))
      .thenNothing();
  });

  it('that has just stayed is not told of as one that was given up', () => {
    const { state } = given(transaction, ...released, payOut('ada'), payoutDone(ada));
    const decision = transaction.decide(payoutCleared(ada), state);
    expect(JSON.stringify(decision)).not.toContain('givenUp');
  });

  it('has another id after a failure', () => {
    given(transaction, ...released, payOut('ada'), payoutFailed(ada))
      .when(payOut('ada'))
      .thenHappens({ type: 'PayoutRequested', data: { payoutId: payoutId(0, 1) } });
  });

  it('is no news when it fails like others before it, but is when its money comes back or is not owed any more', () => {
    const again = { ...payoutFailed(ada), repeated: true };
    given(transaction, ...released, payOut('ada'))
      .when(again)
      .thenHappens({ type: 'PayoutFailed', data: { repeated: true } });
    for (const before of [
      [...released, payOut('ada'), payoutDone(ada)],
      [...released, payOut('ada'), reverse],
    ]) {
      const { state } = given(transaction, ...before);
      const decision = transaction.decide(again, state);
      expect(decision).toMatchObject({ ok: true, events: [{ type: 'PayoutFailed' }] });
      expect(JSON.stringify(decision)).not.toContain('repeated');
    }
  });

  it('fails once, and may come back after it was completed', () => {
    given(transaction, ...released, payOut('ada'), payoutFailed(ada))
      .when(payoutFailed(ada))
      .thenNothing();
    given(transaction, ...released, payOut('ada'), payoutDone(ada))
      .when(payoutFailed(ada))
      .thenHappens({ type: 'PayoutFailed', data: { reversed: true } });
  });
});

describe("a share's payout", () => {
  const account = { accountEnd: secret('6789'), bankName: secret('Zenith Bank') };
  const shareOf = (...commands: readonly TransactionCommand[]) => {
    const { state } = given(transaction, ...commands);
    return state.status === 'none' ? undefined : state.shares[0];
  };
  const sent = [...released, { ...payOut('ada'), account }] as const;
  const none = { payoutId: null, payoutMethod: null, payoutAccount: null };

  it('is known by its way and the account it goes to, until it has failed', () => {
    expect(shareOf(...sent)).toMatchObject({ payoutMethod: 'transfer', payoutAccount: account });
    expect(shareOf(...sent, payoutFailed(ada))).toMatchObject({ status: 'released', ...none });
    expect(shareOf(...sent, payoutFailed(ada), payOut('ada', 'manual'))).toMatchObject({
      payoutMethod: 'manual',
      payoutAccount: null,
    });
  });

  it('has another id after one that had stayed for long comes back all the same', () => {
    given(transaction, ...sent, payoutDone(ada), payoutCleared(ada), payoutFailed(ada))
      .when(payOut('ada'))
      .thenHappens({ type: 'PayoutRequested', data: { payoutId: payoutId(0, 1) } });
  });
});

describe('a payout by hand', () => {
  const settle = {
    type: 'SettlePayout',
    sellerId: 'bisi',
    reason: 'paid in cash',
    at: hour(90),
  } as const;
  const bisi = payoutId(1);

  it('is recorded with its reason, for the seller it was paid to', () => {
    given(transaction, ...released, payOut('ada'))
      .when(settle)
      .thenHappens(
        { type: 'PayoutRequested', data: { sellerId: 'bisi', payoutId: bisi, method: 'manual' } },
        { type: 'PayoutCompleted', data: { payoutId: bisi, reason: 'paid in cash' } },
      );
  });

  it('completes what was to be paid by hand already, and ends nothing', () => {
    given(transaction, ...released, payOut('bisi', 'manual'))
      .when(settle)
      .thenHappens({ type: 'PayoutCompleted', data: { payoutId: bisi, reason: 'paid in cash' } });
  });

  it('is recorded once, and only where there is something to pay', () => {
    given(transaction, ...released, payOut('bisi'), payoutDone(bisi))
      .when(settle)
      .thenNothing();
    given(transaction, place, pay).when(settle).thenRefused({ code: 'not_payable' });
    given(transaction, ...released)
      .when({ ...settle, sellerId: 'eve' })
      .thenRefused({ code: 'no_share' });
  });
});

describe('a payout that failed', () => {
  it('says neither that it may still arrive nor that it is forfeited, where that is not so', () => {
    const asked = [...released, payOut('ada')] as const;
    const ended = { ...payoutFailed(ada), givenUp: true };
    for (const [before, failing] of [
      [asked, payoutFailed(ada)],
      [[...asked, payoutDone(ada)], ended],
    ] as const) {
      const decision = transaction.decide(failing, given(transaction, ...before).state);
      expect(decision).toMatchObject({ ok: true, events: [{ type: 'PayoutFailed' }] });
      expect(JSON.stringify(decision)).not.toMatch(/givenUp|forfeited/);
    }
  });

  it.each(['transfer.abandoned', 'transfer.blocked', 'transfer.rejected'])(
    'as %s never left the provider, unless it had arrived and came back',
    (reason) => {
      expect(wasNeverSent({ reason, reversed: false })).toBe(true);
      expect(wasNeverSent({ reason, reversed: true })).toBe(false);
    },
  );

  it('at the bank had left the provider', () => {
    expect(wasNeverSent({ reason: 'transfer.failed', reversed: false })).toBe(false);
  });
});

describe('a payout and a chargeback', () => {
  const reversedMidway = [...released, payOut('ada'), reverse] as const;

  it('does not make a share payable again that failed after the payment was taken back', () => {
    given(transaction, ...reversedMidway)
      .when(payoutFailed(ada))
      .thenHappens({ type: 'PayoutFailed', data: { reversed: false, forfeited: true } });
    given(transaction, ...reversedMidway, payoutFailed(ada))
      .when(payOut('ada'))
      .thenRefused({ code: 'not_payable' });
  });

  it('records a payout that arrived after the payment was taken back', () => {
    given(transaction, ...reversedMidway)
      .when(payoutDone(ada))
      .thenHappens({ type: 'PayoutCompleted', data: { amount: 200_000 } });
    given(transaction, ...reversedMidway, payoutDone(ada))
      .when(payoutDone(ada))
      .thenNothing();
  });

  it('keeps for the market what comes back from the bank after the payment was taken back', () => {
    const paidThenReversed = [...released, payOut('ada'), payoutDone(ada), reverse] as const;
    given(transaction, ...paidThenReversed)
      .when(payoutFailed(ada))
      .thenHappens({ type: 'PayoutFailed', data: { reversed: true, forfeited: true } });
    given(transaction, ...paidThenReversed, payoutFailed(ada))
      .when(payOut('ada'))
      .thenRefused({ code: 'not_payable' });
  });

  it('pays nobody whose share went back with the payment', () => {
    given(transaction, ...released, reverse)
      .when(payOut('bisi'))
      .thenRefused({ code: 'not_payable' });
  });
});
