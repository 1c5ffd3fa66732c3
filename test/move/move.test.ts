import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UserDetails } from '@oja/contracts';
import { POSITION_HEADER } from '@oja/contracts/wire';
import { createEmbeddedKeys, createEmbeddedState } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { stateSpaces } from '../../cli/src/commands/move/state-spaces.js';
import { oja, ojaJson } from '../../cli/test/support/oja.js';
import { createClock } from '../chaos/clock.js';
import { Client } from '../support/client.js';
import { reachEngines } from '../support/engines.js';
import { freePort, type Market, openMarket, temporaryFolder } from '../support/market.js';
import * as walk from '../thread/walk.js';

/** A buyer may report a problem from this age of the order on. */
const TWO_DAYS_MS = 48 * 3_600_000 + 60_000;
const PASSWORD = 'a long enough secret';

type Env = Readonly<Record<string, string>>;

const reached = await reachEngines({ log: 'empty' });
for (const engine of reached.missing.filter((name) => name.startsWith('EventStoreDB')))
  describe('A market moved to EventStoreDB', () => {
    it.skip(`was not reached: ${engine}`);
  });

/** What people have at a market and must find again after a move. */
interface Lived {
  readonly seller: Client;
  readonly details: UserDetails;
  readonly paid: string;
  readonly unpaid: { readonly transactionId: string; readonly payAt: string };
  readonly disputed: string;
  readonly erased: string;
  readonly goods: number;
}

async function bought(url: string): Promise<{ transactionId: string; payAt: string }> {
  const shopper = new Client(url);
  return walk.placeOrder(shopper, await walk.findListed(shopper, 'moved bag', 1));
}

async function paid(url: string): Promise<string> {
  const { transactionId, payAt } = await bought(url);
  expect(await walk.verify(new Client(url), await walk.pay(payAt))).toMatchObject({ ok: true });
  return transactionId;
}

/** A seller with cleared and uncleared notices, orders in every open state, and an erased person. */
async function live({ url, dataDir }: Market, pass: (ms: number) => void): Promise<Lived> {
  const { client: seller, details } = await walk.registerSeller(url, 'Moved Stores');
  await walk.listBag({ client: seller, details }, 'Moved bag', 9_000, ['#123', '#456']);
  const disputed = await paid(url);
  // Clear the notices that were shown.
  await expect
    .poll(() => walk.unreadOf({ client: seller, details }), { timeout: 60_000 })
    .toHaveLength(1);
  const path = `/v1/notifications/unread/${details.user_id}`;
  const { position } = await seller.get<{ position: string }>(path);
  const headers = { [POSITION_HEADER]: position };
  const clear = path.replace('unread', 'read');
  expect((await seller.fetch(clear, { method: 'DELETE', headers })).status).toBe(200);
  pass(TWO_DAYS_MS);
  await new Client(url).call(200, 'POST', `/v1/orders/${disputed}/problem`, {
    sellerIds: [details.user_id],
    message: 'It is not what I ordered.',
  });
  const before = await paid(url);
  const unpaid = await bought(url);
  const written = await new Client(url).fetch('/v1/email/sendEmail', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'Ada Obi',
      email: 'ada@example.com',
      subject: 'Hello',
      message: 'Do you deliver to Nsukka?',
    }),
  });
  expect(written.status).toBe(200);
  const erased = await lastContact(dataDir);
  expect(await ojaJson(dataDir, ['erase', '--contact', erased, '--yes'])).toMatchObject({
    keyDestroyed: true,
  });
  return { seller, details, paid: before, unpaid, disputed, erased, goods: await goodsOf(url) };
}

async function lastContact(dataDir: string): Promise<string> {
  const { lines } = await oja(dataDir, ['events', 'tail', '--json']);
  const last = lines.findLast((line) => line.includes('ContactMessageReceived')) ?? '{}';
  return JSON.parse(last).data.contactId;
}

async function goodsOf(url: string): Promise<number> {
  const all = await new Client(url).get<{ total: number }>('/v1/products/search?limit=1');
  return all.total;
}

/** Expects everything of `lived` at the market. */
async function found({ url }: Market, { details, ...lived }: Lived, unread: number): Promise<void> {
  const { seller, disputed, goods } = lived;
  // A cookie from before the move still holds a valid session.
  const { accessToken } = await seller.get<{ accessToken: string }>('/v1/refresh-token');
  seller.token = accessToken;
  const again = new Client(url);
  await again.call(200, 'POST', '/v1/login', { businessName: 'Moved Stores', password: PASSWORD });
  expect(await walk.unreadOf({ client: seller, details })).toHaveLength(unread);
  expect(await walk.orderOf(new Client(url), disputed)).toMatchObject({ recieved: 'DISPUTED' });
  expect(await goodsOf(url)).toBe(goods);
  const [bag] = await walk.find(new Client(url), 'moved bag');
  const picture = await fetch(new URL(bag?.image_urls[0] ?? '', url));
  expect([picture.status, picture.headers.get('Content-Type')]).toEqual([
    200,
    expect.stringMatching(/^image\//),
  ]);
}

function secretsOf(dataDir: string): { readonly keysMasterKey: string } {
  return JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
}

/** A new folder that holds only a demo's secrets. */
function folderLike(path: string, from: string): string {
  mkdirSync(path, { mode: 0o700 });
  copyFileSync(join(from, 'secrets.json'), join(path, 'secrets.json'));
  return path;
}

describe(`A market moved from one machine to ${reached.names.join(', ') || 'another'} and back`, () => {
  it('has its people, orders, money and erasures, and goes on', async () => {
    const folder = temporaryFolder();
    const clock = createClock(folder.path);
    const port = await freePort();
    const there: Env = { ...reached.env, OJA_DEMO: '1' };
    const [first, second, third] = ['first', 'second', 'third'].map((name) =>
      join(folder.path, name),
    ) as [string, string, string];
    const archive = (name: string) => join(folder.path, `${name}.oja.gz`);
    let market: Market | null = null;
    try {
      market = await openMarket(first, port, clock.env);
      const lived = await live(market, clock.pass);
      expect((await oja(first, ['move', 'out', archive('running')])).text).toMatch(/market runs/);
      expect(await market.stop()).toBe(0);

      const left = await oja(first, ['move', 'out', archive('first')], clock.env);
      expect([left.code, left.text]).toEqual([0, expect.stringMatching(/is closed from now on/)]);
      expect((await oja(first, ['start'], { PORT: `${port}` })).text).toMatch(/was moved out/);
      expect(readFileSync(archive('first')).includes(secretsOf(first).keysMasterKey)).toBe(false);

      // Without the key that opens the sealed data the command is refused, and nothing is created.
      const refused = await oja(second, ['move', 'in', archive('first')], there);
      expect([refused.code, refused.text]).toEqual([
        78,
        expect.stringMatching(/KEYS_MASTER_KEY that is not here: copy secrets\.json/),
      ]);
      expect(existsSync(second)).toBe(false);
      folderLike(second, first);
      const onto = { ...there, ...clock.env };
      const dry = await oja(second, ['move', 'in', '--dry-run', archive('first')], onto);
      expect([dry.code, dry.text]).toEqual([0, expect.stringMatching(/would be moved in/)]);
      const moved = await oja(second, ['move', 'in', archive('first')], onto);
      expect([moved.code, moved.text]).toEqual([0, expect.stringMatching(/moved in;/)]);
      const twice = await oja(second, ['move', 'in', archive('first')], onto);
      expect([twice.code, twice.text]).toEqual([0, expect.stringMatching(/here already/)]);

      market = await openMarket(second, port, onto);
      await found(market, lived, 1);
      // After the move the old link confirms the held order, and the old unpaid order is paid.
      const shopper = new Client(market.url);
      await shopper.call(200, 'PUT', `/v1/buyers/transactions/${lived.paid}`);
      const reference = await walk.pay(lived.unpaid.payAt);
      expect(await walk.verify(shopper, reference)).toMatchObject({ ok: true });
      const onSecond = await oja(second, ['verify'], onto);
      expect([onSecond.code, onSecond.text]).toEqual([0, expect.stringMatching(/balanced/)]);
      expect(await market.stop()).toBe(0);

      const back = await oja(second, ['move', 'out', archive('second')], onto);
      expect([back.code, back.text]).toEqual([0, expect.stringMatching(/is closed/)]);
      folderLike(third, first);
      const home = await oja(third, ['move', 'in', archive('second')], clock.env);
      expect([home.code, home.text]).toEqual([0, expect.stringMatching(/moved in;/)]);
      market = await openMarket(third, port, clock.env);
      await found(market, lived, 2);
      const order = await walk.orderOf(new Client(market.url), lived.paid);
      expect(order).toMatchObject({ recieved: 'DELIVERED' });
      await settled(market, lived);
      expect(await oja(third, ['verify'])).toMatchObject({ code: 0 });
      expect(await market.stop()).toBe(0);
      market = null;

      const keys = await createEmbeddedKeys({
        file: join(third, 'keys.db'),
        masterKey: Buffer.from(secretsOf(third).keysMasterKey, 'hex'),
      });
      expect(await keys.isDestroyed(`contact:${lived.erased}`)).toBe(true);
      await keys.close();
      // Whoever adds a space of State says in `stateSpaces` whether it moves along.
      const state = await createEmbeddedState({ file: join(third, 'state.db') });
      expect((await state.spaces()).filter((space) => !(space in stateSpaces))).toEqual([]);
      await state.close();
    } finally {
      await market?.stop();
      folder.remove();
    }
  }, 600_000);
});

/** Settles the dispute from before the moves with a refund. */
async function settled({ dataDir }: Market, { disputed }: Lived): Promise<void> {
  const [id = ''] = disputed.split('.');
  const list = await ojaJson<readonly object[]>(dataDir, ['dispute', 'list']);
  expect(JSON.stringify(list)).toContain(id);
  const done = await oja(dataDir, [
    ...['dispute', 'settle', id, '--seller', 'Moved Stores'],
    ...['--refund', '--note', 'not as described', '--yes'],
  ]);
  expect(done).toMatchObject({ code: 0 });
  await expect
    .poll(async () => (await oja(dataDir, ['events', 'show', `transaction-${id}`])).text, {
      timeout: 60_000,
      interval: 1_000,
    })
    .toMatch(/RefundCompleted/);
}
