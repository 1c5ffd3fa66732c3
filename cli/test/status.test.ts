import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Product } from '@oja/contracts';
import { createEmbeddedJobs, createEmbeddedState, files, openSql } from '@oja/platform';
import { projections } from '@oja/projector';
import { expect, it } from 'vitest';
import { Client } from '../../test/support/client.js';
import { freePort, runOja, temporaryFolder } from '../../test/support/market.js';
import { openProvider } from '../../test/support/provider.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import { orderOf, pay, placeOrder } from '../../test/thread/walk.js';
import { oja, ojaInto, ojaJson } from './support/oja.js';
import { useSampleMarket } from './support/sample.js';

interface Status {
  readonly running: boolean;
  readonly head: string;
  readonly projections: readonly { readonly checkpoint: string; readonly role: string }[];
  readonly engines: readonly { readonly port: string }[];
  readonly missing: readonly string[];
  readonly problems: readonly string[];
}

const market = useSampleMarket();

const asked = (...args: string[]) => oja(market.dataDir, args);
const check = () => asked('status', '--check');

it('names the work that waits for a person as top does, and calls for nobody about it', async () => {
  const { payableShares } = await ojaJson<{ payableShares: number }>(market.dataDir, ['status']);
  expect(payableShares).toBeGreaterThan(0);
  const named = `${payableShares} shares to pay by hand (oja payouts list)`;
  const status = await check();
  expect(status).toMatchObject({ code: 0, text: expect.stringContaining(named) });
  expect(status.text).not.toContain('Nothing needs you');
  expect((await asked('top', '--interval', '1')).text).toContain(named);
});

it('tells what is known without Redis, and names it; what needs no queue does its work', async () => {
  const [share] = await ojaJson<readonly { transactionId: string }[]>(market.dataDir, [
    ...['payouts', 'list'],
  ]);
  const env = { REDIS_URL: 'redis://127.0.0.1:1', OJA_DEMO: '1' };
  const away = (...args: string[]) => oja(market.dataDir, args, env);
  expect(await away('status', '--check')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/^queues: unknown$(.|\n)*Redis does not answer, so the queues/m),
  });
  const { code, lines } = await away('status', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ running: true, queues: null });
  expect(await away('top', '--interval', '1')).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^jobs {2}unknown$/m),
  });
  expect(await away('trace', share?.transactionId ?? '')).toMatchObject({
    code: 0,
    text: expect.stringMatching(/Jobs are not shown: Redis at/),
  });
  for (const args of [
    ['payouts', 'list'],
    ['verify', 'ledger'],
  ])
    expect(await away(...args)).toMatchObject({ code: 0 });
}, 60_000);

it('tells what is known without MongoDB: the log, the queues and what runs on this machine', async () => {
  const env = { MONGODB_URL: 'mongodb://127.0.0.1:1/oja', OJA_DEMO: '1' };
  const { code, text } = await oja(market.dataDir, ['status'], env);
  expect(code).toBe(1);
  expect(text).toMatch(
    /^The market is running on this machine \(demo\); MongoDB does not answer\./,
  );
  expect(text).toMatch(/^head \d+ of log /m);
  expect(text).toMatch(/^letters +\d+/m);
  expect(text).toMatch(/^MongoDB does not answer: .*See whether it runs/m);
  const [status = '', failure = ''] = (await oja(market.dataDir, ['status', '--json'], env)).lines;
  expect(JSON.parse(status)).toMatchObject({
    running: true,
    services: [],
    head: expect.any(String),
  });
  expect(JSON.parse(status).problems).toEqual([JSON.parse(failure).error]);
}, 60_000);

it('counts what the provider told and nobody worked on among what is owed', async () => {
  const state = await createEmbeddedState({ file: join(market.dataDir, files.state) });
  const now = Date.now();
  // No release has kept one like it: working on it fails, also when the open market's next sweep tries.
  await state.put('webhooks', 'todo/odd', { notice: null, at: now - 600_000 }, now);
  const checked = await oja(market.dataDir, ['status', '--check']);
  expect([checked.code, checked.text]).toEqual([
    1,
    expect.stringContaining(
      `1 × webhook overdue, the oldest since ${new Date(now - 600_000).toISOString()}`,
    ),
  ]);
  await state.delete('webhooks', 'todo/odd');
  await state.close();
  const { problems } = await ojaJson<Status>(market.dataDir, ['status']);
  expect(problems.join()).not.toContain('webhook');
});

it.concurrent('needs nobody any more once a sweep has done what failed in an outage', async () => {
  const place = temporaryFolder();
  const port = await freePort();
  const secret = `sk_test_${randomUUID()}`;
  const provider = await openProvider(secret, port, (error) => {
    throw error;
  });
  const env = { OJA_DEMO: '1', PAYSTACK_URL: provider.url, PAYSTACK_SECRET: secret };
  const other = await openSampleMarket(place.path, env, port);
  const state = await createEmbeddedState({ file: join(place.path, files.state) });
  try {
    const check = () => oja(place.path, ['status', '--check', '--json'], env);
    const shopper = new Client(other.url);
    const goods = await shopper.get<{ result: readonly Product[] }>('/v1/products/search?limit=1');
    const { payAt, transactionId } = await placeOrder(shopper, goods.result);
    expect(await check()).toMatchObject({ code: 0 });

    provider.goAway();
    await pay(payAt);
    const told = () => state.list<{ readonly at: number }>('webhooks', 'todo/', Date.now());
    await expect.poll(async () => (await told()).length).toBe(1);
    // An outage that lasts: the job was tried so often that it is tried no more, and the notice is of ten minutes ago.
    const jobs = openSql(join(place.path, files.jobs), { synchronous: 'NORMAL' });
    const lastTry = "UPDATE jobs SET attempts = 1, due = 0 WHERE queue = 'webhooks'";
    expect(jobs.run(lastTry)).toBe(1);
    jobs.close();
    const failed = async () => JSON.parse((await check()).text).queues.webhooks.failed;
    await expect.poll(failed).toBe(1);
    for (const { key, value } of await told())
      await state.put('webhooks', key, { ...value, at: value.at - 600_000 }, Date.now());
    const away = await check();
    expect([away.code, away.text]).toEqual([
      1,
      expect.stringContaining('1 × webhook overdue, the oldest since'),
    ]);

    provider.comeBack();
    await expect.poll(told, { timeout: 150_000, interval: 250 }).toEqual([]);
    expect(await check()).toMatchObject({ code: 0 });
    expect(JSON.parse((await check()).text)).toMatchObject({
      problems: [],
      queues: { webhooks: { failed: 1 } },
    });
    expect(await orderOf(shopper, transactionId)).toMatchObject({ status: 'success' });
  } finally {
    await state.close();
    await other.stop();
    await provider.close();
    place.remove();
  }
}, 300_000);

it.concurrent('tells what is known without the log where its server takes calls and answers nothing', async () => {
  const sockets = new Set<Socket>();
  const frozen = createServer((socket) => sockets.add(socket));
  const port = await freePort();
  frozen.listen(port, '127.0.0.1');
  await once(frozen, 'listening');
  const env = { EVENTSTORE_URL: `esdb://127.0.0.1:${port}?tls=false`, OJA_DEMO: '1' };
  try {
    const { code, text, lines } = await oja(market.dataDir, ['status'], env);
    expect(code).toBe(1);
    expect(text).toMatch(/^The market is running .*its log does not answer/);
    expect(text).toMatch(/ {2}market on \S+, process \d+/);
    for (const { name } of projections) expect(text).toMatch(new RegExp(`^${name} .*T.*Z$`, 'm'));
    expect(text).toMatch(/^ledger balanced/m);
    expect(
      lines.filter((line) => /^EventStoreDB did not answer for 4 s: .*\.$/.test(line)),
    ).toHaveLength(1);
    expect(text).not.toMatch(/\bat .*\.js:\d+/);

    // What cannot be told without the log is said with the way on.
    expect(await oja(market.dataDir, ['trace', randomUUID()], env)).toMatchObject({
      code: 1,
      lines: [
        expect.stringMatching(
          /^EventStoreDB did not answer for 8 s: .*\. See whether it runs and whether its address is right \(oja config\), then run the command again\.$/,
        ),
      ],
    });

    const [status = '', failure = ''] = (await oja(market.dataDir, ['status', '--json'], env))
      .lines;
    const { problems } = JSON.parse(status);
    expect(problems).toContain(JSON.parse(failure).error);
    expect(JSON.parse(status)).toMatchObject({ running: true, shown: expect.any(Array) });

    const watching = runOja(['status', '--watch', '--interval', '1', '--json'], {
      DATA_DIR: market.dataDir,
      ...env,
    });
    await expect.poll(() => watching.lines.length, { timeout: 60_000 }).toBeGreaterThan(1);
    expect(await watching.stop()).toBe(0);
    for (const look of watching.lines)
      expect(JSON.parse(look)).toMatchObject({ running: true, shown: expect.any(Array) });
  } finally {
    for (const socket of sockets) socket.destroy();
    frozen.close();
  }
});

it('tells how the market stands, open and closed alike', async () => {
  const open = await ojaJson<Status>(market.dataDir, ['status']);
  expect(open).toMatchObject({ running: true, missing: [] });
  expect(open.projections).toHaveLength(projections.length);
  expect(open.engines.map(({ port }) => port)).toContain('keys');
  await market.stop();
  const closed = await ojaJson<Status>(market.dataDir, ['status']);
  expect(closed).toMatchObject({ running: false, problems: [] });
  // Of an outage that is over: what the job was to do, a sweep has done.
  const jobs = await createEmbeddedJobs({ file: join(market.dataDir, files.jobs) });
  const worker = jobs.work('payment-checks', () =>
    Promise.reject(new Error('the provider does not answer')),
  );
  await jobs.add('payment-checks', {}, { id: 'of-the-outage', attempts: 1 });
  await expect.poll(async () => (await jobs.counts('payment-checks')).failed).toBe(1);
  await worker.close();
  await jobs.close();
  const after = await ojaJson<Status>(market.dataDir, ['status']);
  expect(after).toMatchObject({ problems: [], queues: { 'payment-checks': { failed: 1 } } });
  for (const { checkpoint, role } of closed.projections)
    expect({ checkpoint, role }).toEqual({ checkpoint: closed.head, role: 'live' });
  expect(await oja(market.dataDir, ['verify'])).toMatchObject({ code: 0 });
  // Nobody else feeds a generation there: what follows the log late does so in the command.
  for (const step of ['start', 'switch', 'rollback', 'switch'])
    expect(await oja(market.dataDir, ['replay', step, 'sellers'])).toMatchObject({ code: 0 });
  expect(await oja(market.dataDir, ['replay', 'watch', 'sellers'])).toMatchObject({
    code: 1,
    text: expect.stringMatching(/stays so, because nothing serves the market/),
  });
  expect(await oja(market.dataDir, ['replay', 'sellers'])).toMatchObject({ code: 0 });
  expect(await oja(market.dataDir, ['verify', 'sellers'])).toMatchObject({ code: 0 });
  await market.open();
}, 120_000);

it('calls for somebody when the read models of an open market are lost, at every look', async () => {
  for (const side of ['', '-wal', '-shm'])
    rmSync(join(market.dataDir, `documents.db${side}`), { force: true });
  for (let look = 0; look < 2; look += 1)
    expect(await check()).toMatchObject({
      code: 1,
      text: expect.stringMatching(/catalogue.* are missing .*: restart the market/),
    });
  expect(await market.stop()).toBe(0);
  await market.open();
  expect(await check()).toMatchObject({ code: 0 });
});

it('calls for somebody when nothing serves the market, but not of a person who asks how it is', async () => {
  await market.kill();
  expect(await check()).toMatchObject({
    code: 1,
    text: expect.stringContaining('nothing serves the market: start it (oja start)'),
  });
  expect(await ojaInto(market.dataDir, ['status', '--check'], '| true')).toEqual({
    code: 1,
    text: '',
  });
  const { code, text } = await asked('status');
  expect(code).toBe(0);
  expect(text).toMatch(/^The market is stopped/);
  expect(text).not.toContain('nothing serves');
});

it('says of a stopped market for how long it is behind, and not how old what was seeded is', async () => {
  expect(await asked('seed', '--products', '2', '--sellers', '1', '--orders', '2')).toMatchObject({
    code: 0,
  });
  const { projections: generations } = await ojaJson<{
    projections: readonly { lag: { events: number; seconds: number } }[];
  }>(market.dataDir, ['status']);
  // Sample orders are days old.
  for (const { lag } of generations)
    expect([lag.events > 0, lag.seconds < 3_600]).toEqual([true, true]);
  expect(generations).not.toEqual([]);
});

it('says of a market that was moved out why it is closed', async () => {
  await asked('move', 'out', join(market.dataDir, 'moved.oja.gz'));
  for (const command of [['status'], ['top', '--interval', '1']])
    expect(await asked(...command)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/This market was moved out \(.*oja\s+move\s+reopen/s),
    });
  expect(await check()).toMatchObject({ code: 1 });
  const { closed, problems } = await ojaJson<{ closed: string; problems: string[] }>(
    market.dataDir,
    ['status'],
  );
  expect(problems).toEqual([closed]);
});
