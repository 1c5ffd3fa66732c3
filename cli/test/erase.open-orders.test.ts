import { type TransactionCommand, transaction } from '@oja/domain';
import { DAY_MS } from '@oja/domain/rules';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
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
import { eraseSeller } from '../src/commands/erase/seller.js';
import { type AppContext, withContext } from '../src/runtime/context.js';
import { operatorContext } from '../src/runtime/operator.js';
import { oja, ojaJson } from './support/oja.js';
import { appendToOrder } from './support/opened.js';
import { hasTerminal, onTerminal } from './support/terminal.js';

const folder = temporaryFolder();
let market: Market;

beforeAll(async () => {
  market = await openSampleMarket(folder.path);
}, 120_000);

afterAll(async () => {
  await market?.stop();
  folder.remove();
});

const idOf = (key: string): string => key.split('.')[0] ?? '';

const erase = (...args: string[]) => ojaJson(folder.path, ['erase', ...args, '--yes']);

/** Works on the market's own data, as a command does. */
function within<T>(work: (context: AppContext) => Promise<T>): Promise<T> {
  vi.stubEnv('DATA_DIR', folder.path);
  return withContext(work).finally(() => vi.unstubAllEnvs());
}

it('goes no further with a seller of whom something is paid while their goods are removed', async () => {
  const { client, details } = await registerSeller(market.url, 'Busy House');
  await listBag({ client, details }, 'Busy bag', 6_000, ['#3a3', '#33a']);
  const shopper = new Client(market.url);
  const placed = await placeOrder(shopper, await findListed(shopper, 'busy', 1));
  let verified: unknown = null;
  await within(async (context) => {
    const { handle } = context.commands;
    const meanwhile: typeof handle = async (...command) => {
      verified ??= await verify(shopper, await pay(placed.payAt));
      return handle(...command);
    };
    const { signal } = new AbortController();
    const paidMeanwhile = { ...context, commands: { ...context.commands, handle: meanwhile } };
    await expect(eraseSeller(paidMeanwhile, details.user_id, signal)).rejects.toThrow(
      /cannot be erased yet: 1 paid order/,
    );
    expect(await context.engines.keys.isDestroyed(`seller:${details.user_id}`)).toBe(false);
  });
  expect(verified).toMatchObject({ ok: true });
  // The seller is still there to deliver, and to be paid.
  expect((await client.fetch('/v1/user/products')).status).toBe(200);
}, 120_000);

it('keeps the buyer and the sellers of a payment that the bank has taken back and may return', async () => {
  const { client, details } = await registerSeller(market.url, 'Disputed House');
  await listBag({ client, details }, 'Disputed bag', 6_000, ['#3a3', '#33a']);
  const shopper = new Client(market.url);
  const placed = await placeOrder(shopper, await findListed(shopper, 'disputed', 1));
  expect(await verify(shopper, await pay(placed.payAt))).toMatchObject({ ok: true });
  const id = idOf(placed.transactionId);
  const { state } = await within(({ commands }) => commands.load(transaction, id));
  if (state.status === 'none' || state.payment === null) throw new Error('it is not paid');
  const happens = (command: TransactionCommand) =>
    within(({ commands }) => commands.handle(transaction, id, command, operatorContext()));
  const at = new Date().toISOString();
  const { reference, providerId, amount } = state.payment;
  const dispute = { reference, disputeId: 'of-the-bank', at };
  const payment = { reference, providerId, amount, currency: 'NGN', fees: 0, channel: null };
  await happens({ type: 'RecordDispute', ...dispute });
  await happens({ type: 'VerifyPayment', status: 'reversed', paidAt: at, ...payment, at });

  const buyer = await oja(folder.path, ['erase', '--transaction', id, '--yes']);
  expect(buyer).toMatchObject({ code: 1, text: expect.stringMatching(/until that dispute is/) });
  const owner = await oja(folder.path, ['erase', '--seller', 'Disputed House', '--yes']);
  expect(owner).toMatchObject({ code: 1, text: expect.stringMatching(/yet: 1 paid order/) });

  await happens({ type: 'CloseDispute', ...dispute });
  expect(await erase('--seller', 'Disputed House')).toMatchObject({ ok: true });
  expect(await erase('--transaction', id)).toMatchObject({ ok: true });
}, 120_000);

it('names the seller whose goods are still to be settled, and keeps the buyer until a refund is made', async () => {
  for (const name of ['Early House', 'Later House'])
    await listBag(await registerSeller(market.url, name), `Parted ${name}`, 6_000, [
      '#3a3',
      '#33a',
    ]);
  const shopper = new Client(market.url);
  const placed = await placeOrder(shopper, await findListed(shopper, 'parted', 2));
  expect(await verify(shopper, await pay(placed.payAt))).toMatchObject({ ok: true });
  const id = idOf(placed.transactionId);
  const { state } = await within(({ commands }) => commands.load(transaction, id));
  if (state.status === 'none') throw new Error('it is not placed');
  const [settled = '', held = ''] = state.shares.map(({ sellerId }) => sellerId);
  await appendToOrder(
    folder.path,
    id,
    ['DeliveryDisputed', { sellerIds: [settled], complaint: { sealed: 'x', subject: 'x' } }],
    ['SellerShareReleased', { sellerId: settled, amount: 500_000 }],
  );
  const { code, text } = await oja(folder.path, ['erase', '--transaction', id, '--yes']);
  expect(code).toBe(1);
  expect(text).toContain(`end with oja dispute settle ${id} --seller ${held} --refund`);

  // Delivered by one and refunded for the other: the refund may need its buyer until it is made.
  const refund = { refundId: `${id}-${held}`, amount: 600_000 };
  const asked = { ...refund, sellerId: held, providerId: 'unknown', deliveryFee: 0 };
  await appendToOrder(folder.path, id, ['RefundRequested', asked]);
  const delivered = ['remove-delivered', '--dry-run'];
  expect(await ojaJson(folder.path, delivered)).not.toMatchObject({
    ids: expect.arrayContaining([id]),
  });
  await appendToOrder(folder.path, id, ['RefundCompleted', refund]);
  expect(await ojaJson(folder.path, delivered)).toMatchObject({
    ids: expect.arrayContaining([id]),
  });
}, 120_000);

it('leads to the settlement of what nobody has confirmed for long, which needs no buyer', async () => {
  for (const name of ['Silent House', 'Mute House'])
    await listBag(await registerSeller(market.url, name), `Unheard ${name}`, 6_000, [
      '#3a3',
      '#33a',
    ]);
  const shopper = new Client(market.url);
  const placed = await placeOrder(shopper, await findListed(shopper, 'unheard', 2));
  const id = idOf(placed.transactionId);
  const paid = { reference: id, amount: 1_200_000, fees: 0, channel: 'card', providerId: '1' };
  const paidAt = new Date(Date.now() - 15 * DAY_MS).toISOString();
  await appendToOrder(folder.path, id, ['PaymentVerified', { ...paid, paidAt }]);
  const refused = await oja(folder.path, ['erase', '--transaction', id, '--yes']);
  expect(refused.code).toBe(1);
  expect(refused.text).not.toContain('The buyer does that');
  const { state } = await within(({ commands }) => commands.load(transaction, id));
  const sellers = state.status === 'none' ? [] : state.shares.map(({ sellerId }) => sellerId);
  expect(sellers).toHaveLength(2);
  for (const seller of sellers) {
    const settle = `oja dispute settle ${id} --seller ${seller} --refund (or --release) --note '…'`;
    expect(refused.text).toContain(settle);
    const args = ['dispute', 'settle', id, '--seller', seller, '--release', '--note', 'unheard'];
    expect(await oja(folder.path, [...args, '--yes'])).toMatchObject({ code: 0 });
  }
  expect(await erase('--transaction', id)).toMatchObject({ ok: true });
}, 120_000);

it('counts what comes back of an erased seller’s transfer as to be paid by hand, whoever pays the others', async () => {
  const { client, details } = await registerSeller(market.url, 'Departed House');
  await listBag({ client, details }, 'Departed bag', 6_000, ['#3a3', '#33a']);
  const shopper = new Client(market.url);
  const placed = await placeOrder(shopper, await findListed(shopper, 'departed', 1));
  expect(await verify(shopper, await pay(placed.payAt))).toMatchObject({ ok: true });
  await shopper.call(200, 'PUT', `/v1/buyers/transactions/${placed.transactionId}`);
  const id = idOf(placed.transactionId);
  const payout = { sellerId: details.user_id, payoutId: `${id}-departed`, amount: 500_000 };
  await appendToOrder(
    folder.path,
    id,
    ['PayoutRequested', { ...payout, method: 'transfer' }],
    ['PayoutCompleted', payout],
  );
  expect(await erase('--seller', 'Departed House')).toMatchObject({ ok: true });
  const status = () => oja(folder.path, ['status'], { PAYOUTS: 'on' });
  expect((await status()).text).not.toContain('to pay by hand');
  const back = { ...payout, reason: 'reversed by the bank', reversed: true };
  await appendToOrder(folder.path, id, ['PayoutFailed', back]);
  await vi.waitUntil(
    async () => (await status()).text.includes('1 share to pay by hand (oja payouts list)'),
    { timeout: 20_000, interval: 100 },
  );
}, 120_000);

it('names what is paid at the very moment in which the seller is erased', async () => {
  const { client, details } = await registerSeller(market.url, 'Hasty House');
  await listBag({ client, details }, 'Hasty bag', 6_000, ['#3a3', '#33a']);
  const shopper = new Client(market.url);
  const placed = await placeOrder(shopper, await findListed(shopper, 'hasty', 1));
  let verified: unknown = null;
  await within(async (context) => {
    const { engines } = context;
    const { eventStore } = engines;
    // All that is written by this store is that the seller is erased, after which no payment counts.
    const append: typeof eventStore.append = async (...events) => {
      verified ??= await verify(shopper, await pay(placed.payAt));
      return eventStore.append(...events);
    };
    const paidMeanwhile = {
      ...context,
      engines: { ...engines, eventStore: { ...eventStore, append } },
    };
    const { signal } = new AbortController();
    await expect(eraseSeller(paidMeanwhile, details.user_id, signal)).rejects.toThrow(
      new RegExp(`is erased, but 1 paid order .*${idOf(placed.transactionId)}.* --refund`, 's'),
    );
    expect(await engines.keys.isDestroyed(`seller:${details.user_id}`)).toBe(true);
  });
  expect(verified).toMatchObject({ ok: true });
  // The name stays until nothing has to be done any more.
  const again = await oja(folder.path, ['erase', '--seller', 'Hasty House', '--yes']);
  expect(again).toMatchObject({ code: 1 });
}, 120_000);

it.skipIf(!hasTerminal)(
  'looks again after it was told yes: the buyer may have paid meanwhile',
  async () => {
    const patient = await registerSeller(market.url, 'Patient House');
    await listBag(patient, 'Awaited bag', 6_000, ['#a3a', '#33a']);
    const shopper = new Client(market.url);
    const placed = await placeOrder(shopper, await findListed(shopper, 'awaited', 1));
    const asked = onTerminal(folder.path, ['erase', '--transaction', idOf(placed.transactionId)]);
    await vi.waitUntil(() => asked.shown().includes('Type yes'), { timeout: 60_000, interval: 20 });
    expect(await verify(shopper, await pay(placed.payAt))).toMatchObject({ ok: true });
    asked.type('yes\n');
    expect(await asked.ended).toBe(1);
    expect(asked.shown()).toMatch(/cannot\s+be\s+erased\s+yet:\s+it\s+is\s+paid/);
    await shopper.call(200, 'PUT', `/v1/buyers/transactions/${placed.transactionId}`);
  },
  120_000,
);
