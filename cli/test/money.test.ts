import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Act } from '@oja/contracts';
import type { JsonObject } from '@oja/platform';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Client } from '../../test/support/client.js';
import { temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import { findListed, listBag, placeOrder, registerSeller } from '../../test/thread/walk.js';
import { oja, ojaJson } from './support/oja.js';
import { appendUnruled, openFiles } from './support/opened.js';
import { useSampleMarket } from './support/sample.js';
import { hasTerminal, onTerminal } from './support/terminal.js';

interface Payable {
  readonly transactionId: string;
  readonly sellerId: string;
  readonly businessName: string;
  readonly amount: number;
}
interface Dispute {
  readonly transactionId: string;
  readonly sellerId: string;
  readonly businessName: string;
  readonly share: number;
  readonly paid: number;
}

const HEAD_ADMIN = 'Adunni Textiles';
const SAMPLE_PASSWORD = 'market-day';

const market = useSampleMarket();
let payable: readonly Payable[];
let disputes: readonly Dispute[];

beforeAll(async () => {
  payable = await ojaJson(market.dataDir, ['payouts', 'list']);
  disputes = await ojaJson(market.dataDir, ['dispute', 'list']);
});

const the = <T>(list: readonly T[], index: number): T => {
  const found = list[index];
  if (found === undefined) throw new Error(`the sample market has ${list.length} of them`);
  return found;
};
const naira = (kobo: number) => `₦${(kobo / 100).toLocaleString('en-NG')}`;
const typesOf = async (id: string) =>
  (await oja(market.dataDir, ['events', 'show', `transaction-${id}`, '--json'])).lines.map(
    (line): string => JSON.parse(line).type,
  );
/** An order of a bag of each of two new sellers, which is not paid; `what`: a word for the bags. */
async function orderOfTwo(what: string, names: readonly [string, string]) {
  const one = await registerSeller(market.url, names[0]);
  const other = await registerSeller(market.url, names[1]);
  await listBag(one, `${what} bag`, 6_000, ['#3a3', '#a3a']);
  await listBag(other, `${what} purse`, 6_000, ['#3aa', '#aa3']);
  const shopper = new Client(market.url);
  const placed = await placeOrder(shopper, await findListed(shopper, what, 2));
  return { order: placed.transactionId.split('.')[0] ?? '', one, other };
}
/** A browser in which a sample seller is signed in. */
async function signedIn(businessName: string): Promise<Client> {
  const client = new Client(market.url);
  const login = { businessName, password: SAMPLE_PASSWORD };
  type SignedIn = { readonly accessToken: string };
  client.token = (await client.call<SignedIn>(200, 'POST', '/v1/login', login)).accessToken;
  return client;
}
const rename = (owner: Client, sellerId: string, businessName: string) =>
  owner.call(200, 'PUT', `/v1/user/update/${sellerId}`, {
    name: 'Ada Obi',
    businessName,
    phone_1: '07000000002',
  });
const mark = ({ transactionId, sellerId }: Payable) => [
  ...['payouts', 'mark-paid', transactionId],
  ...['--seller', sellerId],
];

it('records nothing as paid where nobody can be asked, and says what it would', async () => {
  const share = the(payable, 0);
  const before = await typesOf(share.transactionId);
  const { code, lines } = await oja(market.dataDir, mark(share));
  expect({ code, lines }).toEqual({
    code: 2,
    lines: [
      `${naira(share.amount)} of order ${numberOf(share)} will be recorded as paid to ${share.businessName}. Add --yes to confirm; nothing was changed.`,
    ],
  });
  // A person reads the order's number off the table, and types it as it stands there or in small letters.
  for (const transactionId of [numberOf(share), numberOf(share).toLowerCase()])
    expect(await oja(market.dataDir, mark({ ...share, transactionId }))).toMatchObject({
      code,
      lines,
    });
  expect(await typesOf(share.transactionId)).toEqual(before);
});

const numberOf = ({ transactionId }: { readonly transactionId: string }) =>
  transactionId.slice(0, 8).toUpperCase();

describe.skipIf(!hasTerminal)('at a terminal', () => {
  /** `answer` is what is typed at the question, the key that sends it included. */
  const asked = async (args: readonly string[], answer: string) => {
    const screen = onTerminal(market.dataDir, args, { columns: 400 });
    await vi.waitUntil(() => screen.shown().includes('Type yes to continue: '), {
      timeout: 60_000,
      interval: 20,
    });
    screen.type(answer);
    return { code: await screen.ended, shown: screen.shown() };
  };

  it('asks before a share is recorded as paid, with its sum and seller', async () => {
    const share = the(payable, 0);
    const before = await typesOf(share.transactionId);
    const no = await asked(mark(share), 'no\r');
    expect(no).toMatchObject({ code: 2, shown: expect.stringContaining('Nothing was changed.') });
    expect(no.shown).toContain(
      `${naira(share.amount)} of order ${numberOf(share)} will be recorded as paid to ${share.businessName}. Type yes`,
    );
    expect(await typesOf(share.transactionId)).toEqual(before);
    const yes = await asked(mark(share), 'yes\r');
    expect(yes).toMatchObject({
      code: 0,
      shown: expect.stringContaining(
        `${naira(share.amount)} of order ${numberOf(share)} is recorded as paid to ${share.businessName}.`,
      ),
    });
    expect(await typesOf(share.transactionId)).toContain('PayoutCompleted');
  }, 120_000);

  it.each([
    ['Ctrl-C', '\u0003'],
    ['the end of the input', '\u0004'],
  ])('takes %s at the question for a no', async (_, key) => {
    const share = the(payable, 2);
    const before = await typesOf(share.transactionId);
    expect(await asked(mark(share), key)).toMatchObject({
      code: 130,
      shown: expect.stringMatching(/\r\nNothing was changed\.\r\n$/),
    });
    expect(await typesOf(share.transactionId)).toEqual(before);
  });

  it('asks nothing where there is nothing to decide', async () => {
    const share = the(payable, 0);
    expect(await oja(market.dataDir, [...mark(share), '--yes'])).toMatchObject({ code: 0 });
    const again = await oja(market.dataDir, mark(share));
    expect(again).toMatchObject({
      code: 0,
      lines: [
        `${naira(share.amount)} of order ${numberOf(share)} had been paid to ${share.businessName} already.`,
      ],
    });
    const end = await oja(market.dataDir, [
      ...['payouts', 'end', share.transactionId],
      ...['--seller', share.sellerId, '--reason', 'stuck'],
    ]);
    expect(end).toMatchObject({ code: 1 });
  }, 120_000);
});

it('records a share as paid once, however many say so at the same moment', async () => {
  const share = the(payable, 2);
  const args = [...mark(share), '--yes'];
  const told = await Promise.all([0, 1, 2].map(() => oja(market.dataDir, args)));
  expect(told.map(({ code }) => code)).toContain(0);
  for (const { lines } of told)
    expect(lines).toEqual([
      expect.stringMatching(/is recorded as paid|had been paid .* already|at the same moment: try/),
    ]);
  const types = await typesOf(share.transactionId);
  expect(types.filter((type) => type === 'PayoutCompleted')).toHaveLength(1);
});

/** Appends to an order what the provider or an operator might have caused. */
async function happens(transactionId: string, type: string, data: JsonObject): Promise<void> {
  const opened = await openFiles(market.dataDir);
  const stream = `transaction-${transactionId}`;
  let last = null;
  for await (const event of opened.eventStore.readStream(stream)) last = event;
  if (last === null) throw new Error('there is no such order');
  const { metadata, revision } = last;
  const at = new Date().toISOString();
  const event = { id: randomUUID(), type, data: { transactionId, ...data, at }, metadata };
  expect((await opened.eventStore.append(stream, revision, [event])).ok).toBe(true);
  await opened.close();
}

/** Records that the first payout of this share was requested. */
const begins = ({ transactionId, sellerId, amount }: Payable, method: 'transfer' | 'manual') =>
  happens(transactionId, 'PayoutRequested', {
    ...{ sellerId, payoutId: `${transactionId}_0_0`, amount, method },
  });

it('says of a share that the bank disputes the payment, and what paying it by hand risks', async () => {
  const share = the(payable, 4);
  const { transactionId, businessName } = share;
  const dispute = { reference: transactionId, disputeId: 'd' };
  const listed = async () => {
    const shares = await ojaJson<readonly (Payable & { readonly isDisputed: boolean })[]>(
      market.dataDir,
      ['payouts', 'list'],
    );
    return shares.filter((each) => each.isDisputed).map((each) => each.transactionId);
  };
  const rowOf = async () =>
    (await oja(market.dataDir, ['payouts', 'list'])).lines.find((row) =>
      row.startsWith(transactionId),
    );
  const warning = "The cardholder's bank disputes the payment";
  expect(await listed()).toEqual([]);
  await happens(transactionId, 'PaymentDisputed', dispute);
  expect(await listed()).toContain(transactionId);
  expect(await rowOf()).toContain('the bank disputes the payment');
  const toldByStatus = async () => (await oja(market.dataDir, ['status'])).text;
  await expect
    .poll(toldByStatus)
    .toContain("1 payment disputed by a cardholder's bank (hand in evidence at the provider)");
  expect(await oja(market.dataDir, mark(share))).toMatchObject({
    code: 2,
    text: expect.stringContaining(
      `will be recorded as paid to ${businessName}. ${warning}: what is paid out is lost to the market if the bank takes it back. Add --yes`,
    ),
  });
  await happens(transactionId, 'PaymentDisputeClosed', dispute);
  expect(await listed()).toEqual([]);
  expect(await rowOf()).not.toContain('disputes');
  await expect.poll(toldByStatus).not.toContain('disputed by');
  expect((await oja(market.dataDir, mark(share))).text).not.toContain(warning);
  await happens(transactionId, 'PaymentDisputed', { ...dispute, disputeId: 'another' });
  // A script that asks nobody has the warning in its log.
  expect((await oja(market.dataDir, [...mark(share), '--yes'])).text).toMatch(
    new RegExp(`recorded as paid to ${businessName}\\. ${warning}`),
  );
  expect(await ojaJson(market.dataDir, [...mark(share), '--yes'])).toMatchObject({
    changed: false,
    isDisputed: true,
  });
}, 120_000);

it('asks before a payout is ended', async () => {
  const { transactionId, sellerId, businessName, amount } = the(payable, 1);
  await begins(the(payable, 1), 'manual');
  const end = [
    ...['payouts', 'end', transactionId],
    ...['--seller', sellerId, '--reason', 'wrong account'],
  ];
  const payout = `The payout of ${naira(amount)} of order ${numberOf({ transactionId })} to ${businessName}`;
  expect(await oja(market.dataDir, end)).toMatchObject({
    code: 2,
    lines: [
      `${payout} will be ended, and the share will have to be paid again. Add --yes to confirm; nothing was changed.`,
    ],
  });
  expect(await typesOf(transactionId)).not.toContain('PayoutFailed');
  expect(await oja(market.dataDir, [...end, '--yes'])).toMatchObject({
    code: 0,
    lines: [`${payout} is ended: the share has to be paid again.`],
  });
});

it('asks before a dispute is settled, and names what would move', async () => {
  const { transactionId, sellerId, businessName, share, paid } = the(disputes, 0);
  const settle = ['dispute', 'settle', transactionId, '--seller', sellerId];
  const order = `of order ${numberOf({ transactionId })}`;
  const release = await oja(market.dataDir, [...settle, '--release']);
  expect(release).toMatchObject({
    code: 2,
    lines: [
      expect.stringContaining(`${naira(share)} ${order} will be released to ${businessName}.`),
    ],
  });
  const byNumber = settle.with(2, numberOf({ transactionId }));
  expect(await oja(market.dataDir, [...byNumber, '--release'])).toEqual(release);
  const refund = await oja(market.dataDir, [...settle, '--refund']);
  expect(refund).toMatchObject({ code: 2, lines: [expect.stringContaining('given back')] });
  expect(await typesOf(transactionId)).not.toContain('DisputeResolved');
  const done = await ojaJson<{ readonly amount: number }>(market.dataDir, [
    ...[...settle, '--refund', '--note', 'never sent', '--yes'],
  ]);
  const { lines } = await oja(market.dataDir, [
    ...['events', 'show', `transaction-${transactionId}`, '--json'],
  ]);
  const events = lines.map((line) => JSON.parse(line));
  const asked = events.find(({ type }) => type === 'RefundRequested').data;
  expect(asked.amount).toBeGreaterThanOrEqual(paid);
  expect(done.amount).toBe(asked.amount);
  expect(refund.text).toContain(
    `${naira(asked.amount)} ${order} will be given back to the buyer for the goods of ${businessName}.`,
  );
});

it('tells admins what was done with whose money, how much, why, and by whom', async () => {
  const { transactionId, sellerId, amount } = the(payable, 1);
  const by = { OJA_OPERATOR: 'Chidi O.' };
  const paid = [...mark(the(payable, 1)), '--reason', 'paid in cash', '--yes'];
  expect(await oja(market.dataDir, paid, by)).toMatchObject({ code: 0 });
  expect(await oja(market.dataDir, ['admin', 'grant', HEAD_ADMIN])).toMatchObject({ code: 0 });
  const admin = await signedIn(HEAD_ADMIN);
  const acts = async (kind: Act['act']) =>
    (await admin.get<{ readonly result: readonly Act[] }>(`/v1/admin/audit?act=${kind}`)).result;
  const ofShare = { about: 'transaction', subject: transactionId, seller: sellerId };
  await expect
    .poll(async () => (await acts('payout')).slice(0, 2), { timeout: 60_000 })
    .toMatchObject([
      {
        ...{ ...ofShare, amount: amount / 100, actor: 'operator:Chidi O.' },
        text: 'Recorded as paid: paid in cash',
      },
      { ...ofShare, amount: amount / 100, text: 'Payout ended: wrong account' },
    ]);
  const dispute = the(disputes, 0);
  const [settled] = await acts('dispute');
  expect(settled).toMatchObject({ subject: dispute.transactionId, seller: dispute.sellerId });
  expect(settled?.amount).toBeGreaterThanOrEqual(dispute.paid / 100);
}, 120_000);

it('finds the seller of an order by the name at the time of the order, whoever has that name by now', async () => {
  const { transactionId, sellerId, businessName: then } = the(disputes, 1);
  const settle = (named: string) =>
    oja(market.dataDir, ['dispute', 'settle', transactionId, '--seller', named, '--release']);
  const byId = await settle(sellerId);
  expect(byId).toMatchObject({ code: 2, lines: [expect.stringContaining(`to ${then}.`)] });
  const owner = await signedIn(then);
  await rename(owner, sellerId, 'Renamed Store');
  const renamed = [byId.text.replace(`to ${then}.`, 'to Renamed Store.')];
  for (const named of [then, then.toUpperCase(), 'Renamed Store', sellerId])
    expect(await settle(named)).toMatchObject({ code: 2, lines: renamed });
  await registerSeller(market.url, then);
  expect(await settle(then)).toMatchObject({ code: 2, lines: renamed });
  await registerSeller(market.url, 'Stranger House');
  expect(await settle('Stranger House')).toMatchObject({
    code: 1,
    lines: ['Stranger House has no part in the order; nothing was changed.'],
  });
  const nobodys = await settle('Nobody at all');
  expect(nobodys).toMatchObject({ code: 2, text: expect.stringMatching(/no seller 'Nobody/) });
}, 120_000);

it('asks for the id where one seller of an order has the name that another had', async () => {
  const { order, one, other } = await orderOfTwo('exchanged', ['First House', 'Second House']);
  await rename(one.client, one.details.user_id, 'Third House');
  await rename(other.client, other.details.user_id, 'First House');
  const named = (seller: string) =>
    oja(market.dataDir, ['payouts', 'mark-paid', order, '--seller', seller, '--yes']);
  const { code, text } = await named('First House');
  expect(text).toMatch(/^Several sellers of this order are or were called 'First House': /);
  for (const { details } of [one, other]) expect(text).toContain(details.user_id);
  expect(code).toBe(2);
  // Nothing is paid yet.
  for (const seller of ['Second House', 'Third House', one.details.user_id])
    expect(await named(seller)).toMatchObject({ code: 1 });
}, 120_000);

it('lists what nobody has confirmed for long beside a complaint about another seller', async () => {
  const { order, one, other } = await orderOfTwo('waiting', ['Slow House', 'Bad House']);
  const ofOrder = async () =>
    (await ojaJson<readonly Dispute[]>(market.dataDir, ['dispute', 'list'])).filter(
      ({ transactionId }) => transactionId === order,
    );
  const paid = { reference: order, amount: 1_200_000, fees: 0, channel: 'card' };
  const paidAt = new Date(Date.now() - 15 * 86_400_000).toISOString();
  await happens(order, 'PaymentVerified', { ...paid, providerId: '1', paidAt });
  expect(await ofOrder()).toHaveLength(2);
  const [held, sellerId] = [one.details.user_id, other.details.user_id];
  await happens(order, 'DeliveryDisputed', {
    sellerIds: [sellerId],
    complaint: { sealed: 'x', subject: `transaction:${order}` },
  });
  expect(await ofOrder()).toMatchObject([
    { sellerId, unconfirmed: false },
    { sellerId: held, unconfirmed: true },
  ]);
  // It may be settled, as the list says.
  const settle = ['dispute', 'settle', order, '--seller', held, '--release'];
  expect(await oja(market.dataDir, [...settle, '--note', 'it came', '--yes'])).toMatchObject({
    code: 0,
  });
  expect(await ofOrder()).toMatchObject([{ sellerId }]);
}, 120_000);

it.skipIf(!hasTerminal)(
  'changes nothing in a market that was moved out while it asked',
  async () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const dataDir = join(folder.path, 'market');
    expect(await (await openSampleMarket(dataDir)).stop()).toBe(0);
    const [share] = await ojaJson<readonly Payable[]>(dataDir, ['payouts', 'list']);
    const [dispute] = await ojaJson<readonly Dispute[]>(dataDir, ['dispute', 'list']);
    if (share === undefined || dispute === undefined) throw new Error('nothing is owed');
    const { transactionId, sellerId } = dispute;
    for (const [n, args] of [
      mark(share),
      ['dispute', 'settle', transactionId, '--seller', sellerId, '--refund'],
      ['erase', '--transaction', share.transactionId],
      ['remove-delivered'],
    ].entries()) {
      const screen = onTerminal(dataDir, args, { columns: 400 });
      await vi.waitUntil(() => screen.shown().includes('Type yes to continue: '), {
        timeout: 60_000,
        interval: 20,
      });
      expect(await oja(dataDir, ['move', 'out', join(folder.path, `${n}.gz`)])).toMatchObject({
        code: 0,
      });
      screen.type('yes\r');
      expect([args[0], await screen.ended, screen.shown()]).toEqual([
        args[0],
        78,
        expect.stringMatching(/This market was moved out/),
      ]);
      const again = await oja(dataDir, ['move', 'reopen', '--yes']);
      expect(again).toMatchObject({ code: 0 });
    }
  },
  120_000,
);

it('says of a transfer that is ended that the provider may still pay it', async () => {
  const { transactionId, sellerId } = the(payable, 3);
  await begins(the(payable, 3), 'transfer');
  const { text } = await oja(market.dataDir, [
    ...['payouts', 'end', transactionId],
    ...['--seller', sellerId, '--reason', 'stuck', '--yes'],
  ]);
  expect(text).toContain(
    'is ended: the share has to be paid again, unless its transfer arrives after all. Cancel it at the provider as well.',
  );
});

it('names an event whose fields are not those of its type, and says what may have happened', async () => {
  const opened = await openFiles(market.dataDir);
  onTestFinished(() => opened.close());
  const stream = `seller-${the(payable, 3).sellerId}`;
  let revision = 0;
  for await (const event of opened.eventStore.readStream(stream)) revision = event.revision + 1;
  await appendUnruled(opened.eventStore, stream, revision, 'SellerProfileUpdated', { name: 7 });
  const { code, lines } = await oja(market.dataDir, ['payouts', 'list']);
  expect({ code, lines }).toEqual({
    code: 1,
    lines: [expect.stringContaining(`Event ${revision} of ${stream} is no SellerProfileUpdated: `)],
  });
  expect(lines[0]).toMatch(/Either a later release has written it/);
});
