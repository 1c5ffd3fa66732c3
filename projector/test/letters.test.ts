import { type TransactionDocument, transactions } from '@oja/contracts/models';
import { DAY_MS, HOUR_MS, refundIdOf } from '@oja/domain';
import { createReadModels, LETTER_SENT_WITHIN_MS, positionOf } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BuyerMail, ID } from './support/buyer-mail.js';
import { PAID } from './support/decided-orders.js';
import { deferred } from './support/deferred.js';

const CONFIRMATION = 'http://localhost:8080/payment/verify/delivery-confirmation';

let market: BuyerMail;
beforeEach(async () => {
  market = await BuyerMail.open();
});
afterEach(() => market.close());

describe('a receipt', () => {
  it('goes to the buyer once, with the link that only they may have', async () => {
    await market.order('paid');
    const { mailer } = market.office();
    expect(await mailer.deliver('receipt', ID)).toBe('sent');
    expect(await mailer.deliver('receipt', ID)).toBe('sent-before');
    expect(market.letters).toHaveLength(1);
    expect(market.letters[0]).toMatchObject({
      to: 'ngozi@example.com',
      subject: `transaction:${ID}`,
      replyTo: 'help@oja.example',
      title: 'Your Oja order: ₦23,000 received',
    });
    // A colour alone is not read where the mail program gives the ground another one.
    expect(market.letters[0]?.html).not.toMatch(/color:/);
    expect(market.letters[0]?.text).toContain('Hello Ngozi Eze,');
    expect(market.letters[0]?.text).toContain('2 × Red <Bag> (Ada & Daughters): ₦23,000');
    expect(market.letters[0]?.text).toContain(`${CONFIRMATION}#${ID}.AbCdEfGhIjKlMnOpQrStUv`);
    expect(market.letters[0]?.html).toContain('2 × Red &lt;Bag&gt; (Ada &amp; Daughters)');
  });

  it('goes again each time that the buyer asks for it, and no more often', async () => {
    await market.order('paid', 'asked again');
    const { mailer, round } = market.office();
    expect(await mailer.deliver('receipt', ID)).toBe('sent');
    expect(await mailer.deliver('receipt-again', `${ID}/r-1`)).toBe('sent');
    await round();
    await round();
    expect(market.letters.map(({ to }) => to)).toEqual(Array(3).fill('ngozi@example.com'));
    expect(new Set(market.letters.map(({ id }) => id)).size).toBe(3);
    expect(market.letters[2]?.text).toBe(market.letters[0]?.text);
  });

  it.each([
    ['confirmed', ['confirmed'], 'You have confirmed the delivery'],
    [
      'refunded',
      ['complained', 'settled for the buyer'],
      '₦23,000 of your payment goes back the way it came',
    ],
    ['taken back', ['taken back'], 'Your bank has taken this payment back'],
  ] as const)('of an order that is %s does not ask to confirm it', async (_, steps, stands) => {
    await market.order('paid', ...steps, 'asked again');
    expect(await market.office().mailer.deliver('receipt-again', `${ID}/r-1`)).toBe('sent');
    expect(market.letters[0]?.text).toContain('2 × Red <Bag> (Ada & Daughters): ₦23,000');
    expect(market.letters[0]?.text).toContain(stands);
    expect(market.letters[0]?.text).not.toContain('We hold your money');
    expect(market.letters[0]?.text).not.toContain(CONFIRMATION);
  });

  it('of an order with a dispute keeps the link, since its money is held', async () => {
    await market.order('paid', 'complained', 'asked again');
    expect(await market.office().mailer.deliver('receipt-again', `${ID}/r-1`)).toBe('sent');
    expect(market.letters[0]?.text).toContain('We hold your money');
    expect(market.letters[0]?.text).toContain(CONFIRMATION);
  });

  it.each([
    ['refunded', 'settled for the buyer', '₦23,000 of your payment goes back the way it came'],
    ['paid', 'settled for the seller', 'The money for the goods of Ada & Daughters went to them.'],
  ] as const)('says what of it was %s, and holds the rest', async (_, outcome, stands) => {
    await market.order('of two sellers', 'paid', 'complained', outcome, 'asked again');
    expect(await market.office().mailer.deliver('receipt-again', `${ID}/r-1`)).toBe('sent');
    expect(market.letters[0]?.text).toContain(stands);
    expect(market.letters[0]?.text).toContain('We hold the rest of your money');
    expect(market.letters[0]?.text).not.toContain('We hold your money');
    expect(market.letters[0]?.text).toContain(CONFIRMATION);
  });

  it('asks nobody to confirm what they have complained about', async () => {
    await market.order('paid', 'complained', 'asked again');
    await market.office().mailer.deliver('receipt-again', `${ID}/r-1`);
    expect(market.letters[0]?.text).not.toContain('choose Yes');
  });

  it('goes once where a job and a round send it at the same time, and later if the job dies', async () => {
    await market.order('paid', 'confirmed');
    const { round } = market.office();
    const sending = deferred();
    const answered = deferred();
    const slow = market.office(async (letter) => {
      sending.resolve();
      await answered.promise;
      market.letters.push(letter);
    });
    const job = slow.mailer.deliver('receipt', ID);
    await sending.promise;
    await round();
    market.now += LETTER_SENT_WITHIN_MS;
    await round();
    expect(market.letters).toEqual([]);
    market.now += 5 * 60_000;
    await round();
    expect(market.letters).toHaveLength(1);
    answered.resolve();
    await job;
    expect(await market.office().mailer.deliver('receipt', ID)).toBe('sent-before');
  });

  it('has nobody to go to once the buyer is forgotten', async () => {
    await market.order('paid');
    await market.stores.keys.destroy(`transaction:${ID}`);
    expect(await market.office().mailer.deliver('receipt', ID)).toBe('nobody');
    expect(market.letters).toEqual([]);
  });

  it('is not kept if the buyer is forgotten while it is being sent', async () => {
    await market.order('paid');
    const { mailer } = market.office(async (letter) => {
      await market.stores.keys.destroy(letter.subject);
      await market.forget(letter.subject);
      market.letters.push(letter);
    });
    await mailer.deliver('receipt', ID);
    expect(market.letters).toEqual([]);
  });
});

it.each([
  ['receipt', 0, 'nobody'],
  // The next reminder is due as well by then.
  ['reminder-2', 4 * DAY_MS, 'not-owed'],
] as const)(
  'a %s is not kept if the buyer is forgotten while it is written and the process dies then',
  async (kind, laterMs, outcome) => {
    await market.order('paid');
    const written = deferred();
    const dying = market.office(async (letter) => {
      await market.stores.keys.destroy(letter.subject);
      market.letters.push(letter);
      written.resolve();
      await new Promise(() => {});
    });
    market.now += 2 * DAY_MS;
    void dying.mailer.deliver(kind, ID);
    await written.promise;
    expect(market.letters).toHaveLength(1);
    market.now += HOUR_MS + laterMs;
    expect(await market.office().mailer.deliver(kind, ID)).toBe(outcome);
    expect(market.letters).toEqual([]);
  },
);

describe('the support', () => {
  it('is told once of money that is held aside, and of a payment that was taken back', async () => {
    await market.order('paid', 'paid twice', 'taken back');
    const { round } = market.office();
    await round();
    await round();
    const told = market.letters.filter(({ to }) => to === 'help@oja.example');
    expect(told.map(({ title }) => title)).toEqual([
      `[Money] Held aside: a payment for order ${ID}`,
      `[Money] Taken back: the payment of order ${ID}`,
    ]);
    expect(told[0]?.text).toContain('Refund requested: ₦23,000');
    expect(JSON.stringify(told)).not.toMatch(/Ngozi|ngozi@/);
  });

  it('reads what a visitor writes in the lines they wrote it in, also as HTML', async () => {
    await market.writesToSupport('c-1', 'Order: <AB12>\r\nPhone: 0803\n\nIt came broken');
    expect(await market.office().mailer.deliver('contact', 'c-1')).toBe('sent');
    expect(market.letters[0]?.text).toContain('Order: <AB12>\r\nPhone: 0803\n\nIt came broken');
    expect(market.letters[0]?.html).toContain(
      '<p>Order: &lt;AB12&gt;<br>Phone: 0803</p>\n<p>It came broken</p>',
    );
  });

  it('keeps what it is told about the money of a buyer who is forgotten', async () => {
    await market.order('paid', 'paid twice');
    await market.stores.keys.destroy(`transaction:${ID}`);
    const { round } = market.office();
    await round();
    expect(market.letters.map(({ title }) => title)).toEqual([
      `[Money] Held aside: a payment for order ${ID}`,
    ]);
  });

  it('is told of what was sold out, and so is its buyer, once, with what goes back', async () => {
    await market.order('sold out');
    const { round } = market.office();
    await round();
    await round();
    const [told, ...more] = market.letters.filter(({ to }) => to === 'ngozi@example.com');
    expect(more).toEqual([]);
    expect(told).toMatchObject({ title: 'No longer for sale: your ₦23,000 go back to you' });
    expect(told?.text).toContain(
      'were sold out or taken off the market before it came. Nothing was ordered',
    );
    expect(told?.text).toContain('Goes back to you: ₦23,000');
    expect(
      market.letters.filter(({ title }) => title.startsWith('[Money] Held aside')),
    ).toHaveLength(1);
  });

  it('is told of each payment that is held aside, by a letter of its own', async () => {
    await market.order('paid', 'paid twice', 'paid thrice');
    const { round } = market.office();
    await round();
    await round();
    const told = market.letters.filter(({ title }) => title.startsWith('[Money] Held aside'));
    expect(told).toHaveLength(2);
  });

  it('is told once of a refund that the provider would not make', async () => {
    await market.order('paid', 'paid twice', 'refund failed');
    const { round } = market.office();
    for (let day = 0; day < 3; day += 1) {
      await round();
      market.now += DAY_MS;
    }
    const told = market.letters.filter(({ title }) => title.startsWith('[Money] Not given back'));
    expect(told.map(({ title }) => title)).toEqual([
      `[Money] Not given back: a refund of order ${ID}`,
    ]);
    expect(told[0]?.text).toContain('Refund failed: ₦23,000');
    expect(JSON.stringify(told)).not.toMatch(/Ngozi|ngozi@/);
  });

  it('is told of each further refund that failed, and each time the payment is taken back', async () => {
    await market.order('paid', 'paid twice', 'paid thrice', 'taken back');
    const stream = `transaction-${ID}`;
    const collection = await createReadModels(market.documents).liveCollection(
      transactions,
      'transactions',
    );
    const refundIds = (
      await market.documents.get<TransactionDocument>(collection, ID)
    )?.refunds.map(({ refundId }) => refundId);
    const { round } = market.office();
    await round();
    market.letters = [];
    const first = refundIds?.[0] ?? '';
    const failed = (refundId: string) => ({
      type: 'RefundFailed' as const,
      data: { transactionId: ID, refundId, amount: 2_300_000, reason: 'no card', at: PAID },
    });
    const reversed = {
      type: 'PaymentReversed' as const,
      data: { transactionId: ID, reference: ID, amount: 2_300_000, at: PAID },
    };
    for (const event of [failed(first), failed(refundIds?.[1] ?? ''), reversed]) {
      market.now += HOUR_MS;
      await market.goesOn(stream, event);
      market.now += 1_000;
      await round();
      await round();
    }
    expect(market.letters.map(({ title }) => title.split(':')[0])).toEqual([
      '[Money] Not given back',
      '[Money] Not given back',
      '[Money] Taken back',
    ]);
    expect(market.letters[1]?.text.match(/Refund failed/g)).toHaveLength(2);
    expect(new Set(market.letters.map(({ id }) => id)).size).toBe(3);
  });

  describe('of a refund that failed twice, once the market has moved into another log,', () => {
    const failed = async () => {
      market.now += HOUR_MS;
      const { transactionId, refundId } = { transactionId: ID, refundId: `${ID}_r` };
      const data = { transactionId, refundId, amount: 2_300_000, reason: 'no card', at: PAID };
      await market.goesOn(`transaction-${ID}`, { type: 'RefundFailed', data });
      market.now += 1_000;
    };
    const told = () =>
      market.letters.filter(({ title }) => title.startsWith('[Money] Not given back'));

    beforeEach(async () => {
      await market.order('paid', 'paid twice', 'refund failed');
      await market.office().round();
      await failed();
    });

    it('is not told again', async () => {
      await market.office().round();
      expect(told()).toHaveLength(2);
      await market.moved();
      await market.office().round();
      expect(told()).toHaveLength(2);
      await failed();
      await market.office().round();
      expect(told()).toHaveLength(3);
    });

    it('is not told again by a letter that an earlier release named by its position', async () => {
      const { position } = market.log.events.at(-1) ?? {};
      const settled = { outcome: 'sent', at: new Date(market.now).toISOString() };
      const key = `refund-failed/${ID}/${position}`;
      await market.stores.state.put('letters', key, settled, market.now);
      await market.moved();
      await market.office().round();
      expect(told()).toHaveLength(1);
    });

    it('is told once by a letter that an earlier release had put off, of a log with larger positions', async () => {
      const later = { tries: 2, refusals: 0, nextAt: 0, error: 'away' };
      const key = `refund-failed/${ID}/${positionOf(99_000_000)}`;
      await market.stores.state.put('letters-later', key, later, market.now);
      await market.moved();
      await market.office().round();
      await market.office().round();
      expect(told()).toHaveLength(2);
      expect(await market.putOff()).toEqual([]);
    });
  });
});

it('money of another currency is told in its own', async () => {
  await market.order('paid', 'paid in dollars');
  await market.office().round();
  const [told] = market.letters.filter(({ title }) => title.startsWith('[Money] Held aside'));
  expect(told?.text).toContain('USD 1,150');
});

it('a refund of another currency that failed is told in its own', async () => {
  await market.order('paid', 'paid in dollars', 'refund failed');
  await market.office().round();
  const [told] = market.letters.filter(({ title }) => title.startsWith('[Money] Not given back'));
  expect(told?.text).toContain('Refund failed: USD 1,150');
});

it('the support is not told of a failed refund that a chargeback has voided', async () => {
  await market.order('paid', 'complained', 'settled for the buyer');
  const stream = `transaction-${ID}`;
  const order = { transactionId: ID, amount: 2_300_000, at: PAID };
  const refundId = refundIdOf(ID, 's-1');
  const failed = { ...order, refundId, reason: 'no card' };
  await market.goesOn(stream, { type: 'RefundFailed', data: failed });
  await market.goesOn(stream, { type: 'PaymentReversed', data: { ...order, reference: ID } });
  expect(await market.office().mailer.deliver('refund-failed', ID)).toBe('not-owed');
});

it('the support is told of a dispute while evidence counts, and not to hand it in afterwards', async () => {
  await market.order('paid', 'disputed by the bank');
  const { round } = market.office();
  await round();
  await round();
  const told = market.letters.filter(({ to }) => to === 'help@oja.example');
  expect(told.map(({ title }) => title)).toEqual([`[Money] Disputed: the payment of order ${ID}`]);
  expect(told[0]?.text).toContain('₦23,000');
  expect(told[0]?.text).toContain('Hand in evidence');
  expect(JSON.stringify(told)).not.toMatch(/Ngozi|ngozi@/);
});

it.each([
  ['is held aside', ['paid', 'paid twice', 'the other disputed']],
  [
    'goes back to the buyer anyway',
    ['paid', 'complained', 'settled for the buyer', 'disputed by the bank'],
  ],
  [
    'the bank has taken, beside a refund',
    ['paid', 'paid twice', 'disputed by the bank', 'taken back'],
  ],
] as const)('the support needs no evidence for a payment that %s', async (_, steps) => {
  await market.order(...steps);
  const subject = steps.some((step) => step === 'the other disputed') ? 'd-2' : 'd-1';
  expect(await market.office().mailer.deliver('disputed', `${ID}/${subject}`)).toBe('not-owed');
});

it('the support is not told of a dispute whose payment the bank has taken meanwhile', async () => {
  await market.order('paid', 'disputed by the bank', 'taken back');
  await market.office().round();
  const told = market.letters.filter(({ to }) => to === 'help@oja.example');
  expect(told.map(({ title }) => title)).toEqual([
    `[Money] Taken back: the payment of order ${ID}`,
  ]);
});

it('the support is told what the bank took, which is less than was paid after a refund', async () => {
  await market.order('of two sellers', 'paid', 'complained', 'settled for the buyer');
  const stream = `transaction-${ID}`;
  const order = { transactionId: ID, at: PAID };
  const refundId = refundIdOf(ID, 's-1');
  const refunded = { ...order, refundId, amount: 2_300_000, providerRefundId: 'r' };
  await market.goesOn(stream, { type: 'RefundCompleted', data: refunded });
  const reversed = { ...order, reference: ID, amount: 900_000 };
  await market.goesOn(stream, { type: 'PaymentReversed', data: reversed });
  await market.office().round();
  const [told] = market.letters.filter(({ title }) => title.startsWith('[Money] Taken back'));
  expect(told?.text).toContain('took back ₦9,000 of the payment of ₦32,000');
  expect(told?.text).not.toContain('nothing more is paid out');
  expect(told?.text).not.toContain('vidence');
});

it('the support is told what the bank took, though a refund that was under way went through since', async () => {
  const refundAsked = ['of two sellers', 'paid', 'complained', 'settled for the buyer'] as const;
  await market.order(...refundAsked, 'taken back', 'refund went through');
  await market.office().round();
  const [told] = market.letters.filter(({ title }) => title.startsWith('[Money] Taken back'));
  expect(told?.text).toContain('took back the payment of ₦32,000.');
});

it('the support is told once what a dispute gave back in part, and whose goods may count it', async () => {
  await market.order('of two sellers', 'paid', 'complained');
  const returned = { transactionId: ID, reference: ID, disputeId: 'd-1', amount: 900_000 };
  const event = { type: 'PaymentReturnedInPart', data: { ...returned, at: PAID } } as const;
  await market.goesOn(`transaction-${ID}`, event);
  const { round } = market.office();
  await round();
  await round();
  const told = market.letters.filter(({ title }) => title.startsWith('[Money]'));
  expect(told.map(({ title }) => title)).toEqual([
    `[Money] Given back in part: the payment of order ${ID}`,
  ]);
  expect(told[0]?.text).toContain('the cardholder got ₦9,000 of the payment of ₦32,000');
  expect(told[0]?.text).toContain('Ada & Daughters: ₦23,000');
  expect(told[0]?.text).not.toMatch(/Ngozi|ngozi@/);
});

it.each([
  ['a payment that came back', ['paid', 'taken back', 'given back'], 'taken-back', ID],
  [
    'a dispute that is over',
    ['paid', 'disputed by the bank', 'dispute closed'],
    'disputed',
    `${ID}/d-1`,
  ],
  [
    'a payout that was one too many and was undone',
    ['paid', 'confirmed', 'paid twice, and one came back'],
    'paid-twice',
    `${ID}/${ID}_0_0`,
  ],
] as const)('the support is not told of %s before the letter went', async (_, steps, kind, of) => {
  await market.order(...steps);
  const { round, mailer } = market.office();
  await round();
  const title = { 'taken-back': 'Taken back', 'paid-twice': 'Paid twice', disputed: 'Disputed' }[
    kind
  ];
  expect(market.letters.filter((sent) => sent.title.startsWith(`[Money] ${title}`))).toEqual([]);
  // One that could not be sent before is tried again without a look at what is owed.
  expect(await mailer.deliver(kind, of)).toBe('not-owed');
});

it('the support is told once of a seller who was paid twice', async () => {
  await market.order('paid', 'confirmed', 'seller paid twice');
  const { round } = market.office();
  await round();
  await round();
  const told = market.letters.filter(({ to }) => to === 'help@oja.example');
  expect(told.map(({ title }) => title)).toEqual([`[Money] Paid twice: a seller of order ${ID}`]);
  expect(told[0]?.text).toContain('Ada & Daughters: ₦20,000');
  expect(told[0]?.text).toContain(`${ID}_0_0`);
  expect(JSON.stringify(told)).not.toMatch(/Ngozi|ngozi@/);
});
