import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { storePath } from '@oja/contracts/pages';
import { files, type JsonObject, LOCK_WAIT_MS, lockFile, openSql } from '@oja/platform';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Client } from '../../test/support/client.js';
import { type Market, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import {
  find,
  findListed,
  listBag,
  pay,
  placeOrder,
  registerSeller,
  type Seller,
  verify,
} from '../../test/thread/walk.js';
import { oja, ojaJson } from './support/oja.js';
import { appendToOrder } from './support/opened.js';

interface Proof {
  readonly ok: boolean;
  readonly keyDestroyed: boolean;
  readonly sealed: number;
  readonly readable: number;
  readonly filesSearched: number;
  readonly searchedFor: readonly string[];
  readonly found: readonly object[];
}

const BUYER = ['Chidi Okafor', 'chidi@example.com', '1 Market Road, Ikeja', '07000000003'];

const folder = temporaryFolder();
let market: Market;
let seller: Seller;
let orderKey: string;

const idOf = (key: string): string => key.split('.')[0] ?? '';

beforeAll(async () => {
  market = await openSampleMarket(folder.path, { PAYOUTS: 'on' });
  seller = await registerSeller(market.url, 'Forgetful House');
  await listBag(seller, 'Forgotten bag', 6_000, ['#3a3', '#a3a']);
  const shopper = new Client(market.url);
  const placed = await placeOrder(shopper, await findListed(shopper, 'forgotten', 1));
  orderKey = placed.transactionId;
  expect(await verify(shopper, await pay(placed.payAt))).toMatchObject({ ok: true });
}, 120_000);

afterAll(async () => {
  await market?.stop();
  folder.remove();
});

/** What lies in the data folder, file by file, that says one of these things. */
function filesSaying(words: readonly string[]): readonly string[] {
  return readdirSync(folder.path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => {
      // A draft of a letter may have become the letter meanwhile.
      if (!existsSync(path)) return false;
      const bytes = readFileSync(path);
      return words.some((word) => bytes.includes(word));
    });
}

/** A folder as a backup stages its copies in, with the keys. */
function staged(name: string): { readonly path: string; readonly lock: string } {
  const path = join(folder.path, name);
  mkdirSync(join(path, 'keys'), { recursive: true, mode: 0o700 });
  copyFileSync(join(folder.path, files.keys), join(path, 'keys', files.keys));
  const lock = join(path, 'temporary.lock');
  writeFileSync(lock, '');
  return { path, lock };
}

const erase = (...args: string[]) => ojaJson<Proof>(folder.path, ['erase', ...args, '--yes']);

/** Runs a command while somebody reads the log, who keeps what is removed in its write-ahead log. */
async function whileRead(args: readonly string[]) {
  const reader = openSql(join(folder.path, files.log), { readonly: true, synchronous: 'NORMAL' });
  reader.exec('BEGIN');
  reader.all('SELECT name FROM sqlite_schema');
  const ran = await oja(folder.path, args);
  reader.exec('COMMIT');
  reader.close();
  return ran;
}

it('says before and after that a seller’s business name and goods stay in orders, and why', async () => {
  const stays =
    /name\s+of\s+the\s+business\s+stays\s+in\s+the\s+log\s+and\s+in\s+orders.*pictures\s+of\s+its\s+goods.*\sreceipts/s;
  const help = await oja(folder.path, ['erase', '--help']);
  expect(help.text).toMatch(stays);
  await registerSeller(market.url, 'Brief House');
  const { code, text } = await oja(folder.path, ['erase', '--seller', 'Brief House', '--yes']);
  expect(code).toBe(0);
  expect(text).toMatch(stays);
});

it('releases a seller’s name last, so that after a kill the same command finds the seller', async () => {
  await registerSeller(market.url, 'Interrupted House');
  await erase('--seller', 'Interrupted House');
  const { lines } = await oja(folder.path, ['events', 'tail', '--json']);
  const types = lines.map((line) => JSON.parse(line).type as string);
  expect(types.slice(types.lastIndexOf('SubjectErased'))).toContain('BusinessNameReleased');
});

it('refuses the buyer and the seller of an order that is not closed', async () => {
  const buyer = await oja(folder.path, ['erase', '--transaction', idOf(orderKey), '--yes']);
  expect(buyer).toMatchObject({ code: 1 });
  expect(buyer.text).toMatch(
    new RegExp(
      `paid and its buyer has not confirmed .* oja dispute settle .* --seller ${seller.details.user_id} --refund`,
    ),
  );
  const owner = await oja(folder.path, ['erase', '--seller', 'Forgetful House', '--yes']);
  expect(owner).toMatchObject({ code: 1 });
  expect(owner.text).toMatch(/cannot be erased yet: 1 paid order/);
  expect(await find(new Client(market.url), 'forgotten')).toHaveLength(1);
});

it('asks first, and changes nothing where it cannot ask', async () => {
  const { code, text } = await oja(folder.path, ['remove-delivered']);
  expect(code).toBe(2);
  expect(text).toMatch(/nothing was changed/);
});

it('forgets the buyer of a delivered order, letters included, while the market sells', async () => {
  const shopper = new Client(market.url);
  await shopper.call(200, 'PUT', `/v1/buyers/transactions/${orderKey}`);
  await vi.waitUntil(() => filesSaying(BUYER).length > 0, { timeout: 60_000, interval: 20 });
  const proof = await erase('--transaction', idOf(orderKey));
  expect(proof).toMatchObject({ ok: true, keyDestroyed: true, sealed: 5, readable: 0, found: [] });
  expect(proof.searchedFor).toEqual(['fullName', 'email', 'homeAddress', 'phoneNumber', 'secret']);
  expect(proof.filesSearched).toBeGreaterThan(5);
  expect(filesSaying(BUYER)).toEqual([]);
  // The order stays, and with it what was sold and earned.
  expect(await oja(folder.path, ['verify'])).toMatchObject({ code: 0 });
  const number = idOf(orderKey).slice(0, 8).toUpperCase();
  const again = await erase('--transaction', number);
  expect(again).toMatchObject({ ok: true, readable: 0 });
}, 120_000);

it('does not call a buyer erased of whom a file still says something, and names the file', async () => {
  const shopper = new Client(market.url);
  const placed = await placeOrder(shopper, await findListed(shopper, 'forgotten', 1));
  const left = { 'left.txt': 'chidi@example.com', 'coded.txt': btoa('to: chidi@example.com') };
  for (const [name, text] of Object.entries(left)) writeFileSync(join(folder.path, name), text);
  const { code, lines } = await oja(folder.path, [
    'erase',
    '--transaction',
    idOf(placed.transactionId),
    '--yes',
    '--json',
  ]);
  for (const name of Object.keys(left)) rmSync(join(folder.path, name));
  expect(code).toBe(1);
  const proof: Proof = JSON.parse(lines.join(''));
  expect(proof).toMatchObject({ ok: false, keyDestroyed: true, readable: 0 });
  expect(new Set(proof.found)).toEqual(
    new Set(Object.keys(left).map((file) => ({ file, field: 'email' }))),
  );
}, 120_000);

it('takes the rights of an erased seller, and gives none to whoever has the name by then', async () => {
  const boss = await registerSeller(market.url, 'Counting House');
  await ojaJson(folder.path, ['admin', 'grant', 'Counting House']);
  const countsAdmins = (n: number) =>
    vi.waitUntil(
      async () =>
        (await boss.client.fetch('/v1/admin/overview')).text.includes(`"totalAdmins":${n},`),
      { timeout: 60_000, interval: 50 },
    );
  await countsAdmins(1);
  const old = await registerSeller(market.url, 'Probe House');
  const oldId = old.details.user_id;
  await boss.client.call(200, 'PUT', `/v1/update-subAdmin?sellerId=${oldId}&isSubAdmin=true`);
  await ojaJson(folder.path, ['admin', 'grant', 'probe-HOUSE']);
  await countsAdmins(2);
  await erase('--seller', 'Probe House');
  await countsAdmins(1);
  const { client, details } = await registerSeller(market.url, 'Probe House');
  for (const command of [
    ['admin', 'grant'],
    ['seller', 'reset-password'],
  ]) {
    const { code, text } = await oja(folder.path, [...command, oldId]);
    expect(text).toMatch(/seller .* was erased\.$/);
    expect(code).toBe(2);
  }
  // For rights that an earlier release has left.
  expect(await ojaJson(folder.path, ['admin', 'revoke', oldId])).toEqual({
    sellerId: oldId,
    isHeadAdmin: false,
    changed: false,
  });
  expect(details.user_id).not.toBe(oldId);
  await countsAdmins(1);
  expect((await client.fetch('/v1/user/products')).status).toBe(200);
}, 120_000);

it('removes the copies of keys that a killed backup left, and waits for a backup that is under way', async () => {
  await registerSeller(market.url, 'Copied House');
  const left = staged('staged-killed');
  const working = staged('staged-working');
  const release = lockFile(working.lock, LOCK_WAIT_MS);
  const early = await oja(folder.path, ['erase', '--seller', 'Copied House', '--yes']);
  expect(existsSync(left.path)).toBe(false);
  expect(existsSync(working.path)).toBe(true);
  expect(early).toMatchObject({ code: 1 });
  expect(early.text).toMatch(
    /not erased for certain.*staged-working may hold the key.*run it again/s,
  );
  const delivered = await oja(folder.path, ['remove-delivered', '--before', '2020-01-01', '--yes']);
  expect(delivered).toMatchObject({ code: 1 });
  expect(delivered.text).toMatch(/staged-working may hold the keys.*run it again/s);
  release?.();
  // Its process is gone by now.
  expect(await erase('--seller', 'Copied House')).toMatchObject({ ok: true, backupsUnderWay: [] });
  expect(existsSync(working.path)).toBe(false);
  const { path } = staged('staged-killed-again');
  const nobody = ['remove-delivered', '--before', '2020-01-01', '--yes'];
  expect(await oja(folder.path, nobody)).toMatchObject({ code: 0 });
  expect(existsSync(path)).toBe(false);
}, 120_000);

it('finds a seller by name again whose erasure could not be proven', async () => {
  await registerSeller(market.url, 'Held House');
  const held = await whileRead(['erase', '--seller', 'Held House', '--yes']);
  expect(held).toMatchObject({ code: 1 });
  expect(held.text).toMatch(/not erased for certain.*log\.db could not be emptied; run it again/s);
  expect(await erase('--seller', 'Held House')).toMatchObject({ ok: true });
  const released = await oja(folder.path, ['erase', '--seller', 'Held House', '--yes']);
  expect(released).toMatchObject({ code: 2 });
}, 120_000);

it('forgets a seller who was paid: goods, name, sessions, password and address for letters', async () => {
  const email = 'forgetful@letters.example';
  await seller.client.call(200, 'POST', '/v1/user/letters/address', {
    email,
    password: 'a long enough secret',
  });
  const written = () => filesSaying([email]).some((path) => path.endsWith('.eml'));
  await vi.waitUntil(written, { timeout: 120_000, interval: 50 });
  const unpaid = await oja(folder.path, ['erase', '--seller', 'Forgetful House', '--yes']);
  expect(unpaid).toMatchObject({ code: 1 });
  const paid = ['payouts', 'mark-paid', idOf(orderKey), '--seller', 'Forgetful House', '--yes'];
  expect(await ojaJson(folder.path, paid)).toMatchObject({ changed: true });
  expect(await ojaJson(folder.path, paid)).toMatchObject({ changed: false });
  await seller.client.call(201, 'POST', '/v1/add-comment', {
    businessName: 'Forgetful House',
    comment_text: 'Sold my first bag here.',
    ratingData: { bar1: 0, bar2: 0, bar3: 0, bar4: 0, bar5: 1 },
  });
  const visitor = new Client(market.url);
  const unpaidOrder = await placeOrder(visitor, await findListed(visitor, 'forgotten', 1));
  const publicly = async (): Promise<string> => {
    const store = await visitor.fetch('/v1/stores/Forgetful%20House');
    const page = await visitor.fetch(storePath('Forgetful House'));
    const reviews = await visitor.fetch('/v1/comments');
    return [store.status, page.status, reviews.text].join();
  };
  expect(await publicly()).toMatch(/^200,200,.*"Forgetful House"/);

  const proof = await erase('--seller', 'Forgetful House');
  expect(proof).toMatchObject({
    ok: true,
    goodsRemoved: 1,
    sessionsEnded: 1,
    keyDestroyed: true,
    readable: 0,
    found: [],
    stays: ['businessName', 'goods', 'pictures'],
  });
  expect(proof.searchedFor).toContain('email');
  expect(filesSaying([email])).toEqual([]);
  await vi.waitUntil(async () => (await publicly()).startsWith('404,404,'), {
    timeout: 60_000,
    interval: 50,
  });
  expect(await publicly()).toContain('Sold my first bag here.');
  expect(await publicly()).not.toContain('Forgetful House');
  await vi.waitUntil(async () => (await find(visitor, 'forgotten')).length === 0, {
    timeout: 60_000,
    interval: 50,
  });
  expect((await seller.client.fetch('/v1/user/products')).status).toBe(401);
  const gone = await oja(folder.path, ['erase', '--seller', 'Forgetful House', '--yes']);
  expect(gone).toMatchObject({ code: 2 });
  // What was ordered was ordered of somebody.
  const order = await visitor.fetch(`/v1/orders/${unpaidOrder.transactionId}`);
  expect(order.text).toContain('Forgetful House');
  // The name is free for somebody else.
  const { details } = await registerSeller(market.url, 'Forgetful House');
  expect(details.user_id).not.toBe(seller.details.user_id);
  const taken = async () => (await visitor.fetch('/v1/stores/Forgetful%20House')).text;
  await vi.waitUntil(async () => (await taken()).includes(`"user_id":"${details.user_id}"`), {
    timeout: 60_000,
    interval: 50,
  });
  expect(await oja(folder.path, ['verify'])).toMatchObject({ code: 0 });
}, 240_000);

it('forgets which account a seller was paid to', async () => {
  const name = 'Transferred House';
  const paid = await registerSeller(market.url, name);
  await paid.client.call(200, 'PUT', '/v1/user/payout-account', {
    account_name: 'Bola Transferred',
    account_number: '0987654321',
    bank_code: '057',
    password: 'a long enough secret',
  });
  await listBag(paid, 'Transferred bag', 6_000, ['#33a', '#aa3']);
  const shopper = new Client(market.url);
  const placed = await placeOrder(shopper, await findListed(shopper, 'transferred', 1));
  expect(await verify(shopper, await pay(placed.payAt))).toMatchObject({ ok: true });
  await shopper.call(200, 'PUT', `/v1/buyers/transactions/${placed.transactionId}`);
  const payouts = async () =>
    (await paid.client.call<{ result: readonly object[] }>(200, 'GET', '/v1/user/payouts')).result;
  await vi.waitUntil(async () => JSON.stringify(await payouts()).includes('"sent"'), {
    timeout: 120_000,
    interval: 100,
  });
  expect(await payouts()).toMatchObject([
    { account: { ends_in: '4321', bank_name: 'Zenith Bank' } },
  ]);
  const proof = await erase('--seller', name);
  expect(proof).toMatchObject({ ok: true, readable: 0, found: [] });
  expect([...proof.searchedFor].sort()).toContain('bankName');
}, 180_000);

it('forgets the writer of a message', async () => {
  const sent = await fetch(`${market.url}/v1/email/sendEmail`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'Hadiza Unforgettable',
      email: 'hadiza@unforgettable.example',
      subject: 'A question of mine',
      message: 'Is this remembered for ever?',
    }),
  });
  expect(sent.status).toBe(200);
  const said = ['hadiza@unforgettable.example', 'Hadiza Unforgettable'];
  await vi.waitUntil(() => filesSaying(said).length > 0, { timeout: 60_000, interval: 20 });
  const { lines } = await oja(folder.path, ['events', 'tail', '--json']);
  const { data } = lines
    .map((line) => JSON.parse(line))
    .find(({ type }) => type === 'ContactMessageReceived');
  expect(await erase('--contact', data.contactId)).toMatchObject({
    ok: true,
    sealed: 4,
    readable: 0,
  });
  expect(filesSaying(said)).toEqual([]);
}, 120_000);

it('removes delivered records by their day, and says first which', async () => {
  const all = await ojaJson<{ ids: string[] }>(folder.path, ['remove-delivered', '--dry-run']);
  const some = await ojaJson<{ ids: string[] }>(folder.path, [
    'remove-delivered',
    '--before',
    new Date(Date.now() - 20 * 86_400_000).toISOString(),
    '--dry-run',
  ]);
  expect(all.ids.length).toBeGreaterThan(some.ids.length);
  const blocked = await whileRead(['remove-delivered', '--yes', '--json']);
  expect(blocked.code).toBe(1);
  expect(blocked.text).toMatch(/log\.db could not be emptied.* run it again/);
  const done: { removed: string[] } = JSON.parse(blocked.lines[0] ?? '');
  expect([...done.removed].sort()).toEqual([...all.ids].sort());
  const left = await ojaJson(folder.path, ['remove-delivered', '--yes']);
  expect(left).toEqual({ removed: [], refused: [] });
  const dry = await ojaJson(folder.path, ['remove-delivered', '--dry-run']);
  expect(dry).toEqual({ dryRun: true, ids: [] });
  expect(await oja(folder.path, ['verify', 'transactions', 'obligations'])).toMatchObject({
    code: 0,
  });
}, 120_000);

it.each([
  [
    ['erase', '--seller', 'Forgetfull House'],
    /no seller 'Forgetfull House'; the nearest is Forgetful House/,
  ],
  [['erase', '--transaction', 'nobody'], /no transaction 'nobody'\.$/],
  [['erase', '--contact', 'nobody'], /no message 'nobody'\.$/],
  [['erase'], /one of --transaction, --seller or --contact/],
  [
    ['remove-delivered', '--before', '2026-02-30'],
    /no time '2026-02-30'; the nearest is 2026-02-28/,
  ],
  [['remove-delivered', '--before', '31/01/2026'], /the nearest is 2026-01-31/],
  [
    ['remove-delivered', '--before', 'yesterday'],
    /no time 'yesterday': a day is typed like 2026-01-31, a time like 2026-01-31T14:00:00Z\.$/,
  ],
])('answers %j with one sentence and exit 2', async (args, sentence) => {
  const { code, lines } = await oja(folder.path, [...args]);
  expect(code).toBe(2);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(sentence);
});

it('leaves an order that was delivered only when its last complaint was settled', async () => {
  const one = await registerSeller(market.url, 'Quick House');
  const other = await registerSeller(market.url, 'Tardy House');
  await listBag(one, 'Divided bag', 6_000, ['#3a3', '#a3a']);
  await listBag(other, 'Divided purse', 6_000, ['#3aa', '#aa3']);
  const shopper = new Client(market.url);
  const goods = await findListed(shopper, 'divided', 2);
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const released = ({ details }: Seller, days: number) =>
    [
      'SellerShareReleased',
      { amount: 500_000, sellerId: details.user_id, at: daysAgo(days) },
    ] as const;
  const order = async (...events: readonly (readonly [string, JsonObject])[]) => {
    const id = idOf((await placeOrder(shopper, goods)).transactionId);
    const payment = { reference: id, amount: 1_200_000, fees: 0, channel: 'card', providerId: id };
    const paid = ['PaymentVerified', { ...payment, paidAt: daysAgo(30) }] as const;
    await appendToOrder(folder.path, id, paid, ...events);
    return id;
  };
  const complaint = { sealed: 'x', subject: 'transaction:x' };
  const confirmed = await order(
    ['DeliveryDisputed', { sellerIds: [other.details.user_id], complaint, at: daysAgo(27) }],
    ['DeliveryConfirmed', { at: daysAgo(25) }],
    released(one, 25),
    released(other, 5),
  );
  const silent = await order(released(one, 15), released(other, 5));
  const before = async (days: number) => {
    const dry = ['remove-delivered', '--dry-run', '--before', daysAgo(days)];
    const { ids } = await ojaJson<{ ids: string[] }>(folder.path, dry);
    return [confirmed, silent].filter((id) => ids.includes(id));
  };
  expect([await before(10), await before(4)]).toEqual([[], [confirmed, silent]]);
}, 120_000);
