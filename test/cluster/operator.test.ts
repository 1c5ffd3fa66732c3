import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createEventStoreDb } from '@oja/platform';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AnswerName, answers, failure } from '../../cli/src/answers/index.js';
import { oja, type Ran } from '../../cli/test/support/oja.js';
import { appendUnruled } from '../../cli/test/support/opened.js';
import { Client } from '../support/client.js';
import { emptyLog, noEmptyLog, reachEngines } from '../support/engines.js';
import { freePort, type Market, openMarket, temporaryFolder } from '../support/market.js';
import * as walk from '../thread/walk.js';

// An event that cannot be projected stays in its log for good, so this log must not be shared.
const ownRedis = Boolean(process.env.MONGODB_URL || (await emptyLog()));
const { names, env: servers, missing } = await reachEngines({ log: 'empty', ownRedis });
const { EVENTSTORE_URL: log, MONGODB_URL: database } = servers;

for (const engine of missing)
  describe(`An operator on ${engine.replace(/ \(.*/, '')}`, () => {
    it.skip(`was not reached: ${engine}`);
  });

const NAME = `Operated ${randomUUID().slice(0, 8)}`;
const sentence = expect.stringMatching(/\.$/);

/** On files alone, with or without Redis queues, each command has its own tests. */
const onServers = log !== undefined || database !== undefined;

describe.skipIf(!onServers)(`An operator on ${names.join(', ')}`, () => {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'market');
  let market: Market;
  let productId: string;
  let sellerId: string;
  /** A delivered order whose share is released to the seller. */
  let delivered: string;
  let paid: string;

  const settings = (port: number) => ({
    ...servers,
    OJA_DEMO: '1',
    PUBLIC_URL: `http://localhost:${port}`,
  });
  const run = (args: readonly string[], home = dataDir, others = {}): Promise<Ran> =>
    oja(home, args, { ...settings(market.port), PORT: `${market.port}`, ...others });

  /** Runs a command with --json and checks its output by the schema; `code` is the expected exit code. */
  async function answered<T>(
    name: AnswerName,
    args: readonly string[] = [],
    { code = 0, home = dataDir, others = {} } = {},
  ): Promise<readonly T[]> {
    const ran = await run([...name.split(' '), ...args, '--json'], home, others);
    expect(ran.code, ran.text).toBe(code);
    const { schema = z.never(), perLine = false } = answers[name] ?? {};
    const texts = perLine ? ran.lines : [ran.text];
    return texts.map((text) => {
      const parsed = schema.safeParse(JSON.parse(text));
      expect(parsed.success ? '' : `${name}: ${z.prettifyError(parsed.error)}`).toBe('');
      return parsed.data as T;
    });
  }

  /** The error sentence of a command that must fail with this exit code. */
  async function refused(args: readonly string[], code: number): Promise<string> {
    const ran = await run([...args, '--json']);
    expect(ran.code, ran.text).toBe(code);
    const { error, exitCode } = failure.parse(JSON.parse(ran.lines.at(-1) ?? ''));
    expect([error, exitCode]).toEqual([sentence, code]);
    return error;
  }

  async function buy(): Promise<string> {
    const shopper = new Client(market.url);
    const goods = await walk.findListed(shopper, NAME, 1);
    const { payAt, transactionId } = await walk.placeOrder(shopper, goods);
    expect(await walk.verify(shopper, await walk.pay(payAt))).toMatchObject({ ok: true });
    return transactionId;
  }

  const idOf = (secretId: string) => secretId.split('.')[0] ?? '';

  beforeAll(async () => {
    const port = await freePort();
    market = await openMarket(dataDir, port, settings(port));
    const seller = await walk.registerSeller(market.url, NAME);
    sellerId = seller.details.user_id;
    productId = await walk.listBag(seller, `${NAME} bag`, 9_000, ['#123', '#456']);
    const secretId = await buy();
    await new Client(market.url).call(200, 'PUT', `/v1/buyers/transactions/${secretId}`);
    delivered = idOf(secretId);
    paid = idOf(await buy());
  });

  afterAll(async () => {
    await market?.stop();
    folder.remove();
  });

  it.skipIf(database === undefined)(
    'is told what a first start would make, and nothing is made',
    async () => {
      const empty = {
        OJA_DEMO: '1',
        PUBLIC_URL: 'http://localhost',
        MONGODB_URL: (database ?? '').replace(/(oja_test_\w+)/, '$1_e'),
        PORT: `${await freePort()}`,
      };
      // Each look makes a demo's secrets anew: what the first has left would not open with those of the next.
      for (const home of ['one', 'other']) {
        const { code, text } = await oja(join(folder.path, home), ['start', '--plan'], empty);
        expect({ code, text }).toEqual({
          code: 0,
          text: expect.stringMatching(/: a new market\.\n(.*\n)+It would open\.$/),
        });
      }
    },
  );

  it.skipIf(database === undefined || log === undefined)(
    'looks at new servers, and settles no master key there',
    async ({ skip }) => {
      const empty = await emptyLog();
      if (empty === null) return skip(noEmptyLog);
      // A demo makes a master key for each folder.
      for (const home of ['early', 'earlier']) {
        const looked = await oja(join(folder.path, home), ['status', '--json'], {
          ...settings(await freePort()),
          ...{
            EVENTSTORE_URL: empty,
            MONGODB_URL: (database ?? '').replace(/(oja_test_\w+)/, '$1_n'),
          },
        });
        expect(looked).toMatchObject({ code: 0 });
      }
    },
  );

  it('is refused where a mistyped address leads to none of its people', async () => {
    const foreign: Readonly<Record<string, string>> = {
      ...settings(market.port),
      ...(database !== undefined && {
        MONGODB_URL: database.replace(/(oja_test_\w+)/, '$1_f'),
      }),
      PORT: `${await freePort()}`,
    };
    const home = log === undefined ? dataDir : join(folder.path, 'mistyped');
    const started = await oja(home, ['status'], foreign);
    expect(started).toMatchObject({
      code: 78,
      text: expect.stringMatching(/^The log \S+ has sellers, but there is no key/),
    });
  });

  it('sees how the market is', async () => {
    const ran = await run(['status', '--check', '--json']);
    const status = answers.status?.schema.parse(JSON.parse(ran.text)) as {
      readonly problems: readonly string[];
      readonly engines: readonly { readonly engine: string }[];
    };
    expect([ran.code, status.problems]).toEqual([0, []]);
    for (const url of Object.values(servers))
      expect(status.engines.map(({ engine }) => engine)).toContain(url);
    await answered('top', ['--once']);
    await answered('config');
    expect(await answered('logs', ['-n', '5'])).not.toEqual([]);
    expect(await refused(['start', '--plan'], 78)).toContain('A market runs');
  });

  it('follows an order, from a position on too', async () => {
    interface Event {
      readonly position: string;
      readonly type: string;
      readonly metadata: { readonly correlationId: string };
    }
    const order = { transactionId: paid };
    expect(await answered('trace', [paid])).toEqual([
      expect.objectContaining({ order: expect.objectContaining(order) }),
    ]);
    await answered('trace', [NAME]);
    const [placed, ...later] = await answered<Event>('events show', [`transaction-${paid}`]);
    const { position = '', metadata } = placed ?? {};
    expect(later.map(({ type }) => type)).toContain('PaymentVerified');
    const after = await answered<Event>('events', ['--after', position, '-n', '2']);
    expect(after.map((event) => event.position > position)).toEqual([true, true]);
    const caused = ['--correlation', metadata?.correlationId ?? ''];
    expect((await answered<Event>('events', caused)).map(({ type }) => type)).toContain(
      'OrderPlaced',
    );
    expect(await answered('events tail', ['-n', '3'])).toHaveLength(3);
    await answered('events show', [`product-${productId}`, '--at', new Date().toISOString()]);
    await answered('events stats');
  });

  it('builds read models anew, and proves them', async () => {
    await answered('replay', ['plan', 'sales']);
    await answered('replay', ['sales']);
    await answered('replay', ['start', 'timeline']);
    for (const step of ['watch', 'verify', 'switch', 'rollback', 'switch', 'clean'])
      await answered('replay', [step, 'timeline', ...(step === 'clean' ? ['--yes'] : [])]);
    await answered('replay', ['catalogue', '--stream', `product-${productId}`]);
    expect(await answered('verify', ['sales'])).toEqual([expect.objectContaining({ ok: true })]);
    expect(await answered('verify', ['ledger'])).toEqual([expect.objectContaining({ ok: true })]);
  });

  it.skipIf(log === undefined)('passes over an event that cannot be projected', async () => {
    const stream = `product-${productId}`;
    const store = await createEventStoreDb({ url: log ?? '' });
    try {
      await appendUnruled(store, stream, 1, 'ProductUpdated', {
        productId,
        sellerId,
        price: 'a lot',
      });
    } finally {
      await store.close();
    }
    const parked = async () =>
      (await answered<readonly { stream: string; model: string }[]>('quarantine list'))
        .flat()
        .filter((row) => row.stream === stream)
        .map(({ model }) => model.split('_')[0] ?? '')
        .sort();
    await expect.poll(parked).toEqual(['catalogue', 'timeline']);
    await answered('quarantine show', ['catalogue', stream]);
    expect(await refused(['quarantine', 'retry', 'catalogue', stream], 1)).toContain(
      'expected number',
    );
    for (const model of await parked())
      await answered('quarantine skip', [model, stream, '--reason', 'written by a test']);
    expect(await parked()).toEqual([]);
  });

  it('pays and settles only what is meant, and erases who may go', async () => {
    await answered('payouts list');
    await answered('dispute list');
    const pays = ['payouts', 'mark-paid', delivered, '--seller', NAME];
    const settles = ['dispute', 'settle', paid, '--seller', NAME, '--refund', '--note', 'a test'];
    const erases = ['erase', '--transaction', paid, '--yes'];
    expect(await refused(pays, 2)).toContain('₦7,826');
    await refused(settles, 1);
    expect(await refused(erases, 1)).toContain('confirmed');
    await answered('payouts mark-paid', [delivered, '--seller', NAME, '--yes']);
    await answered('remove-delivered', ['--before', '2020-01-31', '--dry-run']);
    expect(await answered('erase', ['--transaction', delivered, '--yes'])).toEqual([
      expect.objectContaining({ keyDestroyed: true }),
    ]);
    expect(await answered('admin grant', [NAME])).toEqual([
      expect.objectContaining({ changed: true }),
    ]);
    await answered('admin revoke', [NAME]);
    await answered('seller reset-password', [NAME]);
  });

  it('is told how a market on servers is copied', async () => {
    for (const words of [['backup', join(folder.path, 'copy')], ['drill']])
      expect(await refused(words, 2)).toContain(log === undefined ? 'mongodump' : 'EventStoreDB');
  });

  it('closes it, rotates its secrets, and opens it again', async () => {
    expect(await refused(['keys', 'rotate', '--yes'], 1)).toContain('stop it first');
    expect(await market.stop()).toBe(0);
    expect(await answered('start', ['--plan'])).toEqual([
      expect.objectContaining({ refusal: null }),
    ]);
    await answered('keys rotate', ['--dry-run']);
    await answered('keys rotate', ['--yes']);
    market = await openMarket(dataDir, market.port, settings(market.port));
    const buyers = await answered<{ readonly order: { readonly status: string } }>('trace', [paid]);
    expect(buyers).toHaveLength(1);
  });

  it('carries the events into an empty market, where importing again adds nothing', async () => {
    const empty = log === undefined ? null : await emptyLog();
    if (log !== undefined && empty === null) throw new Error(`${noEmptyLog} any more`);
    const file = join(folder.path, 'market.ndjson.gz');
    const elsewhere = join(folder.path, 'elsewhere');
    const others = {
      ...(empty !== null && { EVENTSTORE_URL: empty }),
      // Jobs, accounts and read models go to databases of their own, apart from the first market's.
      ...(servers.REDIS_URL !== undefined && { REDIS_URL: `${servers.REDIS_URL}/1` }),
      ...(database !== undefined && {
        MONGODB_URL: `${database.replace(/(oja_test_\w+)/, '$1_b')}`,
      }),
    };
    const there = { home: elsewhere, others };
    const [{ events } = { events: 0 }] = await answered<{ events: number }>('export', [file]);
    expect(events).toBeGreaterThan(0);
    const added = { added: events, known: 0 };
    expect(await answered('import', [file, '--dry-run'], there)).toEqual([
      { dryRun: true, ...added },
    ]);
    expect(await answered('import', [file], there)).toEqual([added]);
    expect(await answered('import', [file], there)).toEqual([{ added: 0, known: events }]);
    expect(await answered('trace', [paid], there)).toHaveLength(1);
    await answered('status', [], there);
    const opened = await openMarket(elsewhere, await freePort(), {
      ...settings(market.port),
      ...others,
    });
    expect(await opened.stop()).toBe(0);
    expect(await answered('verify', ['sales'], there)).toEqual([
      expect.objectContaining({ ok: true }),
    ]);
  });
});
