import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { MINUTE_MS } from '@oja/domain/rules';
import { createEmbeddedState, files } from '@oja/platform';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createProvider, secretOf } from '../../test/chaos/provider.js';
import { Client } from '../../test/support/client.js';
import { type Market, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import {
  findListed,
  listBag,
  pay,
  placeOrder,
  registerSeller,
  verify,
} from '../../test/thread/walk.js';
import { oja, ojaJson } from './support/oja.js';
import { appendToOrder } from './support/opened.js';

interface Told {
  readonly time: string;
  readonly source: string;
  readonly what: string;
  readonly who: string | null;
  readonly requestId: string | null;
  readonly traceId: string | null;
  readonly details: string;
  readonly job?: {
    readonly state: string;
    readonly tries: number;
    readonly attempts: number;
    readonly error: string | null;
  };
}

interface Traced {
  readonly order: {
    readonly transactionId: string;
    readonly number: string;
    readonly payment: string;
    readonly received: string;
    readonly sellers: readonly { readonly sellerId: string }[];
  };
  readonly story: readonly Told[];
  readonly waits: readonly {
    readonly who: string;
    readonly what: string;
    readonly command: string | null;
  }[];
}

interface Found {
  readonly store: { readonly businessName: string } | null;
  readonly orders: readonly {
    readonly transactionId: string;
    readonly payment: string;
    readonly sellers: readonly string[];
  }[];
  readonly isCut: boolean;
}

const folder = temporaryFolder();
let market: Market;
let shopper: Client;
let key: string;
let payAt: string;
const idOf = (text: string): string => text.split('.')[0] ?? '';

beforeAll(async () => {
  market = await openSampleMarket(folder.path);
  const seller = await registerSeller(market.url, 'Storied House');
  await listBag(seller, 'Storied bag', 6_000, ['#3a3', '#a3a']);
  shopper = new Client(market.url);
  const placed = await placeOrder(shopper, await findListed(shopper, 'storied', 1));
  [key, payAt] = [placed.transactionId, placed.payAt];
}, 120_000);

afterAll(async () => {
  await market?.stop();
  folder.remove();
});

const traced = (what: string) => ojaJson<Traced>(folder.path, ['trace', what]);
const whoOf = ({ waits }: Traced) => waits.map(({ who }) => who);
const jobsOf = ({ story }: Traced) => story.filter(({ source }) => source === 'job');
/** What has happened, without the jobs, which go on meanwhile. */
const factsOf = ({ story }: Traced) => story.filter(({ source }) => source !== 'job');

it('tells of an order that is not paid, and that its buyer can move it', async () => {
  const told = await traced(idOf(key));
  const { order, waits } = told;
  expect(order).toMatchObject({ payment: 'not paid', received: 'PENDING' });
  expect(factsOf(told).map(({ what }) => what)).toEqual(['OrderPlaced', 'PaymentInitialized']);
  const paying = { who: 'buyer', what: 'the payment; the order expires then' };
  expect(waits[0]).toMatchObject(paying);
  // The provider has told of the payment, and nobody has worked on it yet.
  const state = await createEmbeddedState({ file: join(folder.path, files.state) });
  const notice = { type: 'charge.success', reference: idOf(key), key: 'told' };
  await state.put('webhooks', 'todo/told', { notice, at: Date.now() }, Date.now());
  const paid = await traced(idOf(key));
  await state.delete('webhooks', 'todo/told');
  await state.close();
  expect(paid.waits.slice(0, 2)).toMatchObject([
    { who: 'sweep', what: 'processing what the provider told: charge.success' },
    paying,
  ]);
});

it('tells of a job that waits for its time', async () => {
  const placed = Date.parse((await traced(idOf(key))).story[0]?.time ?? '');
  // It is asked for behind the log.
  const checks = await vi.waitUntil(
    async () => {
      const jobs = jobsOf(await traced(idOf(key)));
      return jobs.some(({ what }) => what === 'payment-checks') && jobs;
    },
    { timeout: 60_000, interval: 100 },
  );
  const job = { state: 'waiting', tries: 0, attempts: 8, error: null };
  const details = 'not started yet';
  expect(checks).toMatchObject([{ what: 'payment-checks', details, job }]);
  expect(Date.parse(checks[0]?.time ?? '')).toBeGreaterThanOrEqual(placed + MINUTE_MS);
});

it('tells the whole story by number, id, reference and key, with who, when and which request', async () => {
  expect(await verify(shopper, await pay(payAt))).toMatchObject({ ok: true });
  const id = idOf(key);
  const number = id.slice(0, 8).toUpperCase();
  // The receipt and the provider's notice come by themselves.
  await vi.waitUntil(
    async () => {
      const sources = (await traced(id)).story.map(({ source }) => source);
      return sources.includes('letter') && sources.includes('webhook');
    },
    { timeout: 60_000, interval: 100 },
  );
  const whole = await traced(number.toLowerCase());
  for (const text of [id, `#${number}`, `${id}-2`, key]) {
    const told = await traced(text);
    expect(told.order).toEqual(whole.order);
    expect(factsOf(told)).toEqual(factsOf(whole));
  }
  expect(whole.order).toMatchObject({ number, payment: 'paid', received: 'PENDING' });
  const { story } = whole;
  expect(story.map(({ time }) => time)).toEqual(story.map(({ time }) => time).sort());
  const verified = story.find(({ what }) => what === 'PaymentVerified');
  expect(verified).toMatchObject({ source: 'log', details: expect.stringContaining('amount ₦') });
  expect(story).toContainEqual(
    expect.objectContaining({ source: 'webhook', what: 'charge.success', who: 'provider' }),
  );
  expect(story).toContainEqual(
    expect.objectContaining({ source: 'letter', what: 'receipt', details: 'sent' }),
  );
  const request = story[0]?.requestId ?? '';
  const { text } = await oja(folder.path, ['events', '--correlation', request]);
  expect(text).toContain('OrderPlaced');
  expect(whoOf(whole)[0]).toBe('buyer');
  expect(whoOf(whole)).toContain('sweep');
}, 120_000);

it('tells nothing new once the provider has sent its notice again', async () => {
  const id = idOf(key);
  const before = factsOf(await traced(id));
  const heard = async () => {
    const { lines } = await oja(folder.path, ['logs', '-n', 'all', '--json']);
    return lines.filter((line) => line.includes('"route":"/v1/paystack/webhook"')).length;
  };
  const times = await heard();
  await fetch(`${payAt}/resend`, { method: 'POST', redirect: 'manual' });
  await expect.poll(heard, { timeout: 30_000 }).toBe(times + 1);
  expect(factsOf(await traced(id))).toEqual(before);
});

it('shows it to people, and nothing personal', async () => {
  const { code, text } = await oja(folder.path, ['trace', idOf(key)]);
  expect(code).toBe(0);
  expect(text).toContain('confirmation of the delivery by Storied House');
  expect(text).not.toMatch(/"sealed"|Allen Avenue|@example/);
});

it('tells what was refused, and what a service has said of it', async () => {
  const id = idOf(key);
  const { sellers } = (await traced(id)).order;
  const sellerIds = sellers.map(({ sellerId }) => sellerId);
  // Two days too early to complain.
  const early = await shopper.fetch(`/v1/orders/${key}/problem`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ sellerIds, message: 'It never came.' }),
  });
  const what = `POST /v1/orders/:orderKey/problem answered ${early.status}`;
  expect(early.status).toBeGreaterThanOrEqual(400);
  await vi.waitUntil(async () => (await traced(id)).story.some((told) => told.what === what), {
    timeout: 30_000,
    interval: 100,
  });
  // What a service says of an order, whatever file it writes to.
  const line = { level: 'warn', time: '2020-01-01T00:00:00.000Z', service: 'projector' };
  const said = {
    ...line,
    order: id,
    msg: 'the payment provider gave no payment page for an order',
    reason: 'unanswered',
  };
  appendFileSync(
    join(folder.path, 'logs', 'projector.log.1'),
    `${JSON.stringify(said)}\nhalf a li`,
  );
  expect((await traced(id)).story[0]).toEqual({
    time: line.time,
    source: 'service',
    what: 'the payment provider gave no payment page for an order',
    who: 'projector',
    requestId: null,
    traceId: null,
    details: 'unanswered',
  });
});

it('answers an unknown order with what is near, and with nothing where nothing is', async () => {
  const id = idOf(key);
  const wrong = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`;
  const near = await oja(folder.path, ['trace', wrong]);
  expect(near).toMatchObject({ code: 2, lines: [expect.stringContaining(`the nearest is ${id}`)] });
  for (const text of ['nope', 'beef', 'no such order'])
    expect(await oja(folder.path, ['trace', text])).toMatchObject({
      code: 2,
      lines: [`There is no order and no store '${text}'.`],
    });
  const meant = await oja(folder.path, ['trace', 'Storyed House']);
  expect(meant.lines).toEqual([
    "There is no order and no store 'Storyed House'; the nearest is Storied House.",
  ]);
});

it('leads to the one order of a store or of a buyer', async () => {
  const id = idOf(key);
  for (const text of ['storied house', 'chidi@example.com', ' CHIDI@Example.com ']) {
    const { order } = await traced(text);
    expect(order, text).toMatchObject({ transactionId: id });
  }
});

it('lists those of a store or of a buyer with several, newest first, to choose from', async () => {
  const second = await placeOrder(shopper, await findListed(shopper, 'storied', 1));
  const ids = [idOf(second.transactionId), idOf(key)];
  const found = (text: string) => ojaJson<Found>(folder.path, ['trace', text]);
  const idsOf = ({ orders }: Found) => orders.map(({ transactionId }) => transactionId);
  // The read model is a moment behind the log.
  await expect.poll(async () => idsOf(await found('Storied House'))).toEqual(ids);
  const ofStore = await found('Storied House');
  expect(ofStore).toMatchObject({ store: { businessName: 'Storied House' }, isCut: false });
  expect(ofStore.orders[0]).toMatchObject({ payment: 'not paid', sellers: ['Storied House'] });
  expect(await found('chidi@example.com')).toEqual({ ...ofStore, store: null });

  const { lines, text } = await oja(folder.path, ['trace', 'chidi@example.com']);
  expect(lines[0]).toBe('All 2 orders of this buyer:');
  for (const order of ids) expect(text).toContain(order.slice(0, 8).toUpperCase());
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  const newest = await oja(folder.path, ['trace', 'Storied House', '-n', '1']);
  expect(newest.text).toContain('The 1 newest order of Storied House:');
  expect(newest.text).not.toContain(idOf(key).slice(0, 8).toUpperCase());
  expect(newest.text).toContain('There are more');

  await ojaJson(folder.path, ['erase', '--transaction', ids[0] ?? '', '--yes']);
  expect((await traced('chidi@example.com')).order).toMatchObject({ transactionId: ids[1] });
  expect((await found('Storied House')).orders).toHaveLength(2);
});

it('says where nobody has ordered', async () => {
  await registerSeller(market.url, 'Quiet House');
  const said = async (text: string) => oja(folder.path, ['trace', text]);
  expect(await said('Quiet House')).toMatchObject({
    code: 2,
    lines: ['Nobody has ordered from Quiet House yet.'],
  });
  expect(await said('nobody@example.com')).toMatchObject({
    code: 2,
    lines: ['No order has this e-mail address. Buyers who were erased are not found.'],
  });
});

it('tells of a job that is tried again how often, when and why, and how it has ended', async () => {
  const { payAt, transactionId } = await placeOrder(
    shopper,
    await findListed(shopper, 'storied', 1),
  );
  const id = idOf(transactionId);
  const provider = createProvider(market.url, secretOf(folder.path));
  const busy = (times: number) => provider.plan('rate-limit', { times, retryAfterSeconds: 0 });
  await busy(10_000);
  await pay(payAt);
  const tried = async (state: string) => {
    const [job] = jobsOf(await traced(id)).filter(({ what }) => what === 'webhooks');
    return job?.job?.state === state && (job.job.tries ?? 0) > 1 && job;
  };
  const patience = { timeout: 60_000, interval: 100 };
  const waiting = await vi.waitUntil(() => tried('waiting'), patience);
  const error = 'the provider has not answered, or does not confirm it yet';
  expect(waiting.job).toMatchObject({ attempts: 8, error });
  expect(waiting.details).toMatch(
    /^try \d of 8 failed, the next one is due then: the provider has not answered, or does not confirm it yet$/,
  );
  const { text } = await oja(folder.path, ['trace', id]);
  expect(text).toContain('job: webhooks');
  await busy(1);
  const done = await vi.waitUntil(() => tried('done'), patience);
  expect(done.details).toMatch(
    /^done at try \d of 8; before: the provider has not answered, or does not confirm it yet$/,
  );
  expect(done.job).toMatchObject({ error });
  expect((await traced(id)).order).toMatchObject({ payment: 'paid' });
}, 120_000);

it("names each letter that is owed, and a buyer's key that is to be destroyed", async () => {
  expect(await market.stop()).toBe(0);
  const id = idOf(key);
  await appendToOrder(
    folder.path,
    id,
    ['ReceiptRequested', { requestId: 'again' }],
    ['PaymentDisputed', { reference: id, disputeId: 'd' }],
    ['BuyerRecordRemoved', { by: 'operator' }],
  );
  const { waits } = await traced(id);
  const ofSweep = waits.filter(({ who }) => who === 'sweep').map(({ what }) => what);
  for (const letter of ['receipt-again', 'disputed'])
    expect(ofSweep).toContain(`sending the e-mail '${letter}'`);
  // No time is set for it: it is owed from whenever it was asked for.
  const forgetting = { who: 'sweep', what: "destroying the buyer's key", due: null, command: null };
  expect(waits).toContainEqual(forgetting);
}, 120_000);

it('tells of the webhooks of a transfer that has failed', async () => {
  const id = idOf(key);
  const [seller] = (await traced(id)).order.sellers;
  const payoutId = `${id}_0_0`;
  const share = { sellerId: seller?.sellerId ?? '', amount: 500_000 };
  const payout = { ...share, payoutId };
  await appendToOrder(
    folder.path,
    id,
    ['SellerShareReleased', share],
    ['PayoutRequested', { ...payout, method: 'transfer' }],
    ['PayoutFailed', { ...payout, reason: 'The bank refused it', reversed: false }],
  );
  const state = await createEmbeddedState({ file: join(folder.path, files.state) });
  const notice = { type: 'transfer.failed', reference: payoutId, key: 'failed' };
  await state.put('webhooks', 'done/failed', { notice, at: Date.now() }, Date.now());
  await state.close();
  const { story } = await traced(id);
  expect(story.map(({ what }) => what)).toContain('PayoutFailed');
  expect(story).toContainEqual(
    expect.objectContaining({
      source: 'webhook',
      what: 'transfer.failed',
      details: `reference ${payoutId}, processed`,
    }),
  );
}, 120_000);
