import { createHash, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordedEvent } from '@oja/platform';
import { expect, it } from 'vitest';
import { runOja } from '../../test/support/market.js';
import { registerSeller } from '../../test/thread/walk.js';
import { oja, ojaJson } from './support/oja.js';
import { openFiles } from './support/opened.js';
import { useSampleMarket } from './support/sample.js';

interface Event {
  readonly position: string;
  readonly stream: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: { readonly time: string; readonly correlationId: string };
}

const PASSWORD = 'market-day';
const market = useSampleMarket();

const events = async (...args: string[]): Promise<readonly Event[]> =>
  (await oja(market.dataDir, ['events', ...args, '--json'])).lines.map((line) => JSON.parse(line));

it('shows a product and a store as they were', async () => {
  const all = await events('tail', '-n', '1000');
  const listed = all.find(({ type }) => type === 'ProductListed');
  if (listed === undefined) throw new Error('there are no goods');
  const { productId, sellerId, name, description } = listed.data;
  const seller = all.find((e) => e.type === 'SellerRegistered' && e.data.sellerId === sellerId);
  const businessName = seller?.data.businessName;
  const login = await fetch(`${market.url}/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ businessName, password: PASSWORD }),
  });
  const { accessToken } = (await login.json()) as { accessToken: string };
  const changed = await fetch(`${market.url}/v1/product/update/${productId}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ description: 'Told anew' }),
  });
  expect(changed.status).toBe(200);
  const at = async (what: string, time: string) =>
    JSON.parse((await oja(market.dataDir, ['events', 'show', what, '--at', time, '--json'])).text);
  const now = new Date().toISOString();
  expect(await at(`${productId}`, listed.metadata.time)).toMatchObject({
    revision: 0,
    state: { name, description },
  });
  expect(await at(`${productId}`, now)).toMatchObject({ state: { description: 'Told anew' } });
  expect(await at(`${productId}`, '2020-01-01')).toMatchObject({ revision: null, state: null });
  const store = await at(`seller-${sellerId}`, now);
  expect(store).toMatchObject({ state: { businessName } });
  expect(store.goods[`${productId}`]).toMatchObject({ description: 'Told anew' });
  expect(JSON.stringify(store)).not.toMatch(/"sealed":/);
});

it('records who has typed a command, by name', async () => {
  const by = { OJA_OPERATOR: 'Chidi O.' };
  expect((await oja(market.dataDir, ['admin', 'grant', 'Adunni Textiles'], by)).code).toBe(0);
  const granted = (await events('tail', '-n', '50')).find(
    ({ type }) => type === 'HeadAdminGranted',
  );
  expect(granted?.metadata).toMatchObject({ actor: 'operator:Chidi O.' });
});

it('prints what an event of old holds as text, never as orders to the terminal', async () => {
  interface Payable {
    readonly sellerId: string;
    readonly transactionId: string;
  }
  const payable = await ojaJson<readonly Payable[]>(market.dataDir, ['payouts', 'list']);
  const [share] = payable;
  if (share === undefined) throw new Error('nothing is owed in the sample market');
  const before = (await oja(market.dataDir, ['payouts', 'list'])).lines.length;
  // Today's rules refuse such a name; yesterday's did not ask.
  const forged = '\r\x1b[2K\x9b2Kfeed-beef  Adunni  ₦9,000,000\nbad-cafe\u2028\u202elast';
  const opened = await openFiles(market.dataDir);
  const stream = `seller-${share.sellerId}`;
  let profile: RecordedEvent | null = null;
  let revision = -1;
  for await (const event of opened.eventStore.readStream(stream)) {
    if (event.type === 'SellerRegistered' || event.type === 'SellerProfileUpdated') profile = event;
    revision = event.revision;
  }
  if (profile === null) throw new Error('the seller has no profile');
  const { metadata, data } = profile;
  const renamed = {
    id: randomUUID(),
    type: 'SellerProfileUpdated',
    data: { ...data, businessName: forged },
    metadata,
  };
  const appended = await opened.eventStore.append(stream, revision, [renamed]);
  await opened.close();
  expect(appended.ok).toBe(true);

  const obeyed = /[^\P{Cc}\n]|[\u2028\u202e]/u;
  const list = await oja(market.dataDir, ['payouts', 'list']);
  expect(list.lines).toHaveLength(before);
  expect(list.text).not.toMatch(obeyed);
  expect(list.text).toContain('feed-beef  Adunni  ₦9,000,000');
  const told = await oja(market.dataDir, ['events', 'tail', '-n', '1']);
  expect(told.lines).toHaveLength(1);
  expect(told.text).not.toMatch(obeyed);
  const asJson = await oja(market.dataDir, ['payouts', 'list', '--json']);
  expect(asJson.text).not.toMatch(obeyed);
  const names = (JSON.parse(asJson.text) as readonly { businessName: string }[]).map(
    (one) => one.businessName,
  );
  expect(names).toContain(forged);
  const wrong = await oja(market.dataDir, ['admin', 'grant', forged.slice(0, -1)]);
  expect(wrong.lines).toHaveLength(1);
  expect(wrong.text).not.toMatch(obeyed);
});

it('finds all that followed from one request', async () => {
  await registerSeller(market.url, 'Traced Store');
  const all = await events('tail');
  const registered = all.findLast(({ type }) => type === 'SellerRegistered');
  const correlation = registered?.metadata.correlationId ?? '';
  const found = await oja(market.dataDir, ['events', '--correlation', correlation, '--json']);
  expect(found.lines.map((line) => JSON.parse(line).type)).toEqual([
    'BusinessNameClaimed',
    'SellerRegistered',
  ]);
});

it('reads the log from a position on, as it is printed or whole', async () => {
  const all = await events('--after', '0');
  expect(all.length).toBeGreaterThan(100);
  const ten = all.at(-10);
  if (ten === undefined) throw new Error('the log is short');
  expect(await events('--after', ten.position, '-n', '9')).toEqual(all.slice(-9));
  const printed = ten.position.replace(/^0+/, '');
  expect(await events('--after', printed, '-n', '3')).toEqual(all.slice(-9, -6));
  const line = (await oja(market.dataDir, ['events', '--after', printed, '-n', '1'])).text;
  expect(line.split(' ')[0]).toBe(all.at(-9)?.position.replace(/^0+/, ''));
  const { correlationId } = ten.metadata;
  const same = (event: Event) => event.metadata.correlationId === correlationId;
  const before = all.at(-11)?.position ?? '';
  expect(await events('--after', before, '--correlation', correlationId, '-n', '1')).toEqual(
    all.slice(-10).filter(same).slice(0, 1),
  );
  const head = all.at(-1)?.position.replace(/^0+/, '') ?? '';
  const following = runOja(['events', '--after', printed, '--follow'], {
    DATA_DIR: market.dataDir,
  });
  await following.line(new RegExp(`^${head} `));
  await registerSeller(market.url, 'Later Store');
  await following.line(/Later Store/);
  expect(await following.stop()).toBe(0);
  expect(following.lines.length).toBeGreaterThan(9);
}, 60_000);

it('follows the log until it is told to stop', async () => {
  const following = runOja(['events', 'tail', '--follow', '-n', '9'], { DATA_DIR: market.dataDir });
  await following.line(/./);
  await registerSeller(market.url, 'Followed Store');
  await following.line(/Followed Store/);
  expect(await following.stop()).toBe(0);
});

it('takes all events as it takes all lines', async () => {
  const { events } = await ojaJson<{ events: number }>(market.dataDir, ['events', 'stats']);
  for (const words of [['tail'], ['--after', '0']]) {
    const all = await oja(market.dataDir, ['events', ...words, '-n', 'all', '--json']);
    expect(all.code).toBe(0);
    expect(all.lines.length).toBeGreaterThanOrEqual(events);
  }
});

it('says that nothing has come after the end of a closed log', async () => {
  await market.stop();
  const [last] = await events('tail', '-n', '1');
  const head = last?.position.replace(/^0+/, '') ?? '';
  expect(await oja(market.dataDir, ['events', '--after', head])).toMatchObject({
    code: 0,
    lines: [`There is no event after position ${head} yet.`],
  });
  expect((await oja(market.dataDir, ['events', '--after', head, '--json'])).lines).toEqual([]);
});

it('says that a market without events has none', async () => {
  const empty = join(market.dataDir, 'empty');
  const file = join(market.dataDir, 'empty.ndjson');
  const header = `${JSON.stringify({ kind: 'oja-export', format: 1, logId: 'none', at: '2026-01-31T12:00:00Z' })}\n`;
  const sha256 = createHash('sha256').update(header).digest('hex');
  writeFileSync(
    file,
    `${header}${JSON.stringify({ kind: 'oja-export-end', events: 0, sha256 })}\n`,
  );
  expect(await oja(empty, ['import', file])).toMatchObject({ code: 0 });
  for (const words of [['tail'], ['--after', '0']])
    expect((await oja(empty, ['events', ...words])).lines).toEqual(['There is no event yet.']);
});

it('says what to ask for, to a program as JSON', async () => {
  const help = await oja(market.dataDir, ['events']);
  expect(help).toMatchObject({ code: 2, text: expect.stringMatching(/^Usage: oja events/) });
  const { code, text } = await oja(market.dataDir, ['events', '--json']);
  expect([code, JSON.parse(text)]).toEqual([
    2,
    { exitCode: 2, error: expect.stringMatching(/--after <position>.* oja events tail/) },
  ]);
});
