import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { files, openSql } from '@oja/platform';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Client } from '../support/client.js';
import { type Market, openMarket, runOja, temporaryFolder } from '../support/market.js';
import { openSampleMarket } from '../support/sample-market.js';
import { find, pay, verify } from '../thread/walk.js';
import { everyDocument, type Snapshot } from './documents.js';
import { tracesOf } from './traces.js';

const HEAD_ADMIN = 'Adunni Textiles';
const SAMPLE_PASSWORD = 'market-day';
const DATABASES = [files.log, files.documents, files.state, files.jobs, files.keys];

const buyer = {
  full_name: 'Ngozi Ọlámidé Nwankwọ',
  email: 'ngozi.of.the.erasure@buyers.example',
  home_address: '47 Odim Close, Nsukka',
  phone_number: '08039998887',
};

const folder = temporaryFolder();
const children: ChildProcess[] = [];
let market: Market;

beforeAll(async () => {
  market = await openSampleMarket(folder.path);
});

afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await market?.stop();
  folder.remove();
});

/** Places an order, pays it, sends its receipt and delivers it. Returns the order key. */
async function deliveredOrder(): Promise<string> {
  const shopper = new Client(market.url);
  const [one] = await find(shopper, 'bag');
  if (one === undefined) throw new Error('there are no bags');
  const order = (amount: number) => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'of-the-erasure-test' },
    body: JSON.stringify({
      ...buyer,
      amount,
      buyerItems: [{ product_id: one.product_id, user_id: one.user_id, quantity: 1 }],
    }),
  });
  const path = '/v1/transaction/initialize';
  const amount = one.price + (one.price > 5_000 ? 0 : 800);
  // Failed requests must not leave more traces behind than successful ones.
  expect((await shopper.fetch(path, order(amount + 1))).status).toBe(400);
  const cut = order(amount).body.slice(0, -1);
  expect((await shopper.fetch(path, { ...order(amount), body: cut })).status).toBe(400);
  const placed = await shopper.fetch(path, order(amount));
  expect(placed.status).toBe(200);
  expect((await shopper.fetch(path, order(amount))).status).toBe(200);
  const { data, transactionId } = JSON.parse(placed.text);
  const reference = await pay(data.data.authorization_url);
  expect(await verify(shopper, reference)).toMatchObject({ ok: true });
  // The receipt of an order that is not confirmed has its secret, in the link to confirm it.
  const [, secret] = String(transactionId).split('.');
  await vi.waitFor(
    () =>
      expect(
        tracesOf(folder.path, { secret: secret ?? '' }).map(({ file }) => file),
      ).toContainEqual(expect.stringMatching(/\.eml$/)),
    30_000,
  );
  await shopper.call(200, 'PUT', `/v1/buyers/transactions/${transactionId}`);
  return transactionId;
}

async function headAdmin(): Promise<Client> {
  const env = { DATA_DIR: folder.path, PORT: new URL(market.url).port };
  expect(await runOja(['admin', 'grant', HEAD_ADMIN], env).exited).toBe(0);
  const admin = new Client(market.url);
  const body = { businessName: HEAD_ADMIN, password: SAMPLE_PASSWORD };
  admin.token = (
    await admin.call<{ accessToken: string }>(200, 'POST', '/v1/login', body)
  ).accessToken;
  return admin;
}

/** The person's wrapped key as stored in the file; null once it is destroyed. */
function wrappedKey(subject: string): Buffer | null {
  const sql = openSql(join(folder.path, files.keys), { readonly: true, synchronous: 'FULL' });
  const row = sql.get<{ wrapped: Buffer }>('SELECT wrapped FROM keys WHERE subject = ?', [subject]);
  sql.close();
  return row?.wrapped ?? null;
}

/**
 * The documents before and after a rebuild from the log. Repeats when the log has grown meanwhile,
 * which a sweep at the market's start can cause.
 */
async function rebuilt(): Promise<readonly [before: Snapshot, after: Snapshot]> {
  for (;;) {
    const before = await everyDocument(folder.path);
    await market.stop();
    for (const suffix of ['', '-wal', '-shm'])
      rmSync(join(folder.path, `${files.documents}${suffix}`), { force: true });
    market = await openMarket(folder.path);
    const after = await everyDocument(folder.path);
    if (after.head === before.head) return [before, after];
  }
}

/**
 * Starts a process with an open read transaction on every database; `letGo` ends the transactions,
 * not the connections.
 */
async function openReader(): Promise<{ letGo(): Promise<void> }> {
  const paths = DATABASES.map((name) => join(folder.path, name));
  const child = spawn(process.execPath, [join(import.meta.dirname, 'reader.mjs'), ...paths], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const said: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => said.push(line));
  await vi.waitFor(() => expect(said).toContain('reading'), 20_000);
  return {
    async letGo() {
      child.stdin.write('let go\n');
      await vi.waitFor(() => expect(said).toContain('free'), 20_000);
    },
  };
}

it('a removed record leaves no trace of its buyer, and the rebuilt market is the same', async () => {
  const orderKey = await deliveredOrder();
  const [id = '', secret = ''] = orderKey.split('.');
  const subject = `transaction:${id}`;
  const key = wrappedKey(subject);
  if (key === null) throw new Error('the buyer has no key');
  const values = { ...buyer, secret, key };

  // Check first that the receipt was sent and that the search finds traces that do exist.
  await vi.waitFor(() => {
    const found = tracesOf(folder.path, values);
    expect(new Set(found.map(({ value }) => value))).toEqual(new Set(['email', 'key', 'secret']));
    expect(found.some(({ file }) => file.endsWith('.eml'))).toBe(true);
  }, 30_000);

  const admin = await headAdmin();
  const reader = await openReader();
  const removed = admin.call(200, 'DELETE', `/v1/buyers/${id}`);
  await vi.waitFor(() => expect(wrappedKey(subject)).toBeNull(), 20_000);
  await reader.letGo();
  await removed;
  expect(tracesOf(folder.path, values)).toEqual([]);
  const shown = await admin.get<{ result: object }>(`/v1/transactions/${id}`);
  expect(JSON.stringify(shown)).not.toContain(buyer.email);

  for (const child of children) child.kill('SIGKILL');
  await market.stop();
  expect(tracesOf(folder.path, values)).toEqual([]);
  market = await openMarket(folder.path);
  expect(tracesOf(folder.path, values)).toEqual([]);
  const [before, after] = await rebuilt();
  expect(before.documents[`transactions/transactions/${id}`]).toBeDefined();
  expect(after).toEqual(before);
  expect(tracesOf(folder.path, values)).toEqual([]);
}, 180_000);
