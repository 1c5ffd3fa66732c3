import { obligations, type TransactionDocument, transactions } from '@oja/contracts/models';
import type { TransactionEvent } from '@oja/domain';
import {
  CHECKPOINTS,
  type Checkpoint,
  createReadModels,
  generationKey,
  type Keys,
  type Letter,
  LetterRefused,
  type Sealer,
  type State,
} from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { projections } from '../src/index.js';
import { orderHappens, PAID, type Step } from './support/decided-orders.js';
import { deferred } from './support/deferred.js';
import { MemoryDocuments } from './support/documents.js';
import { follow } from './support/follow.js';
import { MemoryLog } from './support/log.js';
import { lettersOf, openStores, type Stores } from './support/mail.js';
import { recorded } from './support/shop.js';

const ID = '3f0c1b9e-0000-4000-8000-000000000001';
const OTHER = '3f0c1b9e-0000-4000-8000-000000000002';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CONFIRMATION = 'http://localhost:8080/payment/verify/delivery-confirmation';

let stores: Stores;
let keys: Keys;
let state: State;
let sealer: Sealer;
let log: MemoryLog;
let documents: MemoryDocuments;
let letters: Letter[];
let broken: boolean;
/** An address that the mail server refuses for good; `askedFor` lists the address of every letter sent to it. */
let unknown: string | null;
let askedFor: string[];
let now: number;

beforeEach(async () => {
  stores = await openStores();
  ({ keys, state, sealer } = stores);
  log = new MemoryLog();
  documents = new MemoryDocuments();
  letters = [];
  broken = false;
  unknown = null;
  askedFor = [];
  now = Date.parse(PAID);
});

afterEach(() => stores.close());

/** Appends the events of an order, as the domain decides them. */
const order = (...steps: readonly Step[]) => orderOf(ID, 'ngozi@example.com', ...steps);

const orderOf = (id: string, email: string, ...steps: readonly Step[]) =>
  orderHappens({ sealer, log, documents }, id, email, ...steps);

/** Appends one more event to a stream, with the current time. */
async function goesOn(stream: string, { type, data }: TransactionEvent): Promise<void> {
  const revision = log.events.filter((event) => event.stream === stream).length;
  const raw = recorded(stream, revision, type, data);
  log.record([{ ...raw, metadata: { ...raw.metadata, time: new Date(now).toISOString() } }]);
  for (const projection of projections) await follow(log, documents, projection, { batchSize: 9 });
}

async function sendOrRefuse(letter: Letter): Promise<void> {
  askedFor.push(letter.to);
  if (broken) throw new Error(`450 4.2.1 <${letter.to}>: the mailbox is busy`);
  if (letter.to === unknown) throw new LetterRefused(`550 5.1.1 <${letter.to}>: no such user`);
  letters.push(letter);
}

async function forget(subject: string): Promise<void> {
  letters = letters.filter((letter) => letter.subject !== subject);
}

const office = (send = sendOrRefuse) =>
  lettersOf({ documents, sealer, keys, state, now: () => now, send, forget });

/** Why letters are put off, as it is stored. Mail servers repeat the address, which an erasure could not reach there. */
async function putOff(): Promise<readonly unknown[]> {
  const entries = await state.list<{ error: string }>('letters-later', '', now);
  return entries.map(({ value }) => value.error);
}

describe('a receipt', () => {
  it('goes to the buyer once, with the link that only they may have', async () => {
    await order('paid');
    const { mailer } = office();
    expect(await mailer.deliver('receipt', ID)).toBe('sent');
    expect(await mailer.deliver('receipt', ID)).toBe('sent-before');
    expect(letters).toHaveLength(1);
    expect(letters[0]).toMatchObject({
      to: 'ngozi@example.com',
      subject: `transaction:${ID}`,
      replyTo: 'help@oja.example',
      title: 'Your Oja order: ₦23,000 received',
    });
    expect(letters[0]?.text).toContain('Hello Ngozi Eze,');
    expect(letters[0]?.text).toContain('2 × Red <Bag> (Ada & Daughters): ₦23,000');
    expect(letters[0]?.text).toContain(`${CONFIRMATION}#${ID}.AbCdEfGhIjKlMnOpQrStUv`);
    expect(letters[0]?.html).toContain('2 × Red &lt;Bag&gt; (Ada &amp; Daughters)');
  });

  it('goes again each time that the buyer asks for it, and no more often', async () => {
    await order('paid', 'asked again');
    const { mailer, round } = office();
    expect(await mailer.deliver('receipt', ID)).toBe('sent');
    expect(await mailer.deliver('receipt-again', `${ID}/r-1`)).toBe('sent');
    await round();
    await round();
    expect(letters.map(({ to }) => to)).toEqual(Array(3).fill('ngozi@example.com'));
    expect(new Set(letters.map(({ id }) => id)).size).toBe(3);
    expect(letters[2]?.text).toBe(letters[0]?.text);
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
    await order('paid', ...steps, 'asked again');
    expect(await office().mailer.deliver('receipt-again', `${ID}/r-1`)).toBe('sent');
    expect(letters[0]?.text).toContain('2 × Red <Bag> (Ada & Daughters): ₦23,000');
    expect(letters[0]?.text).toContain(stands);
    expect(letters[0]?.text).not.toContain('We hold your money');
    expect(letters[0]?.text).not.toContain(CONFIRMATION);
  });

  it('of an order with a dispute keeps the link, since its money is held', async () => {
    await order('paid', 'complained', 'asked again');
    expect(await office().mailer.deliver('receipt-again', `${ID}/r-1`)).toBe('sent');
    expect(letters[0]?.text).toContain('We hold your money');
    expect(letters[0]?.text).toContain(CONFIRMATION);
  });

  it('goes once where a job and a round send it at the same time, and later if the job dies', async () => {
    await order('paid', 'confirmed');
    const { round } = office();
    const sending = deferred();
    const answered = deferred();
    const slow = office(async (letter) => {
      sending.resolve();
      await answered.promise;
      letters.push(letter);
    });
    const job = slow.mailer.deliver('receipt', ID);
    await sending.promise;
    await round();
    expect(letters).toEqual([]);
    now += 5 * 60_000;
    await round();
    expect(letters).toHaveLength(1);
    answered.resolve();
    await job;
    expect(await office().mailer.deliver('receipt', ID)).toBe('sent-before');
  });

  it('has nobody to go to once the buyer is forgotten', async () => {
    await order('paid');
    await keys.destroy(`transaction:${ID}`);
    expect(await office().mailer.deliver('receipt', ID)).toBe('nobody');
    expect(letters).toEqual([]);
  });

  it('is not kept if the buyer is forgotten while it is being sent', async () => {
    await order('paid');
    const { mailer } = office(async (letter) => {
      await keys.destroy(letter.subject);
      await forget(letter.subject);
      letters.push(letter);
    });
    await mailer.deliver('receipt', ID);
    expect(letters).toEqual([]);
  });
});

it.each([
  ['receipt', 0, 'nobody'],
  // The next reminder is due as well by then.
  ['reminder-2', 4 * DAY, 'not-owed'],
] as const)(
  'a %s is not kept if the buyer is forgotten while it is written and the process dies then',
  async (kind, laterMs, outcome) => {
    await order('paid');
    const written = deferred();
    const dying = office(async (letter) => {
      await keys.destroy(letter.subject);
      letters.push(letter);
      written.resolve();
      await new Promise(() => {});
    });
    now += 2 * DAY;
    void dying.mailer.deliver(kind, ID);
    await written.promise;
    expect(letters).toHaveLength(1);
    now += HOUR + laterMs;
    expect(await office().mailer.deliver(kind, ID)).toBe(outcome);
    expect(letters).toEqual([]);
  },
);

describe('the support', () => {
  it('is told once of money that is held aside, and of a payment that was taken back', async () => {
    await order('paid', 'paid twice', 'taken back');
    const { round } = office();
    await round();
    await round();
    const told = letters.filter(({ to }) => to === 'help@oja.example');
    expect(told.map(({ title }) => title)).toEqual([
      `[Money] Held aside: a payment for order ${ID}`,
      `[Money] Taken back: the payment of order ${ID}`,
    ]);
    expect(told[0]?.text).toContain('Refund requested: ₦23,000');
    expect(JSON.stringify(told)).not.toMatch(/Ngozi|ngozi@/);
  });

  it('keeps what it is told about the money of a buyer who is forgotten', async () => {
    await order('paid', 'paid twice');
    await keys.destroy(`transaction:${ID}`);
    const { round } = office();
    await round();
    expect(letters.map(({ title }) => title)).toEqual([
      `[Money] Held aside: a payment for order ${ID}`,
    ]);
  });

  it('is told of what was sold out, and so is its buyer, once, with what goes back', async () => {
    await order('sold out');
    const { round } = office();
    await round();
    await round();
    const [told, ...more] = letters.filter(({ to }) => to === 'ngozi@example.com');
    expect(more).toEqual([]);
    expect(told).toMatchObject({ title: 'No longer for sale: your ₦23,000 go back to you' });
    expect(told?.text).toContain(
      'were sold out or taken off the market before it came. Nothing was ordered',
    );
    expect(told?.text).toContain('Goes back to you: ₦23,000');
    expect(letters.filter(({ title }) => title.startsWith('[Money] Held aside'))).toHaveLength(1);
  });

  it('is told of each payment that is held aside, by a letter of its own', async () => {
    await order('paid', 'paid twice', 'paid thrice');
    const { round } = office();
    await round();
    await round();
    const told = letters.filter(({ title }) => title.startsWith('[Money] Held aside'));
    expect(told).toHaveLength(2);
  });

  it('is told once of a refund that the provider would not make', async () => {
    await order('paid', 'paid twice', 'refund failed');
    const { round } = office();
    for (let day = 0; day < 3; day += 1) {
      await round();
      now += DAY;
    }
    const told = letters.filter(({ title }) => title.startsWith('[Money] Not given back'));
    expect(told.map(({ title }) => title)).toEqual([
      `[Money] Not given back: a refund of order ${ID}`,
    ]);
    expect(told[0]?.text).toContain('Refund failed: ₦23,000');
    expect(JSON.stringify(told)).not.toMatch(/Ngozi|ngozi@/);
  });

  it('is told of each further refund that failed, and each time the payment is taken back', async () => {
    await order('paid', 'paid twice', 'paid thrice', 'taken back');
    const stream = `transaction-${ID}`;
    const collection = await createReadModels(documents).liveCollection(
      transactions,
      'transactions',
    );
    const refundIds = (await documents.get<TransactionDocument>(collection, ID))?.refunds.map(
      ({ refundId }) => refundId,
    );
    const { round } = office();
    await round();
    letters = [];
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
      now += HOUR;
      await goesOn(stream, event);
      now += 1_000;
      await round();
      await round();
    }
    expect(letters.map(({ title }) => title.split(':')[0])).toEqual([
      '[Money] Not given back',
      '[Money] Not given back',
      '[Money] Taken back',
    ]);
    expect(letters[1]?.text.match(/Refund failed/g)).toHaveLength(2);
    expect(new Set(letters.map(({ id }) => id)).size).toBe(3);
  });
});

it('money of another currency is told in its own, and its fees are no kobo of the order', async () => {
  await order('paid', 'paid in dollars');
  await office().round();
  const [told] = letters.filter(({ title }) => title.startsWith('[Money] Held aside'));
  expect(told?.text).toContain('USD 1,150');
  const collection = await createReadModels(documents).liveCollection(transactions, 'transactions');
  expect(await documents.get(collection, ID)).toMatchObject({ providerFees: 0 });
});

it('a refund of another currency that failed is told in its own', async () => {
  await order('paid', 'paid in dollars', 'refund failed');
  await office().round();
  const [told] = letters.filter(({ title }) => title.startsWith('[Money] Not given back'));
  expect(told?.text).toContain('Refund failed: USD 1,150');
});

it.each([
  ['a payment that came back', ['paid', 'taken back', 'given back'], 'taken-back', ID],
  [
    'a payout that was one too many and was undone',
    ['paid', 'confirmed', 'paid twice, and one came back'],
    'paid-twice',
    `${ID}/${ID}_0_0`,
  ],
] as const)('the support is not told of %s before the letter went', async (_, steps, kind, of) => {
  await order(...steps);
  const { round, mailer } = office();
  await round();
  expect(letters.filter(({ title }) => title.startsWith('[Money]'))).toEqual([]);
  // One that could not be sent before is tried again without a look at what is owed.
  expect(await mailer.deliver(kind, of)).toBe('not-owed');
});

it('the support is told once of a seller who was paid twice', async () => {
  await order('paid', 'confirmed', 'seller paid twice');
  const { round } = office();
  await round();
  await round();
  const told = letters.filter(({ to }) => to === 'help@oja.example');
  expect(told.map(({ title }) => title)).toEqual([`[Money] Paid twice: a seller of order ${ID}`]);
  expect(told[0]?.text).toContain('Ada & Daughters: ₦20,000');
  expect(told[0]?.text).toContain(`${ID}_0_0`);
  expect(JSON.stringify(told)).not.toMatch(/Ngozi|ngozi@/);
});

describe('a round', () => {
  it('sends what a queue has lost, and tries again what could not be sent', async () => {
    await order('paid');
    const { round } = office();
    broken = true;
    await round();
    expect(letters).toEqual([]);
    expect(await putOff()).toEqual(['450 4.2.1 <[e-mail]>: the mailbox is busy']);
    broken = false;
    await round();
    await round();
    expect(letters.map(({ id }) => id)).toEqual([`receipt-transaction-${ID}`]);
  });

  it('goes on past a letter that is refused for good, and gives it up after some days', async () => {
    unknown = 'nobody@example.com';
    await orderOf(OTHER, unknown, 'paid', 'confirmed');
    await order('paid', 'confirmed');
    const { round, mailer } = office();
    await round();
    expect(letters.map(({ to }) => to)).toEqual(['ngozi@example.com']);
    expect(await putOff()).toEqual(['550 5.1.1 <[e-mail]>: no such user']);
    // A queue retries within seconds, which is too early.
    expect(await mailer.deliver('receipt', OTHER)).toBe('later');
    for (let hour = 0; hour < 10 * 24; hour += 1) {
      now += HOUR;
      await round();
    }
    expect(askedFor.filter((to) => to === unknown)).toHaveLength(5);
    expect(letters).toHaveLength(1);
    expect(await state.get('letters', `receipt/${OTHER}`, now)).toMatchObject({
      value: { outcome: 'refused' },
    });
  });

  it('is not held up by an order that nobody can read', async () => {
    await orderOf(OTHER, 'away@example.com', 'paid', 'confirmed');
    await order('paid', 'confirmed');
    const readModels = createReadModels(documents);
    const orders = await readModels.liveCollection(transactions, 'transactions');
    await documents.commit([{ type: 'delete', collection: orders, id: OTHER }]);
    const { round } = office();
    const walked = async () =>
      (await state.get<{ upTo: string }>('letters-walked', 'receipt', now))?.value.upTo;
    await round();
    expect(letters.map(({ to }) => to)).toEqual(['ngozi@example.com']);
    expect(await walked()).toBe(new Date(now).toISOString());
  });

  it('does not come back to what is settled, unless a stream that waited was let go', async () => {
    await order('paid', 'confirmed');
    const { round, mailer } = office();
    const deliver = vi.spyOn(mailer, 'deliver');
    await round();
    expect(deliver).toHaveBeenCalledTimes(1);
    const twoDays = async () => {
      for (let quarter = 0; quarter < 8; quarter += 1) {
        now += 6 * HOUR;
        await round();
      }
    };
    // The letter is checked again for one day, because a clock may jump back that far, and then no more.
    await twoDays();
    deliver.mockClear();
    await twoDays();
    expect(deliver).not.toHaveBeenCalled();
    const readModels = createReadModels(documents);

    await orderOf(OTHER, 'late@example.com', 'paid', 'confirmed');
    await round();
    expect(letters).toHaveLength(1);
    const key = generationKey(obligations, (await readModels.live(obligations)).generation);
    const checkpoint = await documents.get<Checkpoint>(CHECKPOINTS, key);
    if (checkpoint === null) throw new Error('there is no checkpoint');
    const letGo = { ...checkpoint, repairs: checkpoint.repairs + 1 };
    await documents.commit([{ type: 'put', collection: CHECKPOINTS, id: key, document: letGo }]);
    await round();
    expect(letters.map(({ to }) => to)).toEqual(['ngozi@example.com', 'late@example.com']);
  });

  it('reminds on days 2, 5 and 10 whoever has not confirmed', async () => {
    await order('paid');
    const { round } = office();
    for (const day of [0, 1, 2, 3, 5, 10, 11, 30]) {
      now = Date.parse(PAID) + day * DAY;
      await round();
    }
    expect(letters.map(({ id }) => id.split('-transaction')[0])).toEqual([
      'receipt',
      'reminder-2',
      'reminder-5',
      'reminder-10',
    ]);
    expect(letters[3]?.text).toContain('On 1 March 2026 you paid ₦23,000');
  });

  it('reminds again whose payment was taken back and came back', async () => {
    await order('paid', 'taken back', 'given back');
    const { round } = office();
    for (const day of [0, 2, 5, 10]) {
      now = Date.parse(PAID) + day * DAY;
      await round();
    }
    const reminded = letters.map(({ id }) => id.split('-transaction')[0] ?? '');
    expect(reminded.filter((kind) => kind.startsWith('reminder'))).toEqual([
      'reminder-2',
      'reminder-5',
      'reminder-10',
    ]);
  });

  it('reminds once of an order, however long no mail could be sent', async () => {
    await order('paid');
    now += 11 * DAY;
    const { round } = office();
    await round();
    await round();
    expect(letters.map(({ id }) => id.split('-transaction')[0])).toEqual([
      'receipt',
      'reminder-10',
    ]);
  });

  it('reminds nobody who has confirmed', async () => {
    await order('paid', 'confirmed');
    now += 11 * DAY;
    await office().round();
    expect(letters.map(({ title }) => title)).toEqual(['Your Oja order: ₦23,000 received']);
  });

  it('sends nothing for an order that was not paid', async () => {
    await order();
    now += 11 * DAY;
    await office().round();
    expect(letters).toEqual([]);
  });
});
