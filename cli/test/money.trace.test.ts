import type { JsonObject } from '@oja/platform';
import { beforeAll, expect, it, vi } from 'vitest';
import { Client } from '../../test/support/client.js';
import { type AppContext, withContext } from '../src/runtime/context.js';
import { oja, ojaJson } from './support/oja.js';
import { appendToOrder } from './support/opened.js';
import { useSampleMarket } from './support/sample.js';

interface Share {
  readonly transactionId: string;
  readonly sellerId: string;
}
interface Payable extends Share {
  readonly businessName: string;
  readonly amount: number;
}
interface Wait {
  readonly who: string;
  readonly what: string;
  readonly command: string | null;
}
interface Traced {
  readonly story: readonly { readonly what: string; readonly details: string }[];
  readonly waits: readonly Wait[];
}

const PASSWORD = 'market-day';

const market = useSampleMarket();
let disputes: readonly Share[];
/** What is to be paid out, of as many orders and sellers. The first seller has a bank account. */
const payable: Payable[] = [];

beforeAll(async () => {
  const all = await ojaJson<readonly Payable[]>(market.dataDir, ['payouts', 'list']);
  for (const share of all)
    if (
      !payable.some(
        (one) => one.transactionId === share.transactionId || one.sellerId === share.sellerId,
      )
    )
      payable.push(share);
  await giveAccount(the(payable, 0).businessName);
  expect(await market.stop()).toBe(0);
  disputes = await ojaJson(market.dataDir, ['dispute', 'list']);
});

const the = <T>(list: readonly T[], index: number): T => {
  const found = list[index];
  if (found === undefined) throw new Error(`the sample market has ${list.length} of them`);
  return found;
};

async function giveAccount(businessName: string): Promise<void> {
  const seller = new Client(market.url);
  const login = { businessName, password: PASSWORD };
  type SignedIn = { readonly accessToken: string };
  seller.token = (await seller.call<SignedIn>(200, 'POST', '/v1/login', login)).accessToken;
  await seller.call(200, 'PUT', '/v1/user/payout-account', {
    account_name: 'Ada Obi',
    account_number: '0123456789',
    bank_code: '057',
    password: PASSWORD,
  });
}

/** Works on the market's own data, as a command does. */
function within<T>(work: (context: AppContext) => Promise<T>): Promise<T> {
  vi.stubEnv('DATA_DIR', market.dataDir);
  return withContext(work).finally(() => vi.unstubAllEnvs());
}

const keep = (space: string, key: string, value: JsonObject) =>
  within(({ engines, clock }) => engines.state.put(space, key, value, clock.now()));

/** What an order waits for. `payouts`: with transfers switched on. */
async function waitsOf(id: string, { payouts }: { readonly payouts: boolean }) {
  const env = { PAYOUTS: payouts ? 'on' : 'off' };
  const { code, text } = await oja(market.dataDir, ['trace', id, '--json'], env);
  expect(code, text).toBe(0);
  return (JSON.parse(text) as Traced).waits;
}
const requested = ({ transactionId, sellerId, amount }: Payable, method: 'transfer' | 'manual') => {
  const payoutId = `${transactionId}_0_0`;
  return ['PayoutRequested', { sellerId, payoutId, amount, method }] as const;
};
const byHand = ({ transactionId, sellerId, businessName }: Payable) => ({
  who: 'operator',
  what: `the payout to ${businessName}`,
  command: `oja payouts mark-paid ${transactionId} --seller ${sellerId}`,
});

it('names what a dispute has given back of a refund as money', async () => {
  const { transactionId, sellerId } = the(disputes, 0);
  const refund = { refundId: `${transactionId}-${sellerId}`, sellerId, providerId: '1' };
  await appendToOrder(
    market.dataDir,
    transactionId,
    ['PaymentReturnedInPart', { reference: transactionId, disputeId: 'd', amount: 123_400 }],
    ['RefundRequested', { ...refund, amount: 500_000, deliveryFee: 0 }],
    ['RefundReduced', { ...refund, amount: 376_600, returned: 123_400 }],
  );
  const { story } = await ojaJson<Traced>(market.dataDir, ['trace', transactionId]);
  const [reduced] = story.filter(({ what }) => what === 'RefundReduced');
  expect(reduced?.details).toContain('amount ₦3,766, returned ₦1,234');
});

it('waits for the bank account of a seller who has given none, not for a sweep', async () => {
  const [given, lacking] = [the(payable, 0), the(payable, 1)];
  const waits = await waitsOf(lacking.transactionId, { payouts: true });
  expect(waits).toContainEqual(
    expect.objectContaining({
      who: 'seller',
      what: `the bank account of ${lacking.businessName}, for the payout`,
      command: null,
    }),
  );
  expect(waits.filter(({ who }) => who === 'sweep')).toEqual([]);
  const ofSweep = { who: 'sweep', what: `a transfer to ${given.businessName}`, command: null };
  expect(await waitsOf(given.transactionId, { payouts: true })).toContainEqual(
    expect.objectContaining(ofSweep),
  );
  await appendToOrder(market.dataDir, given.transactionId, [
    'PaymentDisputed',
    { reference: given.transactionId, disputeId: 'd' },
  ]);
  const what = `${ofSweep.what}, not before the end of the dispute`;
  expect(await waitsOf(given.transactionId, { payouts: true })).toContainEqual(
    expect.objectContaining({ ...ofSweep, what }),
  );
});

it('waits for an operator once transfers are switched off while one is under way', async () => {
  const share = the(payable, 2);
  await appendToOrder(market.dataDir, share.transactionId, requested(share, 'transfer'));
  expect(await waitsOf(share.transactionId, { payouts: false })).toContainEqual(
    expect.objectContaining(byHand(share)),
  );
});

it('waits for an operator to end what one has begun to pay by hand', async () => {
  const share = the(payable, 3);
  await appendToOrder(market.dataDir, share.transactionId, requested(share, 'manual'));
  const waits = await waitsOf(share.transactionId, { payouts: true });
  expect(waits).toContainEqual(expect.objectContaining(byHand(share)));
  expect(waits.filter(({ what }) => what.includes('transfer'))).toEqual([]);
});

it('waits for an operator where the provider waits for an approval of the transfer', async () => {
  const share = the(payable, 4);
  const { transactionId, sellerId, businessName } = share;
  await appendToOrder(market.dataDir, transactionId, requested(share, 'transfer'));
  const sent = { recipientCode: 'r', failures: 0, notBefore: 0, says: 'otp' };
  const progress = { payoutId: `${transactionId}_0_0`, ...sent };
  await keep('payouts', `${transactionId}/${sellerId}`, progress);
  expect(await waitsOf(transactionId, { payouts: true })).toContainEqual(
    expect.objectContaining({
      who: 'operator',
      what: `the transfer to ${businessName}: approve it at the provider`,
    }),
  );
});

it('waits for an operator to pay a seller who was erased', async () => {
  const share = the(payable, 5);
  await within(({ engines }) => engines.keys.destroy(`seller:${share.sellerId}`));
  expect(await waitsOf(share.transactionId, { payouts: true })).toContainEqual(
    expect.objectContaining(byHand(share)),
  );
});

it('waits for what the provider does of a refund, or for whoever must act there', async () => {
  const { transactionId, sellerId } = the(disputes, 1);
  const refundId = `${transactionId}-${sellerId}`;
  const refund = { refundId, sellerId, providerId: '1', amount: 500_000, deliveryFee: 0 };
  await appendToOrder(market.dataDir, transactionId, ['RefundRequested', refund]);
  const waited = async (progress: { readonly needsSomebody?: true } | null) => {
    const value = { providerRefundId: '7', failedIds: [], failures: 0, notBefore: 0, ...progress };
    if (progress !== null) await keep('refunds', `${transactionId}/${refundId}`, value);
    const waits = await waitsOf(transactionId, { payouts: false });
    return waits.filter(({ what }) => what.includes('refund')).map(({ who, what }) => [who, what]);
  };
  expect(await waited(null)).toEqual([['sweep', 'requesting a refund']]);
  expect(await waited({})).toEqual([
    ['sweep', 'asking the provider about the refund that it has accepted'],
  ]);
  expect(await waited({ needsSomebody: true })).toEqual([
    ['operator', 'the refund, which waits for somebody at the provider: act there'],
  ]);
});

it('waits for the bank while it may return a payment, not once it has decided', async () => {
  const { transactionId } = the(disputes, 2);
  const dispute = { reference: transactionId, disputeId: 'd' };
  await appendToOrder(
    market.dataDir,
    transactionId,
    ['PaymentDisputed', dispute],
    ['PaymentReversed', { reference: transactionId, amount: 500_000 }],
  );
  const ofBank = async () =>
    (await waitsOf(transactionId, { payouts: false })).filter(({ who }) => who === 'bank');
  expect((await ofBank()).map(({ what }) => what)).toEqual([
    'the payment, which was taken back',
    'the end of the dispute',
  ]);
  await appendToOrder(market.dataDir, transactionId, ['PaymentDisputeClosed', dispute]);
  expect(await ofBank()).toEqual([]);
});

it('asks before a refund what of it the bank has given back already, and what is sent', async () => {
  const { transactionId, sellerId } = the(disputes, 3);
  const settle = ['dispute', 'settle', transactionId, '--seller', sellerId];
  const asked = async (how: string) => (await oja(market.dataDir, [...settle, how])).text;
  const [before, released] = [await asked('--refund'), await asked('--release')];
  const sum = Number(/^₦([\d,]+) of order/.exec(before)?.[1]?.replaceAll(',', ''));
  expect(sum).toBeGreaterThan(1_234);
  const about = { reference: transactionId, disputeId: 'in part' };
  await appendToOrder(market.dataDir, transactionId, [
    'PaymentReturnedInPart',
    { ...about, amount: 123_400 },
  ]);
  const rest = (sum - 1_234).toLocaleString('en-NG');
  expect(await asked('--refund')).toBe(
    before.replace('. Add', `; the bank has given back ₦1,234 of it, so ₦${rest} is sent. Add`),
  );
  expect(await asked('--release')).toBe(released);
});
