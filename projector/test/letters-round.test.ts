import { obligations, transactions } from '@oja/contracts/models';
import { DAY_MS, HOUR_MS } from '@oja/domain';
import { CHECKPOINTS, type Checkpoint, createReadModels, generationKey } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BuyerMail, ID } from './support/buyer-mail.js';
import { PAID } from './support/decided-orders.js';
import { ORDER, SellerMail } from './support/seller-mail.js';

const OTHER = '3f0c1b9e-0000-4000-8000-000000000002';
const THIRD = '3f0c1b9e-0000-4000-8000-000000000003';

let market: BuyerMail;
beforeEach(async () => {
  market = await BuyerMail.open();
});
afterEach(() => market.close());

describe('a round', () => {
  it('sends what a queue has lost, and tries again what could not be sent', async () => {
    await market.order('paid');
    const { round } = market.office();
    market.broken = true;
    await round();
    expect(market.letters).toEqual([]);
    expect(await market.putOff()).toEqual(['450 4.2.1 <[e-mail]>: the mailbox is busy']);
    market.broken = false;
    await round();
    await round();
    expect(market.letters.map(({ id }) => id)).toEqual([`receipt-transaction-${ID}`]);
  });

  it('goes on past a letter that is refused for good, and gives it up after some days', async () => {
    market.unknown = 'nobody@example.com';
    await market.orderOf(OTHER, 'nobody@example.com', 'paid', 'confirmed');
    await market.order('paid', 'confirmed');
    const { round, mailer } = market.office();
    await round();
    expect(market.letters.map(({ to }) => to)).toEqual(['ngozi@example.com']);
    expect(await market.putOff()).toEqual(['550 5.1.1 <[e-mail]>: no such user']);
    // A queue retries within seconds, which is too early.
    expect(await mailer.deliver('receipt', OTHER)).toBe('later');
    // The server goes on taking other letters, so that it is no other fault than this address.
    await market.orderOf(THIRD, 'late@example.com', 'paid', 'confirmed');
    for (let hour = 0; hour < 10 * 24; hour += 1) {
      market.now += HOUR_MS;
      await round();
    }
    expect(market.askedFor.filter((to) => to === market.unknown)).toHaveLength(5);
    expect(market.letters).toHaveLength(2);
    expect(await market.stores.state.get('letters', `receipt/${OTHER}`, market.now)).toMatchObject({
      value: { outcome: 'refused' },
    });
  });

  it('tries a letter again at once that was put off by a clock that was days ahead', async () => {
    await market.order('paid', 'confirmed');
    const { round, mailer } = market.office();
    market.now += 3 * DAY_MS;
    market.unknown = 'ngozi@example.com';
    await round();
    expect(await mailer.deliver('receipt', ID)).toBe('later');
    market.now -= 3 * DAY_MS;
    market.unknown = null;
    await round();
    expect(market.letters.map(({ id }) => id)).toEqual([`receipt-transaction-${ID}`]);
  });

  it('keeps to the time of a letter that an earlier release has put off', async () => {
    await market.order('paid', 'confirmed');
    const nextAt = market.now + HOUR_MS;
    const later = { tries: 1, refusals: 1, nextAt, error: 'no such user' };
    await market.stores.state.put('letters-later', `receipt/${ID}`, later, market.now);
    const { round } = market.office();
    await round();
    expect(market.letters).toEqual([]);
    market.now = nextAt;
    await round();
    expect(market.letters).toHaveLength(1);
  });

  it('keeps what the support is to read until there is an address', async () => {
    market.supportEmail = null;
    await market.writesToSupport(OTHER);
    await market.order('paid', 'taken back');
    await market.office().round();
    const waits = 'SUPPORT_EMAIL is not set, and this letter waits for it';
    expect(await market.putOff()).toEqual([waits, waits]);
    market.supportEmail = 'help@oja.example';
    market.letters = [];
    await market.office().round();
    expect(market.letters.map(({ title }) => title)).toEqual([
      '[Contact] Hello',
      `[Money] Taken back: the payment of order ${ID}`,
    ]);
  });

  it('is not held up by an order that nobody can read', async () => {
    await market.orderOf(OTHER, 'away@example.com', 'paid', 'confirmed');
    await market.order('paid', 'confirmed');
    const readModels = createReadModels(market.documents);
    const orders = await readModels.liveCollection(transactions, 'transactions');
    await market.documents.commit([{ type: 'delete', collection: orders, id: OTHER }]);
    const { round } = market.office();
    const walked = async () =>
      (await market.stores.state.get<{ upTo: string }>('letters-walked', 'receipt', market.now))
        ?.value.upTo;
    await round();
    expect(market.letters.map(({ to }) => to)).toEqual(['ngozi@example.com']);
    expect(await walked()).toBe(new Date(market.now).toISOString());
  });

  it('does not come back to what is settled, unless a stream that waited was let go', async () => {
    await market.order('paid', 'confirmed');
    const { round, mailer } = market.office();
    const deliver = vi.spyOn(mailer, 'deliver');
    await round();
    expect(deliver).toHaveBeenCalledTimes(1);
    const twoDays = async () => {
      for (let quarter = 0; quarter < 8; quarter += 1) {
        market.now += 6 * HOUR_MS;
        await round();
      }
    };
    // The letter is checked again for one day, because a clock may jump back that far, and then no more.
    await twoDays();
    deliver.mockClear();
    await twoDays();
    expect(deliver).not.toHaveBeenCalled();
    const readModels = createReadModels(market.documents);

    await market.orderOf(OTHER, 'late@example.com', 'paid', 'confirmed');
    await round();
    expect(market.letters).toHaveLength(1);
    const key = generationKey(obligations, (await readModels.live(obligations)).generation);
    const checkpoint = await market.documents.get<Checkpoint>(CHECKPOINTS, key);
    if (checkpoint === null) throw new Error('there is no checkpoint');
    const letGo = { ...checkpoint, repairs: checkpoint.repairs + 1 };
    await market.documents.commit([
      { type: 'put', collection: CHECKPOINTS, id: key, document: letGo },
    ]);
    await round();
    expect(market.letters.map(({ to }) => to)).toEqual(['ngozi@example.com', 'late@example.com']);
  });

  it('goes over all again once the read models were deleted and built anew', async () => {
    await market.order('paid', 'confirmed');
    const { round } = market.office();
    await round();
    await market.orderOf(OTHER, 'late@example.com', 'paid', 'confirmed');
    // The stream was parked meanwhile, until long after its letter was due.
    market.now += 3 * DAY_MS;
    const state = market.stores.state;
    const walked = { ...(await state.get('letters-walked', 'receipt', market.now))?.value };
    const upTo = new Date(market.now).toISOString();
    await state.put('letters-walked', 'receipt', { ...walked, upTo }, market.now);
    await market.rebuild();
    await market.office().round();
    expect(market.letters.map(({ to }) => to)).toEqual(['ngozi@example.com', 'late@example.com']);
  });

  it('goes over all again once a clock that was far ahead is right', async () => {
    await market.rebuild();
    const { round } = market.office();
    market.now += 400 * DAY_MS;
    await round();
    market.now -= 397 * DAY_MS;
    await market.order('paid', 'confirmed');
    await round();
    expect(market.letters.map(({ to }) => to)).toEqual(['ngozi@example.com']);
  });

  it('reminds on days 2, 5 and 10 whoever has not confirmed', async () => {
    await market.order('paid');
    const { round } = market.office();
    for (const day of [0, 1, 2, 3, 5, 10, 11, 30]) {
      market.now = Date.parse(PAID) + day * DAY_MS;
      await round();
    }
    expect(market.letters.map(({ id }) => id.split('-transaction')[0])).toEqual([
      'receipt',
      'reminder-2',
      'reminder-5',
      'reminder-10',
    ]);
    expect(market.letters[3]?.text).toContain('On 1 March 2026 you paid ₦23,000');
  });

  it('reminds a buyer who answered No of that, and does not say that they were silent', async () => {
    await market.order('paid');
    market.now += DAY_MS;
    const at = new Date(market.now).toISOString();
    const data = { transactionId: ID, at };
    await market.goesOn(`transaction-${ID}`, { type: 'DeliveryNotYet', data });
    market.now += DAY_MS;
    await market.office().round();
    const [reminder] = market.letters.filter(({ id }) => id.startsWith('reminder'));
    expect(reminder?.text).toContain('On 1 March 2026 you paid ₦23,000 for the goods below.');
    expect(reminder?.text).toContain('You told us on 2 March 2026 that they had not come.');
    expect(reminder?.text).not.toContain('not heard from you');
  });

  it.each([
    ['refund', '₦23,000 of your payment goes back the way it came'],
    ['release', 'The money for the goods of Ada & Daughters went to them.'],
  ] as const)(
    'reminds again whose complaint about one seller ended in a %s, of the goods of another alone',
    async (outcome, became) => {
      const twoSellers = await SellerMail.open();
      await twoSellers.paid();
      const sellerId = 'ada';
      const complaint = { sealed: 'x', subject: `transaction:${ORDER}` };
      const at = (days: number) => {
        twoSellers.now = Date.parse(PAID) + days * DAY_MS + HOUR_MS;
        return twoSellers.at();
      };
      await twoSellers.carriedOut({
        type: 'ReportProblem',
        sellerIds: [sellerId],
        complaint,
        at: at(3),
      });
      const settled = { type: 'ResolveDispute', outcome, by: 'operator' } as const;
      await twoSellers.carriedOut({ ...settled, sellerId, at: at(4) });
      for (const days of [4, 5, 10]) {
        at(days);
        await twoSellers.round();
      }
      await twoSellers.close();
      const reminders = twoSellers.letters.filter(({ id }) => id.startsWith('reminder'));
      expect(reminders.map(({ id }) => id.split('-transaction')[0])).toEqual([
        'reminder-5',
        'reminder-10',
      ]);
      for (const { text } of reminders) {
        expect(text).toContain(became);
        expect(text).toContain('Lamp');
        expect(text).not.toContain('Red <Bag>');
        expect(text).not.toContain('not heard from you');
      }
    },
  );

  it('reminds again whose payment was taken back and came back', async () => {
    await market.order('paid', 'taken back', 'given back');
    const { round } = market.office();
    for (const day of [0, 2, 5, 10]) {
      market.now = Date.parse(PAID) + day * DAY_MS;
      await round();
    }
    const reminded = market.letters.map(({ id }) => id.split('-transaction')[0] ?? '');
    expect(reminded.filter((kind) => kind.startsWith('reminder'))).toEqual([
      'reminder-2',
      'reminder-5',
      'reminder-10',
    ]);
  });

  it('reminds once of an order, however long no mail could be sent', async () => {
    await market.order('paid');
    market.now += 11 * DAY_MS;
    const { round } = market.office();
    await round();
    await round();
    expect(market.letters.map(({ id }) => id.split('-transaction')[0])).toEqual([
      'receipt',
      'reminder-10',
    ]);
  });

  it('reminds nobody who has confirmed', async () => {
    await market.order('paid', 'confirmed');
    market.now += 11 * DAY_MS;
    await market.office().round();
    expect(market.letters.map(({ title }) => title)).toEqual(['Your Oja order: ₦23,000 received']);
  });

  it('sends nothing for an order that was not paid', async () => {
    await market.order();
    market.now += 11 * DAY_MS;
    await market.office().round();
    expect(market.letters).toEqual([]);
  });
});
