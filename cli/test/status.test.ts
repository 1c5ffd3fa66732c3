import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Market, openMarket, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import { oja, ojaJson } from './support/oja.js';

const folder = temporaryFolder();
let market: Market;

beforeAll(async () => {
  market = await openSampleMarket(folder.path);
}, 120_000);
afterAll(async () => {
  await market.kill();
  folder.remove();
});

const asked = (...args: string[]) => oja(folder.path, args);
const check = () => asked('status', '--check');

it('names the work that waits for a person as top does, and calls for nobody about it', async () => {
  const { payableShares } = await ojaJson<{ payableShares: number }>(folder.path, ['status']);
  expect(payableShares).toBeGreaterThan(0);
  const named = `${payableShares} shares to pay by hand (oja payouts list)`;
  const status = await check();
  expect(status).toMatchObject({ code: 0, text: expect.stringContaining(named) });
  expect(status.text).not.toContain('Nothing needs you');
  expect((await asked('top', '--interval', '1')).text).toContain(named);
});

it('tells what is known without Redis, and names it; what needs no queue does its work', async () => {
  const [share] = await ojaJson<readonly { transactionId: string }[]>(folder.path, [
    ...['payouts', 'list'],
  ]);
  const env = { REDIS_URL: 'redis://127.0.0.1:1', OJA_DEMO: '1' };
  const away = (...args: string[]) => oja(folder.path, args, env);
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
  const { code, text } = await oja(folder.path, ['status'], env);
  expect(code).toBe(1);
  expect(text).toMatch(
    /^The market is running on this machine \(demo\); MongoDB does not answer\./,
  );
  expect(text).toMatch(/^head \d+ of log /m);
  expect(text).toMatch(/^letters +\d+/m);
  expect(text).toMatch(/^MongoDB does not answer: .*See whether it runs/m);
  const [status = '', failure = ''] = (await oja(folder.path, ['status', '--json'], env)).lines;
  expect(JSON.parse(status)).toMatchObject({
    running: true,
    services: [],
    head: expect.any(String),
  });
  expect(JSON.parse(status).problems).toEqual([JSON.parse(failure).error]);
}, 60_000);

it('calls for somebody when the read models of an open market are lost, at every look', async () => {
  for (const side of ['', '-wal', '-shm'])
    rmSync(join(folder.path, `documents.db${side}`), { force: true });
  for (let look = 0; look < 2; look += 1)
    expect(await check()).toMatchObject({
      code: 1,
      text: expect.stringMatching(/catalogue.* are missing .*: restart the market/),
    });
  expect(await market.stop()).toBe(0);
  market = await openMarket(folder.path);
  expect(await check()).toMatchObject({ code: 0 });
});

it('calls for somebody when nothing serves the market, but not of a person who asks how it is', async () => {
  await market.kill();
  expect(await check()).toMatchObject({
    code: 1,
    text: expect.stringContaining('nothing serves the market: start it (oja start)'),
  });
  const { code, text } = await asked('status');
  expect(code).toBe(0);
  expect(text).toMatch(/^The market is stopped/);
  expect(text).not.toContain('nothing serves');
});

it('says of a market that was moved out why it is closed', async () => {
  await asked('move', 'out', join(folder.path, 'moved.oja.gz'));
  for (const command of [['status'], ['top', '--interval', '1']])
    expect(await asked(...command)).toMatchObject({
      code: 0,
      text: expect.stringMatching(/This market was moved out \(.*oja\s+move\s+reopen/s),
    });
  expect(await check()).toMatchObject({ code: 1 });
  const { closed, problems } = await ojaJson<{ closed: string; problems: string[] }>(folder.path, [
    'status',
  ]);
  expect(problems).toEqual([closed]);
});
