import type { ActDocument, TimelineDocument } from '@oja/contracts/models';
import {
  type EventOf,
  type listingEvents,
  type SellerEvent,
  type TransactionCommand,
  type TransactionState,
  transaction,
} from '@oja/domain';
import { describe, expect, it } from 'vitest';
import {
  complain,
  confirm,
  hour,
  ORDER,
  pay,
  payOut,
  payoutDone,
  payoutFailed,
  payoutId,
  place,
  secret,
  settle,
} from '../../domain/test/orders.js';
import { timeline } from '../src/projections/timeline.js';
import { MemoryDocuments } from './support/documents.js';
import { contents, follow } from './support/follow.js';
import { MemoryLog } from './support/log.js';
import { record } from './support/orders.js';
import { recorded } from './support/shop.js';

type ListingEvent = EventOf<typeof listingEvents>;

const CHIDI = 'operator:Chidi O.';

/** A command and its actor, as written to the metadata of its events. */
type Given = readonly [TransactionCommand, actor: string];

/** The timeline of an order after these commands, oldest first: for admins and for its sellers. */
async function after(...given: readonly Given[]) {
  const log = new MemoryLog();
  let state: TransactionState = transaction.initial;
  for (const [command, actor] of given) {
    const decision = transaction.decide(command, state);
    if (!decision.ok) throw new Error(decision.refusal.message);
    state = decision.events.reduce(transaction.evolve, state);
    const from = log.events.length;
    const events = record(`transaction-${ORDER}`, hour(0), decision.events);
    log.record(
      events.map((event, i) => ({
        ...event,
        id: `event-${from + i}`,
        revision: from + i,
        metadata: { ...event.metadata, actor },
      })),
    );
  }
  const documents = new MemoryDocuments();
  await follow(log, documents, timeline, { batchSize: 500 });
  const tables = contents(documents, timeline);
  const of = <D extends TimelineDocument>(name: string): readonly D[] =>
    Object.values(tables[name] ?? {})
      .map((text): D => JSON.parse(text))
      .sort((a, b) => (a.position < b.position ? -1 : 1));
  return { acts: of<ActDocument>('acts'), entries: of('entries') };
}

const buyer = (...commands: readonly TransactionCommand[]): readonly Given[] =>
  commands.map((command) => [command, 'buyer']);
const delivered = buyer(place, pay, confirm);
const byHand = (reason: string): TransactionCommand => ({
  type: 'SettlePayout',
  sellerId: 'ada',
  reason,
  at: hour(80),
});

it('tells admins who recorded a share as paid, of how much and why', async () => {
  const { acts, entries } = await after(...delivered, [byHand('paid in cash'), CHIDI]);
  expect(acts).toMatchObject([
    {
      act: 'payout',
      kind: 'transaction',
      subject: ORDER,
      sellerId: 'ada',
      amount: 200_000,
      actor: CHIDI,
      text: 'Recorded as paid: paid in cash',
    },
  ]);
  const ofSeller = entries.filter(({ kind }) => kind === 'seller');
  expect(ofSeller.at(-1)).toMatchObject({ actor: 'operator', text: '₦2,000 paid out' });
  expect(JSON.stringify(entries)).not.toMatch(/Chidi|in cash/);
});

it('tells who gave a transfer up before the share was paid otherwise', async () => {
  const { acts } = await after(
    ...delivered,
    [payOut('ada'), 'sweep'],
    [byHand('paid in cash'), CHIDI],
  );
  expect(acts.map(({ text }) => text)).toEqual([
    'Transfer given up: paid in cash',
    'Recorded as paid: paid in cash',
  ]);
});

it('tells who ended a payout, also of before operators had names', async () => {
  const { acts } = await after(
    ...delivered,
    [payOut('ada', 'manual'), 'operator'],
    [payoutFailed(payoutId(0)), 'operator'],
  );
  expect(acts).toMatchObject([
    { act: 'payout', sellerId: 'ada', amount: 200_000, actor: 'operator' },
  ]);
  expect(acts[0]?.text).toBe('Payout ended: no such account');
});

it('counts nothing that the provider says of a payout as an act', async () => {
  const { acts } = await after(
    ...delivered,
    [payOut('ada'), 'sweep'],
    [payoutFailed(payoutId(0)), 'paystack'],
    [payOut('ada'), 'sweep'],
    [payoutDone(payoutId(0, 1)), 'paystack'],
  );
  expect(acts).toEqual([]);
});

it.each([
  ['release', 200_000],
  ['refund', 230_000],
] as const)('tells what a dispute was about in money, settled by %s', async (outcome, amount) => {
  const { acts } = await after(
    ...buyer(place, pay, complain('ada', 'bisi')),
    [settle('ada', outcome), CHIDI],
    [settle('bisi', 'release'), 'seller:admin'],
  );
  expect(acts).toMatchObject([
    { act: 'dispute', sellerId: 'ada', amount, actor: CHIDI },
    { act: 'dispute', sellerId: 'bisi', amount: expect.any(Number), actor: 'seller:admin' },
  ]);
  expect(acts[1]?.amount).not.toBe(amount);
});

it('names the refund of a payment in another currency in that currency', async () => {
  const dollars = {
    ...pay,
    reference: `${ORDER}-2`,
    providerId: '2',
    amount: 115_000,
    currency: 'USD',
  };
  const refundId = 'aside-2';
  const { entries } = await after(
    ...buyer(place, pay, dollars),
    ...buyer({ type: 'FailRefund', refundId, reason: 'no card', at: hour(2) }),
    ...buyer({ type: 'CompleteRefund', refundId, at: hour(3) }),
  );
  expect(entries.map(({ text }) => text).slice(-3)).toEqual([
    'A payment of USD 1,150.00 does not belong to the order and is held aside',
    'The refund of USD 1,150.00 failed',
    'USD 1,150.00 refunded',
  ]);
});

it('tells of a complaint those sellers whose goods it is about', async () => {
  const { entries } = await after(...buyer(place, pay, complain('bisi')));
  const told = entries.filter(({ type }) => type === 'DeliveryDisputed');
  expect(told.map(({ kind, subject }) => `${kind} ${subject}`)).toEqual([
    'seller bisi',
    `transaction ${ORDER}`,
  ]);
});

describe('what is no order', () => {
  const listed: ListingEvent = {
    type: 'ProductListed',
    data: {
      productId: 'bag',
      sellerId: 'ada',
      name: 'Bag',
      price: 1_150_000,
      priceKind: 'upload',
      description: 'A bag',
      subcategoryId: 1,
      state: 'Enugu',
      localGovt: 'Nsukka',
      condition: 'New',
      attributes: {},
      images: ['bag.webp'],
      at: hour(0),
    },
  };
  const own = { productId: 'bag', sellerId: 'ada' };

  /** The texts of the timelines after these events. */
  async function textsAfter(stream: string, ...events: readonly (ListingEvent | SellerEvent)[]) {
    const log = new MemoryLog();
    log.record(events.map(({ type, data }, i) => recorded(stream, i, type, data)));
    const documents = new MemoryDocuments();
    await follow(log, documents, timeline, { batchSize: 500 });
    const entries: readonly TimelineDocument[] = Object.values(
      contents(documents, timeline).entries ?? {},
    ).map((text) => JSON.parse(text));
    return entries.map(({ kind, subject, text }) => `${kind} ${subject}: ${text}`);
  }

  it('is told of a product to those who look at it, and at its seller', async () => {
    expect(await textsAfter('product-bag', listed)).toEqual([
      "product bag: Listed 'Bag' for ₦11,500",
      "seller ada: Listed 'Bag' for ₦11,500",
    ]);
  });

  it('names the new price of a product, and what else was changed', async () => {
    const price = { ...own, price: 1_380_000, priceKind: 'update' } as const;
    const name = { name: 'Red bag', description: 'A red bag' };
    const texts = await textsAfter(
      'product-bag',
      ...[listed, { type: 'ProductUpdated', data: price } as const],
      { type: 'ProductUpdated', data: { ...own, ...name } },
      { type: 'ProductUpdated', data: { ...price, ...name } },
    );
    expect(texts.filter((text) => text.includes('product bag: Updated'))).toEqual([
      'product bag: Updated; the price is ₦13,800',
      'product bag: Updated; changed: name, description',
      'product bag: Updated; the price is ₦13,800; changed: name, description',
    ]);
  });

  it('says whether letters were switched on or off', async () => {
    const signUp: SellerEvent = {
      type: 'SellerRegistered',
      data: { sellerId: 'ada', businessName: 'Ada', name: secret('n'), phone: secret('p') },
    };
    const letters = (on: boolean): SellerEvent => ({
      type: 'SellerLettersSwitched',
      data: { sellerId: 'ada', on },
    });
    expect(
      (await textsAfter('seller-ada', signUp, letters(false), letters(true))).slice(1),
    ).toEqual(['seller ada: Letters switched off', 'seller ada: Letters switched on']);
  });
});
