import { DAY_MS, HOUR_MS, SELLER_NEWS_MS } from '@oja/domain';
import { paymentReference } from '@oja/domain/rules';
import { createReadModels } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noticesToMail, suppressLetter } from '../src/index.js';
import { EMAIL, ORDER, SellerMail } from './support/seller-mail.js';

let market: SellerMail;
beforeEach(async () => {
  market = await SellerMail.open();
});
afterEach(() => market.close());

describe('letters of money', () => {
  it('tell a seller of their own part, and nothing of the buyer', async () => {
    await market.asked(1);
    await market.confirmed(1);
    await market.paid();
    await market.delivered();
    await market.round();
    await market.round();
    expect(market.titles()).toEqual(['₦20,000 released to you (order 3F0C1B9E)']);
    const { text = '', html = '', to } = market.toSellers()[0] ?? {};
    expect(to).toBe(EMAIL);
    expect(text).toContain('Hello Ada & Daughters,');
    expect(text).toContain('  Red <Bag>: × 2');
    expect(text).toContain(`http://localhost:8080/dashboard/orders/${ORDER}`);
    expect(text).toContain('Switch them off');
    expect(text).toContain('http://localhost:8080/dashboard/profile');
    expect(html).toContain('Red &lt;Bag&gt;');
    expect(text + html).not.toMatch(/Ngozi|ngozi@|1 Road|0803|Lamp|Bisi/);
  });

  it('are one for each thing that happens', async () => {
    await market.asked(1);
    await market.confirmed(1);
    await market.paid();
    market.now += 3 * DAY_MS;
    const complaint = { sealed: 'x', subject: `transaction:${ORDER}` };
    const settled = { type: 'ResolveDispute', by: 'operator', note: complaint } as const;
    await market.carriedOut({
      type: 'ReportProblem',
      sellerIds: ['ada'],
      complaint,
      at: market.at(),
    });
    await market.carriedOut({ ...settled, sellerId: 'ada', outcome: 'release', at: market.at() });
    await market.carriedOut({
      type: 'RequestPayout',
      sellerId: 'ada',
      method: 'transfer',
      at: market.at(),
    });
    const payoutId = `${ORDER}_0_0`;
    await market.carriedOut({
      type: 'FailPayout',
      payoutId,
      reason: 'no such account',
      at: market.at(),
    });
    await market.suspended();
    await market.ofAda({ type: 'SellerReinstated', data: { sellerId: 'ada', by: 'operator' } });
    await market.round();
    await market.round();
    expect(market.titles()).toEqual([
      'The buyer reported a problem with your goods (order 3F0C1B9E)',
      '₦20,000 released to you (order 3F0C1B9E)',
      'The payout of ₦20,000 failed (order 3F0C1B9E)',
      'Your store is suspended',
      'Your store is open again',
    ]);
  });

  it('tell of a payout that was sent, and that the bank may take its time', async () => {
    await market.asked(1);
    await market.confirmed(1);
    await market.paid();
    await market.delivered();
    await market.carriedOut({
      type: 'RequestPayout',
      sellerId: 'ada',
      method: 'transfer',
      at: market.at(),
    });
    await market.round();
    expect(market.titles()).toEqual(['₦20,000 released to you (order 3F0C1B9E)']);
    await market.carriedOut({ type: 'CompletePayout', payoutId: `${ORDER}_0_0`, at: market.at() });
    await market.round();
    await market.round();
    expect(market.titles().slice(1)).toEqual(['₦20,000 paid out (order 3F0C1B9E)']);
    expect(market.toSellers().at(-1)?.text).toContain('a working day');
  });

  it('tell of money that was paid by hand, and of no failure of the transfer given up for it', async () => {
    await market.asked(1);
    await market.confirmed(1);
    await market.paid();
    await market.delivered();
    await market.carriedOut(
      { type: 'RequestPayout', sellerId: 'ada', method: 'transfer', at: market.at() },
      { type: 'SettlePayout', sellerId: 'ada', reason: 'paid in cash', at: market.at() },
    );
    await market.round();
    expect(market.titles()).toEqual([
      '₦20,000 released to you (order 3F0C1B9E)',
      '₦20,000 paid out (order 3F0C1B9E)',
    ]);
    expect(market.toSellers().at(-1)?.text).toContain('It was paid by hand.');
    expect(market.toSellers().at(-1)?.text).not.toContain('bank');
  });

  it('promise nothing where the payment was taken back before the payout failed', async () => {
    await market.asked(1);
    await market.confirmed(1);
    await market.paid();
    await market.delivered();
    await market.carriedOut({
      type: 'RequestPayout',
      sellerId: 'ada',
      method: 'transfer',
      at: market.at(),
    });
    const takenBack = { ...market.payment(), status: 'reversed' } as const;
    await market.carriedOut(takenBack);
    const payoutId = `${ORDER}_0_0`;
    await market.carriedOut({
      type: 'FailPayout',
      payoutId,
      reason: 'no such account',
      at: market.at(),
    });
    await market.round();
    await market.round();
    expect(market.titles().at(-1)).toBe('The payout of ₦20,000 failed (order 3F0C1B9E)');
    const { text = '' } = market.toSellers().at(-1) ?? {};
    expect(text).not.toMatch(/sent again, and|bank details/);
    expect(text).toContain('this is not sent again unless the payment comes back');
  });

  it('tell of a refund whose money it was, and that the goods are not paid for', async () => {
    await market.asked(1);
    await market.confirmed(1);
    await market.paid();
    market.now += 3 * DAY_MS;
    const complaint = { sealed: 'x', subject: `transaction:${ORDER}` };
    const settled = { type: 'ResolveDispute', by: 'operator', outcome: 'refund' } as const;
    const sellerIds = ['ada', 'bisi'];
    await market.carriedOut({ type: 'ReportProblem', sellerIds, complaint, at: market.at() });
    await market.carriedOut({ ...settled, sellerId: 'bisi', at: market.at() });
    await market.round();
    expect(market.titles()).toEqual([
      'The buyer reported a problem with your goods (order 3F0C1B9E)',
    ]);
    await market.carriedOut({ ...settled, sellerId: 'ada', at: market.at() });
    await market.round();
    await market.round();
    expect(market.titles().slice(1)).toEqual([
      'The buyer gets the money for your goods back (order 3F0C1B9E)',
    ]);
    expect(market.toSellers().at(-1)?.text).toContain('You are not paid for these goods.');
  });

  describe('of a payment that the bank takes back', () => {
    const last = () => market.toSellers().at(-1) ?? { title: '', text: '' };
    const takenBack = () => market.carriedOut({ ...market.payment(), status: 'reversed' });
    const cameBack = () => market.carriedOut({ ...market.payment(), reversals: 1 });
    const disputed = (type: 'RecordDispute' | 'CloseDispute', reference: string = ORDER) =>
      market.carriedOut({ type, reference, disputeId: 'd', at: market.at() });

    beforeEach(async () => {
      await market.asked(1);
      await market.confirmed(1);
      await market.paid();
    });

    it('leave out that it came back where nothing comes back to the seller', async () => {
      market.now += 3 * DAY_MS;
      const complaint = { sealed: 'x', subject: `transaction:${ORDER}` };
      const settled = { type: 'ResolveDispute', by: 'operator', outcome: 'refund' } as const;
      const at = market.at();
      await market.carriedOut({ type: 'ReportProblem', sellerIds: ['ada'], complaint, at });
      await market.carriedOut({ ...settled, sellerId: 'ada', at: market.at() });
      await takenBack();
      await cameBack();
      await market.round();
      expect(market.titles()).toEqual([
        'The buyer reported a problem with your goods (order 3F0C1B9E)',
        'The buyer gets the money for your goods back (order 3F0C1B9E)',
        'The payment was taken back (order 3F0C1B9E)',
      ]);
      expect(last().text).not.toContain('held for you');
    });

    it('say that what was held is held again', async () => {
      await takenBack();
      await cameBack();
      await market.round();
      expect(last().title).toBe(
        'The payment came back, and ₦20,000 is held for you again (order 3F0C1B9E)',
      );
      expect(last().text).toContain('There is nothing for you to do.');
    });

    it('say that what was payable is payable again', async () => {
      await market.delivered();
      await takenBack();
      await cameBack();
      await market.round();
      expect(last().title).toBe(
        'The payment came back, and ₦20,000 is payable to you again (order 3F0C1B9E)',
      );
      expect(last().text).not.toContain('held');
    });

    it('say that what was paid out stays with the seller', async () => {
      await market.delivered();
      const payout = { sellerId: 'ada', method: 'transfer', at: market.at() } as const;
      await market.carriedOut({ type: 'RequestPayout', ...payout });
      const payoutId = `${ORDER}_0_0`;
      await market.carriedOut({ type: 'CompletePayout', payoutId, at: market.at() });
      await disputed('RecordDispute');
      await market.round();
      expect(last().title).toBe("The cardholder's bank disputes the payment (order 3F0C1B9E)");
      expect(last().text).toContain('You keep what was paid out to you');
      await takenBack();
      await market.round();
      expect(last().title).toBe('The payment was taken back (order 3F0C1B9E)');
      expect(last().text).toContain('You keep what was paid out to you');
      await cameBack();
      await market.round();
      expect(last().title).toBe('The payment was taken back (order 3F0C1B9E)');
    });

    it('promise no money while the bank disputes it', async () => {
      await disputed('RecordDispute');
      await market.delivered();
      await market.round();
      expect(last().title).toBe('₦20,000 released to you (order 3F0C1B9E)');
      expect(last().text).toContain("paid out once the bank's dispute of the payment is settled");
      expect(last().text).not.toContain('payable now');
      const payout = { sellerId: 'ada', method: 'transfer', at: market.at() } as const;
      await market.carriedOut({ type: 'RequestPayout', ...payout });
      const failed = { payoutId: `${ORDER}_0_0`, reason: 'no such account', at: market.at() };
      await market.carriedOut({ type: 'FailPayout', ...failed });
      await market.round();
      expect(last().title).toBe('The payout of ₦20,000 failed (order 3F0C1B9E)');
      expect(last().text).toContain('check the bank details');
      expect(last().text).toContain("once the bank's dispute of the payment is settled");
    });

    it('do not wait for a dispute that was won: its payment comes back just before it is closed', async () => {
      await market.delivered();
      await disputed('RecordDispute');
      await takenBack();
      await cameBack();
      await disputed('CloseDispute');
      await market.round();
      const [back] = market
        .toSellers()
        .filter(({ title }) => title.includes('payable to you again'));
      expect(back?.text).not.toContain("once the bank's dispute");
    });

    it.each([
      [
        'is closed',
        async () => {
          await disputed('RecordDispute');
          await disputed('CloseDispute');
        },
      ],
      ['is about another payment', () => disputed('RecordDispute', paymentReference(ORDER, 2))],
    ])('name the payable money where the dispute %s', async (_, happens) => {
      await happens();
      await market.delivered();
      await market.round();
      expect(last().title).toBe('₦20,000 released to you (order 3F0C1B9E)');
      expect(last().text).toContain('The money is payable now');
    });
  });

  it('go to nobody without a confirmed address, and of nothing that was before it', async () => {
    await market.asked(1);
    await market.paid();
    await market.delivered();
    await market.round();
    await market.confirmed(1);
    await market.round();
    expect(market.titles()).toEqual(['Your code for letters from Oja']);
    await market.suspended();
    await market.round();
    expect(market.titles()).toEqual(['Your code for letters from Oja', 'Your store is suspended']);
  });

  it('do not go while they are off, nor afterwards of what happened then', async () => {
    await market.asked(1);
    await market.confirmed(1);
    await market.switched(false);
    await market.suspended();
    await market.round();
    await market.switched(true);
    await market.round();
    expect(market.titles()).not.toContain('Your store is suspended');
    await market.ofAda({ type: 'SellerReinstated', data: { sellerId: 'ada', by: 'operator' } });
    await market.round();
    expect(market.titles().at(-1)).toBe('Your store is open again');
  });

  it('go to the new address once its code was typed, and to none that was removed', async () => {
    await market.asked(1);
    await market.confirmed(1);
    await market.asked(2, 'new@example.com');
    await market.suspended();
    await market.round();
    expect(market.toSellers().at(-1)).toMatchObject({
      to: EMAIL,
      title: 'Your store is suspended',
    });
    await market.confirmed(2);
    await market.ofAda({ type: 'SellerReinstated', data: { sellerId: 'ada', by: 'operator' } });
    await market.round();
    expect(market.toSellers().at(-1)).toMatchObject({ to: 'new@example.com' });
    await market.removed();
    const before = market.titles().filter((title) => title.startsWith('Your store'));
    await market.suspended();
    await market.round();
    expect(market.titles().filter((title) => title.startsWith('Your store'))).toEqual(before);
  });

  it('that could not be sent are sent later, once, also after a kill', async () => {
    await market.asked(1);
    await market.confirmed(1);
    await market.suspended();
    market.broken = true;
    await market.round();
    market.broken = false;
    market.now += HOUR_MS;
    await market.round();
    expect(market.titles()).toContain('Your store is suspended');
    const sent = market.toSellers().filter(({ title }) => title === 'Your store is suspended');
    // Another process with rebuilt read models: neither knows what was sent.
    await market.rebuild();
    await market.stores.state.delete('letters-walked', 'seller-news');
    await market.round();
    expect(sent).toHaveLength(1);
    expect(market.toSellers().filter(({ title }) => title === 'Your store is suspended')).toEqual(
      sent,
    );
  });

  it('are not written of what was cleared, of what is old, and of what was imported', async () => {
    await market.asked(1);
    await market.confirmed(1);
    await market.suspended();
    await market.cleared();
    await market.ofAda({ type: 'SellerReinstated', data: { sellerId: 'ada', by: 'operator' } });
    const { state } = market.stores;
    await suppressLetter(state, 'seller-news', market.log.events.at(-1)?.id ?? '', market.now);
    await market.round();
    await market.suspended();
    market.now += SELLER_NEWS_MS;
    await market.round();
    expect(market.titles().filter((title) => title.startsWith('Your store'))).toEqual([]);
  });

  it('have nobody to go to once the seller is forgotten', async () => {
    await market.asked(1);
    await market.confirmed(1);
    await market.suspended();
    const subjects: string[] = [];
    const readModels = createReadModels(market.documents);
    const noticed = { documents: market.documents, readModels, clock: { now: () => market.now } };
    for await (const { subject } of noticesToMail(noticed, '', market.at())) subjects.push(subject);
    expect(subjects).toHaveLength(1);
    await market.stores.keys.destroy('seller:ada');
    expect(await market.office().mailer.deliver('seller-news', subjects[0] ?? '')).toBe('nobody');
    expect(market.toSellers()).toEqual([]);
  });
});
