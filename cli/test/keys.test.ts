import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createEmbeddedKeys,
  createEmbeddedState,
  createMemoryKeys,
  createMemoryKeysData,
  files,
  openSql,
  probeOf,
  SECRETS_FILE,
} from '@oja/platform';
import { afterAll, expect, it, vi } from 'vitest';
import { Client } from '../../test/support/client.js';
import { freePort, openMarket, runOja, temporaryFolder } from '../../test/support/market.js';
import {
  findListed,
  listBag,
  orderOf,
  pay,
  placeOrder,
  registerSeller,
  verify,
} from '../../test/thread/walk.js';
import { oja } from './support/oja.js';
import { hasTerminal, onTerminal } from './support/terminal.js';

const folder = temporaryFolder();
afterAll(() => folder.remove());
const PATIENCE = { timeout: 120_000, interval: 1 };

const secret = () => randomBytes(32).toString('hex');
const asKey = (hex: string) => Buffer.from(hex, 'hex');

interface Kept {
  readonly tokenSecret: string;
  readonly keysMasterKey: string;
  readonly tokenSecretFallback?: string;
  readonly keysMasterKeyFallback?: string;
}
const secretsOf = (dataDir: string): Kept =>
  JSON.parse(readFileSync(join(dataDir, SECRETS_FILE), 'utf8'));

const openKeys = (dataDir: string, masterKey: string, fallback?: string) =>
  createEmbeddedKeys({
    file: join(dataDir, files.keys),
    masterKey: asKey(masterKey),
    fallback: fallback === undefined ? null : asKey(fallback),
  });

type People = ReadonlyMap<string, Buffer | null>;

/** Everybody's key in the clear. */
async function peopleIn(dataDir: string, masterKey: string, fallback?: string): Promise<People> {
  const keys = await openKeys(dataDir, masterKey, fallback);
  const people = new Map<string, Buffer | null>();
  try {
    for (let page = await keys.kept(null); page.length > 0; ) {
      for (const { subject } of page) people.set(subject, await keys.find(subject));
      page = await keys.kept(page.at(-1)?.subject ?? null);
    }
    return people;
  } finally {
    await keys.close();
  }
}

/** So many more people than the market has, so that a rotation can be met in its middle. */
async function addPeople(dataDir: string, masterKey: string, count: number): Promise<void> {
  const elsewhere = createMemoryKeys(createMemoryKeysData(asKey(masterKey)));
  for (let i = 0; i < count; i += 1) await elsewhere.obtain(`contact:${10_000_000 + i}`);
  const keys = await openKeys(dataDir, masterKey);
  for (let page = await elsewhere.kept(null); page.length > 0; ) {
    await keys.adopt(page);
    page = await elsewhere.kept(page.at(-1)?.subject ?? null);
  }
  await keys.close();
}

/** How somebody's key lies in the file; it changes when it is wrapped anew. */
function wrappedOf(dataDir: string, subject: string): string {
  const sql = openSql(join(dataDir, files.keys), { readonly: true, synchronous: 'FULL' });
  try {
    return (
      sql.get<{ hex: string }>('SELECT hex(wrapped) AS hex FROM keys WHERE subject = ?', [subject])
        ?.hex ?? ''
    );
  } finally {
    sql.close();
  }
}

function anyoneIn(dataDir: string): string {
  const sql = openSql(join(dataDir, files.keys), { readonly: true, synchronous: 'FULL' });
  try {
    return (
      sql.get<{ subject: string }>('SELECT subject FROM keys WHERE wrapped IS NOT NULL')?.subject ??
      ''
    );
  } finally {
    sql.close();
  }
}

/** A seller who is logged in, a bag of hers, and an order of it that was paid. */
async function trade(url: string) {
  const seller = await registerSeller(url, 'Rotating Textiles');
  await listBag(seller, 'Rotating bag', 7_000, ['#a33', '#3a3']);
  const shopper = new Client(url);
  const placed = await placeOrder(shopper, await findListed(shopper, 'Rotating bag', 1));
  await verify(shopper, await pay(placed.payAt));
  const order = await orderOf(shopper, placed.transactionId);
  return { ...seller, transactionId: placed.transactionId, order };
}

/** Reads her own telephone number by the token of before, and by one that the cookie alone opens. */
async function expectKnown(client: Client): Promise<void> {
  for (const _ of ['before', 'after']) {
    const profile = await client.get('/v1/user/single-user');
    expect(JSON.stringify(profile)).toContain('07000000002');
    client.token = (await client.get<{ accessToken: string }>('/v1/refresh-token')).accessToken;
  }
}

it('rotates a demo that is stopped; killed anywhere the same command goes on, and nobody notices', async () => {
  const dataDir = join(folder.path, 'demo');
  const port = await freePort();
  const rotate = (...args: readonly string[]) => oja(dataDir, ['keys', 'rotate', ...args]);
  const first = await openMarket(dataDir, port);
  const { client, transactionId, order } = await trade(first.url);
  await expectKnown(client);
  expect(await rotate('--yes')).toMatchObject({
    code: 1,
    lines: [expect.stringMatching(/^The market runs: stop it first/)],
  });
  await first.stop();

  const old = secretsOf(dataDir);
  await addPeople(dataDir, old.keysMasterKey, 6_000);
  const people = await peopleIn(dataDir, old.keysMasterKey);
  const [backup, vault] = ['backup', 'vault'].map((name) => join(folder.path, name));
  expect((await oja(dataDir, ['backup', backup ?? '', '--keys', vault ?? ''])).code).toBe(0);

  expect(await rotate('--json', '--dry-run')).toMatchObject({
    code: 0,
    text: JSON.stringify({ dryRun: true, keys: people.size, rewrapped: people.size }),
  });
  expect(await rotate()).toMatchObject({ code: 2, text: expect.stringContaining('--yes') });
  expect(secretsOf(dataDir)).toEqual(old);

  async function killedWhen(condition: () => boolean): Promise<void> {
    const running = runOja(['keys', 'rotate', '--yes'], { DATA_DIR: dataDir });
    let ended = false;
    void running.exited.then(() => {
      ended = true;
    });
    await vi.waitUntil(() => condition() || ended, PATIENCE);
    await running.kill();
  }
  /** Wherever it was killed, be it after its end: what is kept opens with what is in the folder. */
  async function expectWhole(): Promise<void> {
    const { keysMasterKey, keysMasterKeyFallback, tokenSecretFallback } = secretsOf(dataDir);
    expect(await peopleIn(dataDir, keysMasterKey, keysMasterKeyFallback)).toEqual(people);
    expect(tokenSecretFallback).toBe(old.tokenSecret);
  }
  await killedWhen(() => secretsOf(dataDir).keysMasterKey !== old.keysMasterKey);
  const { tokenSecret } = secretsOf(dataDir);
  expect(tokenSecret).not.toBe(old.tokenSecret);
  await expectWhole();
  for (const place of [0, 4_000]) {
    const subject = `contact:${10_000_000 + place}`;
    const before = wrappedOf(dataDir, subject);
    await killedWhen(() => wrappedOf(dataDir, subject) !== before);
    await expectWhole();
  }
  // Half-way it may be opened and sell.
  const half = await openMarket(dataDir, port);
  await expectKnown(client);
  expect(await orderOf(new Client(half.url), transactionId)).toEqual(order);
  await half.stop();

  const ended = await rotate('--yes', '--json');
  expect(ended).toMatchObject({ code: 0 });
  expect(JSON.parse(ended.text)).toMatchObject({ keys: people.size, lingers: false });
  const { keysMasterKeyFallback, ...rotated } = secretsOf(dataDir);
  expect(keysMasterKeyFallback).toBeUndefined();
  // Soon after, the token secret stays: somebody may still come back with the one before.
  expect((await rotate('--yes')).code).toBe(0);
  const { keysMasterKey, ...again } = secretsOf(dataDir);
  expect(keysMasterKey).not.toBe(rotated.keysMasterKey);
  expect(again).toMatchObject({ tokenSecret, tokenSecretFallback: old.tokenSecret });
  await expectWhole();

  // The backup of before has the secrets of before.
  const elsewhere = join(folder.path, 'elsewhere');
  const restored = await oja(elsewhere, ['restore', backup ?? '', '--keys', vault ?? '', '--yes']);
  expect(restored).toMatchObject({ code: 0 });
  expect(await peopleIn(elsewhere, old.keysMasterKey)).toEqual(people);
}, 600_000);

it('rotates a market that sells, whose services know old and new secrets side by side', async () => {
  const dataDir = join(folder.path, 'given');
  const port = await freePort();
  const [oldToken, newToken, oldKey, newKey] = [secret(), secret(), secret(), secret()];
  const demo = { OJA_DEMO: '1' };
  const old = { ...demo, TOKEN_SECRET: oldToken, KEYS_MASTER_KEY: oldKey };
  const next = { ...demo, TOKEN_SECRET: newToken, KEYS_MASTER_KEY: newKey };
  const knowing = { ...old, TOKEN_SECRET_FALLBACK: newToken, KEYS_MASTER_KEY_FALLBACK: newKey };
  const swapped = { ...next, TOKEN_SECRET_FALLBACK: oldToken, KEYS_MASTER_KEY_FALLBACK: oldKey };
  const rotate = (env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    oja(dataDir, ['keys', 'rotate', ...args], env);

  let market = await openMarket(dataDir, port, old);
  const { client, transactionId, order } = await trade(market.url);
  const [backup, vault] = ['backup-given', 'vault-given'].map((name) => join(folder.path, name));
  const places = [backup ?? '', '--keys', vault ?? ''];
  expect((await oja(dataDir, ['backup', ...places], old)).code).toBe(0);
  expect(await rotate(old, '--yes')).toMatchObject({
    code: 2,
    text: expect.stringContaining('KEYS_MASTER_KEY_FALLBACK'),
  });

  const open = async (env: Readonly<Record<string, string>>) => {
    await market.stop();
    market = await openMarket(dataDir, port, env);
    await expectKnown(client);
    expect(await orderOf(new Client(market.url), transactionId)).toEqual(order);
  };
  await open(knowing);
  // It makes keys under the old one: they would be left behind.
  expect(await rotate(swapped, '--yes')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/^market on .*KEYS_MASTER_KEY_FALLBACK first.*no key was changed/),
  });
  await open(swapped);
  expect(await rotate(swapped)).toMatchObject({ code: 2, text: expect.stringContaining('--yes') });
  if (hasTerminal) await expectSeenAfterTheQuestion(dataDir, swapped, oldKey);
  // A seller under the new master key while the others are under the old one: neither opens all alone.
  await registerSeller(market.url, 'Under The New Key');
  for (const env of [old, next])
    expect(await oja(dataDir, ['status'], env)).toMatchObject({
      code: 78,
      text: expect.stringContaining('KEYS_MASTER_KEY'),
    });
  const done = await rotate(swapped, '--yes', '--json');
  expect(done).toMatchObject({ code: 0 });
  expect(JSON.parse(done.text).rewrapped).toBeGreaterThan(1);
  expect(JSON.parse((await rotate(swapped, '--dry-run', '--json')).text).rewrapped).toBe(0);
  await expectKnown(client);
  await open({ ...next, TOKEN_SECRET_FALLBACK: oldToken });
  await open(next);
  await market.stop();
  expect((await oja(dataDir, ['status'], old)).code).toBe(78);

  // A backup of before needs the master key of then, and nothing is replaced before that is known.
  const elsewhere = join(folder.path, 'elsewhere-given');
  expect(await oja(elsewhere, ['restore', ...places, '--yes'], next)).toMatchObject({
    code: 78,
    text: expect.stringMatching(/KEYS_MASTER_KEY_FALLBACK.*nothing was changed/),
  });
  const both = { ...next, KEYS_MASTER_KEY_FALLBACK: oldKey };
  expect((await oja(elsewhere, ['restore', ...places, '--yes'], both)).code).toBe(0);
  expect(await oja(elsewhere, ['keys', 'rotate', '--yes'], both)).toMatchObject({ code: 0 });
  const told = readFileSync(join(elsewhere, 'logs/cli.log'), 'utf8');
  expect(told).toMatch(/"event":"keys-rotated","outcome":"granted","actor":"operator/);
  expect((await oja(elsewhere, ['verify', 'ledger'], next)).code).toBe(0);
}, 600_000);

/** While the question of a rotation waits, another machine begins to make keys under the old master key. */
async function expectSeenAfterTheQuestion(
  dataDir: string,
  env: Readonly<Record<string, string>>,
  oldKey: string,
): Promise<void> {
  const screen = onTerminal(dataDir, ['keys', 'rotate'], { env });
  await vi.waitUntil(() => screen.shown().includes('Type yes'), PATIENCE);
  const state = await createEmbeddedState({ file: join(dataDir, files.state) });
  const since = new Date().toISOString();
  const other = { service: 'command-service', host: 'elsewhere', pid: 7, since };
  await state.put(
    'processes',
    'other',
    { ...other, keysProbe: probeOf(asKey(oldKey)) },
    Date.now(),
  );
  const anyone = anyoneIn(dataDir);
  const before = wrappedOf(dataDir, anyone);
  screen.type('yes\r');
  expect(await screen.ended).toBe(1);
  expect(screen.shown().replace(/\s+/g, ' ')).toMatch(
    /command-service on elsewhere, process 7: start it/,
  );
  expect(wrappedOf(dataDir, anyone)).toBe(before);
  await state.delete('processes', 'other');
  await state.close();
}

it('says in a sentence what is missing', async () => {
  const nowhere = join(folder.path, 'nowhere');
  expect(await oja(nowhere, ['keys', 'rotate', '--yes'])).toMatchObject({
    code: 78,
    lines: [expect.stringMatching(/^There is no market in /)],
  });
});
