import {
  type ObligationDocument,
  obligations,
  type ReadModel,
  type SellerDocument,
  sellers,
} from '@oja/contracts/models';
import { DAY_MS, MINUTE_MS } from '@oja/domain';
import {
  CHECKPOINTS,
  type Checkpoint,
  collectionName,
  createMemoryDocuments,
  createMemoryDocumentsData,
  createMemoryKeys,
  createMemoryKeysData,
  createMemoryState,
  createMemoryStateData,
  createReadModels,
  generationKey,
  modelKey,
  type Operation,
  POINTERS,
  type Pointer,
  PROJECTION_STATE_COLLECTIONS,
} from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { obligationStatuses } from './obligations.js';

const NOW = Date.parse('2026-01-31T12:00:00Z');
const ago = (ms: number) => new Date(NOW - ms).toISOString();
const HOUR_AGO = ago(60 * MINUTE_MS);

const sealed = { sealed: 'x', subject: 'seller:ada' };
const account = { accountName: sealed, accountNumber: sealed, bankCode: sealed };

const owed = (
  what: Pick<ObligationDocument, 'kind' | 'subject'> & Partial<ObligationDocument>,
): ObligationDocument => ({
  due: HOUR_AGO,
  position: '7',
  sellerId: null,
  amount: null,
  item: null,
  providerId: null,
  keySubject: null,
  dueTimes: null,
  ...what,
});

const refund = (subject = 'order', due = HOUR_AGO) =>
  owed({ kind: 'refund', subject, due, item: 'r1' });
const payout = (item: string | null = null, subject = 'order', due = HOUR_AGO) =>
  owed({ kind: 'payout', subject, sellerId: 'ada', due, item });
const payoutCheck = (item: string) =>
  owed({ kind: 'payout-check', subject: 'order', due: ago(-DAY_MS), sellerId: 'ada', item });
const dispute = owed({ kind: 'dispute-check', subject: 'order', item: 'd1' });

type Ada = Pick<SellerDocument, 'payoutAccount' | 'erased'>;

/** A market with these obligations, whose only seller Ada has given an account, or not. */
async function marketOf(
  listed: readonly ObligationDocument[],
  {
    payouts = true,
    ada = { payoutAccount: account, erased: false },
  }: { readonly payouts?: boolean; readonly ada?: Ada } = {},
) {
  const documents = createMemoryDocuments(createMemoryDocumentsData());
  const state = createMemoryState(createMemoryStateData());
  const keys = createMemoryKeys(createMemoryKeysData());
  const clock = { now: () => NOW };
  await documents.ensure(PROJECTION_STATE_COLLECTIONS);
  const live: Pointer = { live: 1, previous: null, fed: [1], building: null, last: 1 };
  const checkpoint: Checkpoint = { logId: 'log', position: null, time: null, repairs: 0 };
  for (const model of [obligations, sellers] satisfies readonly ReadModel[]) {
    await documents.ensure(
      Object.entries(model.collections).map(([name, indexes]) => ({
        name: collectionName(model, 1, name),
        indexes,
      })),
    );
    await documents.commit([
      { type: 'put', collection: POINTERS, id: modelKey(model), document: live },
      {
        type: 'put',
        collection: CHECKPOINTS,
        id: generationKey(model, 1),
        document: checkpoint,
      },
    ]);
  }
  const collection = collectionName(sellers, 1, 'sellers');
  await documents.commit([
    { type: 'put', collection, id: 'ada', document: { sellerId: 'ada', ...ada } },
    ...listed.map(
      (document, n): Operation => ({
        type: 'put',
        collection: collectionName(obligations, 1, 'due'),
        id: `${n}`,
        document,
      }),
    ),
  ]);
  const context = {
    config: { payouts },
    engines: { documents, state, keys },
    readModels: createReadModels(documents, clock),
    clock,
  };
  return {
    state,
    /** How many of a kind are open, and how many of those are overdue. */
    async counted(kind: string) {
      const told = (await obligationStatuses(context)).find((each) => each.kind === kind);
      return [told?.open, told?.overdue];
    },
  };
}

/** What is kept about the refund `r1` of an order. */
async function refundMarket(memory: object | null, due = HOUR_AGO) {
  const market = await marketOf([refund('order', due)]);
  const none = { providerRefundId: null, failedIds: [], failures: 0, notBefore: 0 };
  if (memory !== null) await market.state.put('refunds', 'order/r1', { ...none, ...memory }, NOW);
  return market;
}

describe('a refund', () => {
  it('is not overdue while the provider has it, which takes days', async () => {
    const market = await refundMarket({ providerRefundId: '90' }, ago(9 * DAY_MS));
    expect(await market.counted('refund')).toEqual([1, 0]);
  });

  it.each([
    ['was never asked for', null],
    ['was asked for, without an answer', { notBefore: NOW + DAY_MS }],
    ['was refused', { failures: 1, notBefore: NOW + DAY_MS }],
    ['failed at the provider', { failedIds: ['90'], failures: 1 }],
    ['waits for somebody at the provider', { providerRefundId: '90', needsSomebody: true }],
  ])('is overdue when it %s', async (_, memory) => {
    expect(await (await refundMarket(memory)).counted('refund')).toEqual([1, 1]);
  });

  it('is overdue when the provider has had it for longer than any refund takes', async () => {
    const long = ago(15 * DAY_MS);
    const market = await refundMarket({ providerRefundId: '90' }, long);
    expect(await market.counted('refund')).toEqual([1, 1]);
    const anew = { providerRefundId: '91', failedIds: ['90'], notBefore: NOW - DAY_MS };
    expect(await (await refundMarket(anew, long)).counted('refund')).toEqual([1, 0]);
  });
});

describe('a payout by transfer', () => {
  /** What is kept about the payout of Ada's share. */
  const remember = (market: Awaited<ReturnType<typeof marketOf>>, memory: object) => {
    const before = { recipientCode: 'RCP_1', failures: 0, notBefore: 0 };
    return market.state.put('payouts', 'order/ada', { ...before, ...memory }, NOW);
  };

  it('is overdue when nothing keeps the market from paying', async () => {
    expect(await (await marketOf([payout()])).counted('payout')).toEqual([1, 1]);
    const others = owed({ kind: 'payout', subject: 'order', sellerId: 'a seller not known yet' });
    expect(await (await marketOf([others])).counted('payout')).toEqual([1, 1]);
  });

  it('waits for its seller, who has given no account or was erased', async () => {
    for (const ada of [
      { payoutAccount: null, erased: false },
      { payoutAccount: account, erased: true },
    ])
      expect(await (await marketOf([payout()], { ada })).counted('payout')).toEqual([1, 0]);
  });

  it('waits for the bank while a dispute of its order is open', async () => {
    expect(await (await marketOf([payout(), dispute])).counted('payout')).toEqual([1, 0]);
    const elsewhere = { ...dispute, subject: 'another order' };
    expect(await (await marketOf([payout(), elsewhere])).counted('payout')).toEqual([1, 1]);
  });

  it.each(['pending', 'otp'])('waits while the provider says %s', async (says) => {
    const market = await marketOf([payout('p1'), payoutCheck('p1')]);
    await remember(market, { payoutId: 'p1', says });
    expect(await market.counted('payout')).toEqual([1, 0]);
  });

  it('waits while the provider may still pay an earlier one, which an operator has ended', async () => {
    const market = await marketOf([payout(), payoutCheck('p1')]);
    await remember(market, { payoutId: 'p1', says: 'pending' });
    expect(await market.counted('payout')).toEqual([1, 0]);
  });

  it.each([
    ['says nothing of it', [payout('p1'), payoutCheck('p1')], null],
    ['has made another than was asked for', [payout('p1'), payoutCheck('p1')], 'success'],
    ['has failed to make it', [payout()], 'failed'],
    ['has had it for two weeks', [payout('p1', 'order', ago(15 * DAY_MS)), payoutCheck('p1')], 'x'],
  ])('is overdue when the provider %s', async (_, listed, says) => {
    const market = await marketOf(listed);
    await remember(market, { payoutId: 'p1', says });
    expect(await market.counted('payout')).toEqual([1, 1]);
  });

  it('waits for an operator where the provider pays nobody', async () => {
    expect(await (await marketOf([payout()], { payouts: false })).counted('payout')).toEqual([
      1, 0,
    ]);
  });
});

describe('a letter', () => {
  it.each([
    ['was never tried', null, 1],
    ['found no mail server', { refusals: 0 }, 1],
    ['was refused by the mail server', { refusals: 1 }, 0],
    ['is put off by the mail server', { refusals: 0, putOffSince: NOW - DAY_MS }, 0],
  ])('that %s', async (_, later, overdue) => {
    const market = await marketOf([owed({ kind: 'receipt', subject: 'order' })]);
    const tried = { tries: 1, nextAt: NOW, error: 'no', ...later };
    if (later !== null) await market.state.put('letters-later', 'receipt/order', tried, NOW);
    expect(await market.counted('receipt')).toEqual([1, overdue]);
  });
});

it('tells those that wait from those that are late, however many there are', async () => {
  const orders = Array.from({ length: 250 }, (_, n) => `order-${n}`);
  const disputed = orders.filter((_, n) => n % 2 === 0);
  const market = await marketOf([
    ...orders.map((order) => payout(null, order)),
    ...disputed.map((order) => ({ ...dispute, subject: order })),
  ]);
  expect(await market.counted('payout')).toEqual([250, 125]);
});
