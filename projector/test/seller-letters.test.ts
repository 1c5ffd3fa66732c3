import {
  DAY_MS,
  EMAIL_CODE_VALID_MS,
  HOUR_MS,
  type InboxEvent,
  MINUTE_MS,
  type OrderLine,
  SELLER_NEWS_MS,
  type SellerEvent,
  type TransactionCommand,
  type TransactionEvent,
  type TransactionState,
  transaction,
} from '@oja/domain';
import { createReadModels, type Keys, type Letter, type Sealer, type State } from '@oja/platform';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noticesToMail, projections, suppressNews } from '../src/index.js';
import { MemoryDocuments } from './support/documents.js';
import { follow } from './support/follow.js';
import { MemoryLog } from './support/log.js';
import { lettersOf, openStores, type Stores } from './support/mail.js';
import { recorded } from './support/shop.js';

const ORDER = '3f0c1b9e-0000-4000-8000-000000000001';
const START = Date.parse('2026-03-01T08:00:00.000Z');
const EMAIL = 'ada@example.com';

let stores: Stores;
let keys: Keys;
let state: State;
let sealer: Sealer;
let log: MemoryLog;
let documents: MemoryDocuments;
let letters: Letter[];
let broken: boolean;
let now: number;
let order: TransactionState;

beforeEach(async () => {
  stores = await openStores();
  ({ keys, state, sealer } = stores);
  log = new MemoryLog();
  documents = new MemoryDocuments();
  letters = [];
  broken = false;
  now = START;
  order = transaction.initial;
  await registered('ada', 'Ada & Daughters');
  await registered('bisi', 'Bisi Stores');
});

afterEach(() => stores.close());

const at = () => new Date(now).toISOString();

/** Appends events with the current time and lets every projection follow. Moves the clock on by a minute. */
async function happens(
  stream: string,
  ...events: readonly (SellerEvent | TransactionEvent | InboxEvent)[]
) {
  for (const { type, data } of events) {
    const revision = log.events.filter((event) => event.stream === stream).length;
    const raw = recorded(stream, revision, type, data);
    log.record([{ ...raw, metadata: { ...raw.metadata, time: at() } }]);
  }
  for (const projection of projections) await follow(log, documents, projection, { batchSize: 9 });
  now += MINUTE_MS;
}

async function registered(sellerId: string, businessName: string): Promise<void> {
  const sealed = await sealer.seal(`seller:${sellerId}`, `seller-${sellerId}`, {
    name: 'Ada Obi',
    phone: '08031234567',
  });
  const data = { sellerId, businessName, ...sealed };
  await happens(`seller-${sellerId}`, { type: 'SellerRegistered', data });
}

const ofAda = (...events: readonly SellerEvent[]) => happens('seller-ada', ...events);
async function asked(ask: number, email = EMAIL): Promise<void> {
  const sealed = await sealer.seal('seller:ada', 'seller-ada', { email, code: `00000${ask}` });
  await ofAda({ type: 'SellerEmailAsked', data: { sellerId: 'ada', ask, ...sealed, at: at() } });
}
const confirmed = (ask: number) =>
  ofAda({ type: 'SellerEmailConfirmed', data: { sellerId: 'ada', ask } });
const switched = (on: boolean) =>
  ofAda({ type: 'SellerLettersSwitched', data: { sellerId: 'ada', on } });
const suspended = () =>
  ofAda({ type: 'SellerSuspended', data: { sellerId: 'ada', by: 'operator' } });

const line = (sellerId: string, businessName: string, name: string): OrderLine => ({
  productId: `p-${sellerId}`,
  sellerId,
  businessName,
  name,
  image: 'bag.jpg',
  subcategoryId: 1,
  quantity: 2,
  unitPrice: 1_150_000,
  priceKind: 'upload',
});
const lines = [line('ada', 'Ada & Daughters', 'Red <Bag>'), line('bisi', 'Bisi Stores', 'Lamp')];
const AMOUNT = 4_600_000;

/** Runs commands on the order and appends the events that the domain decides. */
async function carriedOut(...commands: readonly TransactionCommand[]): Promise<void> {
  for (const command of commands) {
    const decision = transaction.decide(command, order);
    if (!decision.ok) throw new Error(decision.refusal.message);
    order = decision.events.reduce(transaction.evolve, order);
    await happens(`transaction-${ORDER}`, ...decision.events);
  }
}

const payment = () =>
  ({
    type: 'VerifyPayment',
    reference: ORDER,
    status: 'success',
    amount: AMOUNT,
    currency: 'NGN',
    fees: 0,
    channel: 'card',
    providerId: '1',
    paidAt: at(),
    at: at(),
  }) as const;

/** Ngozi's paid order from two sellers. */
async function paid(): Promise<void> {
  const buyer = await sealer.seal(`transaction:${ORDER}`, `transaction-${ORDER}`, {
    fullName: 'Ngozi Eze',
    email: 'ngozi@example.com',
    homeAddress: '1 Road',
    phoneNumber: '08030000000',
    secret: 'AbCdEfGhIjKlMnOpQrStUv',
  });
  await carriedOut(
    { type: 'PlaceOrder', transactionId: ORDER, lines, amount: AMOUNT, ...buyer, at: at() },
    payment(),
  );
}
const delivered = () => carriedOut({ type: 'ConfirmDelivery', at: at() });

const office = () =>
  lettersOf({
    documents,
    sealer,
    keys,
    state,
    now: () => now,
    send: async (letter) => {
      if (broken) throw new Error('the mail server is away');
      letters.push(letter);
    },
  });
const round = () => office().round();
/** Letters to sellers; `letters` also holds those to buyers. */
const toSellers = () => letters.filter(({ subject }) => subject.startsWith('seller:'));
const titles = () => toSellers().map(({ title }) => title);

describe('a code', () => {
  it('goes once to the address that it is to prove', async () => {
    await asked(1);
    const { mailer } = office();
    expect(await mailer.deliver('email-code', 'ada/1')).toBe('sent');
    expect(await mailer.deliver('email-code', 'ada/1')).toBe('sent-before');
    await round();
    expect(toSellers()).toHaveLength(1);
    expect(toSellers()[0]).toMatchObject({
      to: EMAIL,
      subject: 'seller:ada',
      replyTo: 'help@oja.example',
      title: 'Your code for letters from Oja',
    });
    expect(toSellers()[0]?.text).toContain('\n\n000001\n\n');
    expect(toSellers()[0]?.text).toContain('It is good for 30 minutes.');
  });

  it('is written by the next round where its job was lost', async () => {
    await asked(1);
    await round();
    await round();
    expect(titles()).toEqual(['Your code for letters from Oja']);
  });

  it('that is good for nothing any more is not written', async () => {
    await asked(1);
    await asked(2, 'other@example.com');
    const { mailer } = office();
    expect(await mailer.deliver('email-code', 'ada/1')).toBe('not-owed');
    now += EMAIL_CODE_VALID_MS;
    expect(await mailer.deliver('email-code', 'ada/2')).toBe('not-owed');
    await asked(3);
    await confirmed(3);
    expect(await mailer.deliver('email-code', 'ada/3')).toBe('not-owed');
    expect(letters).toEqual([]);
  });

  it('that the read model does not know of yet is tried again', async () => {
    await expect(office().mailer.deliver('email-code', 'ada/1')).rejects.toThrow(/projected yet/);
  });
});

describe('an address that letters no longer go to', () => {
  const TITLE = 'Letters from Oja no longer come to this address';
  const left = () => toSellers().filter(({ title }) => title === TITLE);

  it('is told so once, when another takes its place and when it is removed', async () => {
    await asked(1);
    await confirmed(1);
    await round();
    expect(left()).toEqual([]);
    await asked(2, 'new@example.com');
    await confirmed(2);
    await ofAda({ type: 'SellerEmailRemoved', data: { sellerId: 'ada' } });
    await round();
    await round();
    expect(left().map(({ to }) => to)).toEqual([EMAIL, 'new@example.com']);
    expect(left()[0]).toMatchObject({ subject: 'seller:ada', replyTo: 'help@oja.example' });
    expect(left()[0]?.text).toContain('somebody knows your password');
    expect(left()[0]?.text).not.toContain('new@example.com');
  });

  it('is written to later where the read model does not know of its end yet', async () => {
    await asked(1);
    await confirmed(1);
    await round();
    const data = { sellerId: 'ada' };
    const revision = log.events.filter(({ stream }) => stream === 'seller-ada').length;
    const raw = recorded('seller-ada', revision, 'SellerEmailRemoved', data);
    log.record([{ ...raw, metadata: { ...raw.metadata, time: at() } }]);
    const follows = async (is: (name: string) => boolean) => {
      for (const projection of projections)
        if (is(projection.name)) await follow(log, documents, projection, { batchSize: 9 });
    };
    await follows((name) => name === 'obligations');
    await round();
    expect(left()).toEqual([]);
    await follows((name) => name !== 'obligations');
    now += MINUTE_MS;
    await round();
    expect(left()).toHaveLength(1);
  });

  it('is not written to where it was confirmed again, nor long after, nor once its seller is forgotten', async () => {
    for (const ask of [1, 2]) {
      await asked(ask);
      await confirmed(ask);
    }
    await round();
    await ofAda({ type: 'SellerEmailRemoved', data: { sellerId: 'ada' } });
    now += SELLER_NEWS_MS;
    await round();
    await asked(3);
    await confirmed(3);
    await ofAda({ type: 'SellerEmailRemoved', data: { sellerId: 'ada' } });
    await keys.destroy('seller:ada');
    await round();
    expect(left()).toEqual([]);
  });
});

describe('letters of money', () => {
  it('tell a seller of their own part, and nothing of the buyer', async () => {
    await asked(1);
    await confirmed(1);
    await paid();
    await delivered();
    await round();
    await round();
    expect(titles()).toEqual(['₦20,000 released to you (order 3F0C1B9E)']);
    const { text = '', html = '', to } = toSellers()[0] ?? {};
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
    await asked(1);
    await confirmed(1);
    await paid();
    now += 3 * DAY_MS;
    const complaint = { sealed: 'x', subject: `transaction:${ORDER}` };
    const settled = { type: 'ResolveDispute', by: 'operator', note: complaint } as const;
    await carriedOut({ type: 'ReportProblem', sellerIds: ['ada'], complaint, at: at() });
    await carriedOut({ ...settled, sellerId: 'ada', outcome: 'release', at: at() });
    await carriedOut({ type: 'RequestPayout', sellerId: 'ada', method: 'transfer', at: at() });
    const payoutId = `${ORDER}_0_0`;
    await carriedOut({ type: 'FailPayout', payoutId, reason: 'no such account', at: at() });
    await suspended();
    await ofAda({ type: 'SellerReinstated', data: { sellerId: 'ada', by: 'operator' } });
    const part = { sealed: 'x', subject: 'seller:ada' };
    const account = { accountName: part, accountNumber: part, bankCode: part };
    for (const _ of ['first', 'other'])
      await ofAda({ type: 'PayoutAccountSet', data: { sellerId: 'ada', ...account } });
    await ofAda({ type: 'SellerPasswordChanged', data: { sellerId: 'ada' } });
    await round();
    await round();
    expect(titles()).toEqual([
      'The buyer reported a problem with your goods (order 3F0C1B9E)',
      '₦20,000 released to you (order 3F0C1B9E)',
      'The payout of ₦20,000 failed (order 3F0C1B9E)',
      'Your store is suspended',
      'Your store is open again',
      'Your payouts go to another bank account now',
      'Your password was changed',
    ]);
  });

  it('tell of a payout that was sent, and that the bank may take its time', async () => {
    await asked(1);
    await confirmed(1);
    await paid();
    await delivered();
    await carriedOut({ type: 'RequestPayout', sellerId: 'ada', method: 'transfer', at: at() });
    await round();
    expect(titles()).toEqual(['₦20,000 released to you (order 3F0C1B9E)']);
    await carriedOut({ type: 'CompletePayout', payoutId: `${ORDER}_0_0`, at: at() });
    await round();
    await round();
    expect(titles().slice(1)).toEqual(['₦20,000 paid out (order 3F0C1B9E)']);
    expect(toSellers().at(-1)?.text).toContain('a working day');
  });

  it('promise nothing where the payment was taken back before the payout failed', async () => {
    await asked(1);
    await confirmed(1);
    await paid();
    await delivered();
    await carriedOut({ type: 'RequestPayout', sellerId: 'ada', method: 'transfer', at: at() });
    const takenBack = { ...payment(), status: 'reversed' } as const;
    await carriedOut(takenBack);
    const payoutId = `${ORDER}_0_0`;
    await carriedOut({ type: 'FailPayout', payoutId, reason: 'no such account', at: at() });
    await round();
    await round();
    expect(titles().at(-1)).toBe('The payout of ₦20,000 failed (order 3F0C1B9E)');
    const { text = '' } = toSellers().at(-1) ?? {};
    expect(text).not.toMatch(/sent again, and|bank details/);
    expect(text).toContain('this is not sent again unless the payment comes back');
  });

  it('tell of a refund whose money it was, and that the goods are not paid for', async () => {
    await asked(1);
    await confirmed(1);
    await paid();
    now += 3 * DAY_MS;
    const complaint = { sealed: 'x', subject: `transaction:${ORDER}` };
    const settled = { type: 'ResolveDispute', by: 'operator', outcome: 'refund' } as const;
    const sellerIds = ['ada', 'bisi'];
    await carriedOut({ type: 'ReportProblem', sellerIds, complaint, at: at() });
    await carriedOut({ ...settled, sellerId: 'bisi', at: at() });
    await round();
    expect(titles()).toEqual(['The buyer reported a problem with your goods (order 3F0C1B9E)']);
    await carriedOut({ ...settled, sellerId: 'ada', at: at() });
    await round();
    await round();
    expect(titles().slice(1)).toEqual([
      'The buyer gets the money for your goods back (order 3F0C1B9E)',
    ]);
    expect(toSellers().at(-1)?.text).toContain('You are not paid for these goods.');
  });

  it('go to nobody without a confirmed address, and of nothing that was before it', async () => {
    await asked(1);
    await paid();
    await delivered();
    await round();
    await confirmed(1);
    await round();
    expect(titles()).toEqual(['Your code for letters from Oja']);
    await suspended();
    await round();
    expect(titles()).toEqual(['Your code for letters from Oja', 'Your store is suspended']);
  });

  it('do not go while they are off, nor afterwards of what happened then', async () => {
    await asked(1);
    await confirmed(1);
    await switched(false);
    await suspended();
    await round();
    await switched(true);
    await round();
    expect(titles()).not.toContain('Your store is suspended');
    await ofAda({ type: 'SellerReinstated', data: { sellerId: 'ada', by: 'operator' } });
    await round();
    expect(titles().at(-1)).toBe('Your store is open again');
  });

  it('go to the new address once its code was typed, and to none that was removed', async () => {
    await asked(1);
    await confirmed(1);
    await asked(2, 'new@example.com');
    await suspended();
    await round();
    expect(toSellers().at(-1)).toMatchObject({ to: EMAIL, title: 'Your store is suspended' });
    await confirmed(2);
    await ofAda({ type: 'SellerReinstated', data: { sellerId: 'ada', by: 'operator' } });
    await round();
    expect(toSellers().at(-1)).toMatchObject({ to: 'new@example.com' });
    await ofAda({ type: 'SellerEmailRemoved', data: { sellerId: 'ada' } });
    const before = titles().filter((title) => title.startsWith('Your store'));
    await suspended();
    await round();
    expect(titles().filter((title) => title.startsWith('Your store'))).toEqual(before);
  });

  it('that could not be sent are sent later, once, also after a kill', async () => {
    await asked(1);
    await confirmed(1);
    await suspended();
    broken = true;
    await round();
    broken = false;
    now += HOUR_MS;
    await round();
    expect(titles()).toContain('Your store is suspended');
    const sent = toSellers().filter(({ title }) => title === 'Your store is suspended');
    // Another process with rebuilt read models: neither knows what was sent.
    documents = new MemoryDocuments();
    for (const projection of projections)
      await follow(log, documents, projection, { batchSize: 9 });
    await state.delete('letters-walked', 'seller-news');
    await round();
    expect(sent).toHaveLength(1);
    expect(toSellers().filter(({ title }) => title === 'Your store is suspended')).toEqual(sent);
  });

  it('are not written of what was cleared, of what is old, and of what was imported', async () => {
    await asked(1);
    await confirmed(1);
    await suspended();
    const upTo = log.events.at(-1)?.position ?? '';
    await happens('inbox-ada', {
      type: 'NotificationsCleared',
      data: { sellerId: 'ada', upTo },
    });
    await ofAda({ type: 'SellerReinstated', data: { sellerId: 'ada', by: 'operator' } });
    await suppressNews(state, log.events.at(-1)?.id ?? '', now);
    await round();
    await suspended();
    now += SELLER_NEWS_MS;
    await round();
    expect(titles().filter((title) => title.startsWith('Your store'))).toEqual([]);
  });

  it('have nobody to go to once the seller is forgotten', async () => {
    await asked(1);
    await confirmed(1);
    await suspended();
    const subjects: string[] = [];
    const readModels = createReadModels(documents);
    const noticed = { documents, readModels, clock: { now: () => now } };
    for await (const { subject } of noticesToMail(noticed, '', at())) subjects.push(subject);
    expect(subjects).toHaveLength(1);
    await keys.destroy('seller:ada');
    expect(await office().mailer.deliver('seller-news', subjects[0] ?? '')).toBe('nobody');
    expect(toSellers()).toEqual([]);
  });
});
