import { beforeEach, describe, expect, it } from 'vitest';
import { createNoticedMarket, ORDER, PAID } from './support/notices.js';

let market: ReturnType<typeof createNoticedMarket>;

beforeEach(() => {
  market = createNoticedMarket();
});

const amount = 1_000_000;
const payout = { transactionId: ORDER, payoutId: 'payout-1', amount, at: PAID };

describe('word of money', () => {
  it('does not come of a transfer that was given up, since what is owed is paid in another way', async () => {
    await market.paid();
    const failed = { ...payout, sellerId: 'ada', reason: 'stuck', reversed: false, givenUp: true };
    await market.happened(`transaction-${ORDER}`, [
      { type: 'PayoutFailed', data: failed },
      { type: 'PayoutFailed', data: { ...failed, forfeited: true } },
    ]);
    expect(await market.unread('ada')).toEqual([
      'The payout of ₦10,000 failed: Bag, Shoe',
      'New order for:Bag,Shoe',
    ]);
  });

  it('does not come of a transfer that nobody has approved at the provider: their bank has no part in it', async () => {
    await market.paid();
    const ended = { ...payout, sellerId: 'ada', reversed: false };
    await market.happened(`transaction-${ORDER}`, [
      { type: 'PayoutFailed', data: { ...ended, reason: 'transfer.abandoned' } },
      { type: 'PayoutFailed', data: { ...ended, reason: 'transfer.failed' } },
    ]);
    expect(await market.unread('ada')).toEqual([
      'The payout of ₦10,000 failed: Bag, Shoe',
      'New order for:Bag,Shoe',
    ]);
  });

  it('does not come of a payout by hand that was ended: no bank had it, and what is owed is paid again', async () => {
    await market.paid();
    const byHand = { ...payout, sellerId: 'ada', payoutId: 'by-hand' };
    const ended = { ...byHand, reason: 'another account', reversed: false };
    await market.happened(`transaction-${ORDER}`, [
      { type: 'PayoutRequested', data: { ...byHand, method: 'manual' } },
      { type: 'PayoutFailed', data: ended },
    ]);
    expect(await market.unread('ada')).toEqual(['New order for:Bag,Shoe']);

    const transfer = { ...byHand, payoutId: 'transfer' };
    await market.happened(`transaction-${ORDER}`, [
      { type: 'PayoutRequested', data: { ...transfer, method: 'transfer' } },
      { type: 'PayoutFailed', data: { ...transfer, reason: 'no such account', reversed: false } },
      { type: 'PayoutFailed', data: { ...ended, forfeited: true } },
      { type: 'PayoutFailed', data: { ...ended, reversed: true } },
    ]);
    expect(await market.unread('ada')).toEqual([
      'The payout of ₦10,000 came back: Bag, Shoe',
      'The payout of ₦10,000 failed: Bag, Shoe',
      'The payout of ₦10,000 failed: Bag, Shoe',
      'New order for:Bag,Shoe',
    ]);
  });

  it('does not come of one more transfer that failed at an account of which the seller has heard', async () => {
    await market.paid();
    const data = { ...payout, sellerId: 'ada', reason: 'transfer.failed', reversed: false };
    await market.happened(`transaction-${ORDER}`, [
      { type: 'PayoutFailed', data },
      { type: 'PayoutFailed', data: { ...data, repeated: true } },
    ]);
    expect(await market.unread('ada')).toEqual([
      'The payout of ₦10,000 failed: Bag, Shoe',
      'New order for:Bag,Shoe',
    ]);
    expect(await market.unreadCount('ada')).toBe(2);
  });

  it('comes to the seller whose share moves, and of the bank to all of the order', async () => {
    await market.paid();
    await market.happened(`transaction-${ORDER}`, [
      { type: 'DeliveryConfirmed', data: { transactionId: ORDER, at: PAID } },
      {
        type: 'SellerShareReleased',
        data: { transactionId: ORDER, sellerId: 'ada', amount, at: PAID },
      },
      { type: 'PayoutCompleted', data: { ...payout, sellerId: 'ada' } },
      {
        type: 'PayoutFailed',
        data: { ...payout, sellerId: 'ada', reason: 'no such account', reversed: true },
      },
      {
        type: 'RefundRequested',
        data: {
          transactionId: ORDER,
          refundId: 'r',
          sellerId: 'bola',
          providerId: '1',
          amount,
          deliveryFee: 0,
          at: PAID,
        },
      },
      {
        type: 'PaymentDisputed',
        data: { transactionId: ORDER, reference: ORDER, disputeId: 'd', at: PAID },
      },
    ]);
    await market.happened('seller-bola', [
      { type: 'SellerSuspended', data: { sellerId: 'bola', by: 'admin' } },
      { type: 'SellerReinstated', data: { sellerId: 'bola', by: 'admin' } },
    ]);
    const bank = "The cardholder's bank disputes the payment";
    expect(await market.unread('ada')).toEqual([
      `${bank}: Bag, Shoe`,
      'The payout of ₦10,000 came back: Bag, Shoe',
      '₦10,000 paid out: Bag, Shoe',
      '₦10,000 released to you: Bag, Shoe',
      'New order for:Bag,Shoe',
    ]);
    expect(await market.unread('bola')).toEqual([
      'Your store is open again. Your goods are back in every list.',
      'Your store is suspended. Nobody sees your goods; paid orders go on.',
      `${bank}: Cap`,
      'The buyer gets the money for your goods back: Cap',
      'New order for:Cap',
    ]);
  });

  it('says nothing of a bank dispute that is not about the payment of their order', async () => {
    const dispute = { transactionId: ORDER, disputeId: 'd', at: PAID };
    const ofSecond = { ...dispute, reference: `${ORDER}-2` };
    await market.paid();
    await market.happened(`transaction-${ORDER}`, [
      { type: 'PaymentDisputed', data: ofSecond },
      { type: 'PaymentDisputeClosed', data: ofSecond },
    ]);
    expect(await market.unread('ada')).toEqual(['New order for:Bag,Shoe']);
    expect(await market.stepsOf('ada')).toEqual(['PaymentVerified']);

    await market.happened(`transaction-${ORDER}`, [
      { type: 'PaymentDisputed', data: { ...dispute, reference: ORDER } },
      { type: 'PaymentDisputeClosed', data: { ...dispute, reference: ORDER } },
    ]);
    expect(await market.unread('ada')).toEqual([
      "The dispute of the cardholder's bank is closed: Bag, Shoe",
      "The cardholder's bank disputes the payment: Bag, Shoe",
      'New order for:Bag,Shoe',
    ]);
    expect((await market.stepsOf('ada')).slice(1)).toEqual([
      'PaymentDisputed',
      'PaymentDisputeClosed',
    ]);
  });

  it('says nothing of a bank dispute of an order that was never paid', async () => {
    const dispute = { transactionId: ORDER, reference: ORDER, disputeId: 'd', at: PAID };
    await market.placed();
    await market.happened(`transaction-${ORDER}`, [
      { type: 'PaymentDisputed', data: dispute },
      { type: 'PaymentDisputeClosed', data: dispute },
    ]);
    expect(await market.unread('ada')).toEqual([]);
    expect(await market.unread('bola')).toEqual([]);
    expect(await market.stepsOf('ada')).toEqual([]);
  });

  it('tells of a bank dispute that came before the payment it is about, once that is recorded', async () => {
    const dispute = { transactionId: ORDER, at: PAID };
    const of = (reference: string, disputeId: string) => ({ ...dispute, reference, disputeId });
    await market.placed();
    await market.happened(`transaction-${ORDER}`, [
      { type: 'PaymentDisputed', data: of(ORDER, 'd') },
      { type: 'PaymentDisputed', data: of(`${ORDER}-2`, 'of another attempt') },
      { type: 'PaymentDisputed', data: of(ORDER, 'closed') },
      { type: 'PaymentDisputeClosed', data: of(ORDER, 'closed') },
      { type: 'PaymentDisputed', data: of(ORDER, 'second') },
    ]);
    expect(await market.unread('ada')).toEqual([]);
    await market.verified();
    const bank = "The cardholder's bank disputes the payment";
    expect([...(await market.unread('ada'))].sort()).toEqual(
      ['New order for:Bag,Shoe', `${bank}: Bag, Shoe`, `${bank}: Bag, Shoe`].sort(),
    );
    expect(await market.unreadCount('ada')).toBe(3);
    expect(new Set(await market.unread('bola'))).toEqual(
      new Set([`${bank}: Cap`, 'New order for:Cap']),
    );
    await market.happened(`transaction-${ORDER}`, [
      { type: 'PaymentDisputeClosed', data: of(ORDER, 'd') },
    ]);
    expect((await market.unread('ada'))[0]).toBe(
      "The dispute of the cardholder's bank is closed: Bag, Shoe",
    );
    expect(await market.stepsOf('ada')).toEqual([
      'PaymentVerified',
      'PaymentDisputed',
      'PaymentDisputed',
      'PaymentDisputeClosed',
    ]);
  });

  it('remembers a bank dispute that came before the payment, until it is closed', async () => {
    const dispute = { transactionId: ORDER, reference: ORDER, disputeId: 'd', at: PAID };
    const released = { transactionId: ORDER, amount, at: PAID };
    await market.placed();
    await market.happened(`transaction-${ORDER}`, [{ type: 'PaymentDisputed', data: dispute }]);
    await market.verified();
    await market.happened(`transaction-${ORDER}`, [
      { type: 'SellerShareReleased', data: { ...released, sellerId: 'ada' } },
      { type: 'PaymentDisputeClosed', data: dispute },
      { type: 'SellerShareReleased', data: { ...released, sellerId: 'bola' } },
    ]);
    expect(await market.waiting('ada')).toEqual(['₦10,000 released to you: Bag, Shoe']);
    expect(await market.waiting('bola')).toEqual([]);
  });

  it('tells of another bank account, and not of the first', async () => {
    const account = (n: number) => {
      const part = { sealed: `${n}`, subject: 'seller:ada' };
      const data = { sellerId: 'ada', accountName: part, accountNumber: part, bankCode: part };
      return { type: 'PayoutAccountSet', data } as const;
    };
    await market.happened('seller-ada', [account(1)]);
    expect(await market.unread('ada')).toEqual([]);
    await market.happened('inbox-ada', [
      {
        type: 'NotificationsCleared',
        data: { sellerId: 'ada', upTo: market.log.events.at(-1)?.position ?? '' },
      },
    ]);
    await market.happened('seller-ada', [account(2)]);
    expect(await market.unread('ada')).toEqual([
      'Your payouts go to another bank account now. If you did not change it, change your password and write to us.',
    ]);
  });

  it('counts what is unread on, where the first bank account is given after it', async () => {
    await market.paid();
    const part = { sealed: '1', subject: 'seller:ada' };
    const data = { sellerId: 'ada', accountName: part, accountNumber: part, bankCode: part };
    await market.happened('seller-ada', [{ type: 'PayoutAccountSet', data }]);
    expect(await market.unreadCount('ada')).toBe(1);
  });

  it('tells of another password, and of one that an operator gave', async () => {
    await market.happened('seller-ada', [
      { type: 'SellerPasswordReset', data: { sellerId: 'ada', by: 'operator' } },
      { type: 'SellerPasswordChanged', data: { sellerId: 'ada' } },
    ]);
    expect(await market.unread('ada')).toEqual([
      'Your password was changed. If it was not you, write to us at once.',
      'Oja gave you a one-time password. If you did not ask for one, write to us at once.',
    ]);
  });

  it('tells of a dispute that was settled, and of none where nobody had complained', async () => {
    await market.paid();
    const settled = { transactionId: ORDER, outcome: 'release', by: 'admin', at: PAID } as const;
    const complaint = { sealed: 'x', subject: `transaction:${ORDER}` };
    await market.happened(`transaction-${ORDER}`, [
      {
        type: 'DeliveryDisputed',
        data: { transactionId: ORDER, sellerIds: ['ada'], complaint, at: PAID },
      },
      { type: 'DisputeResolved', data: { ...settled, sellerId: 'ada' } },
      { type: 'DisputeResolved', data: { ...settled, sellerId: 'bola', unconfirmed: true } },
      { type: 'DisputeResolved', data: { ...settled, sellerId: 'ada', outcome: 'refund' } },
    ]);
    expect(await market.unread('ada')).toEqual([
      'Settled for the buyer: Bag, Shoe',
      'Settled for you: Bag, Shoe',
      'The buyer reported a problem with your goods: Bag, Shoe',
      'New order for:Bag,Shoe',
    ]);
    expect(await market.unread('bola')).toEqual(['New order for:Cap']);
  });
});
