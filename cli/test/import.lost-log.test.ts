import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Client } from '../../test/support/client.js';
import { lettersIn, openMarket, runOja, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import { find, pay, placeOrder, registerSeller, verify } from '../../test/thread/walk.js';
import { eventStats, oja, ojaJson } from './support/oja.js';

interface Reacted {
  readonly reactions: { readonly checkpoint: string };
  readonly head: string;
}

const folder = temporaryFolder();
const dataDir = join(folder.path, 'market');
const file = join(folder.path, 'market.ndjson');
const credentials = { businessName: 'Ada Bags', password: 'a long enough secret' };
let events: number;

const logFiles = (): readonly string[] =>
  readdirSync(dataDir).filter((name) => name.startsWith('log.db'));

function loseLog(): void {
  for (const name of logFiles()) rmSync(join(dataDir, name));
}

async function hasReacted(): Promise<boolean> {
  const { reactions, head } = await ojaJson<Reacted>(dataDir, ['status']);
  return reactions.checkpoint >= head;
}

beforeAll(async () => {
  const market = await openSampleMarket(dataDir);
  await registerSeller(market.url, credentials.businessName);
  const shopper = new Client(market.url);
  const { payAt } = await placeOrder(shopper, (await find(shopper, 'bag')).slice(0, 1));
  expect(await verify(shopper, await pay(payAt))).toMatchObject({ ok: true });
  await vi.waitUntil(() => lettersIn(dataDir).length === 1, { timeout: 60_000 });
  await vi.waitUntil(hasReacted, { timeout: 60_000, interval: 500 });
  expect(await market.stop()).toBe(0);
  ({ events } = await ojaJson<{ events: number }>(dataDir, ['export', file]));
  loseLog();
}, 180_000);

afterAll(() => folder.remove());

/** The same events as if another log had held them: what an export of a copy of the market is. */
function exportOfCopy(): string {
  const [header = '', ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n').slice(0, -1);
  const copied = [JSON.stringify({ ...JSON.parse(header), logId: 'log-of-a-copy' }), ...lines]
    .map((line) => `${line}\n`)
    .join('');
  const sha256 = createHash('sha256').update(copied).digest('hex');
  const path = join(folder.path, 'copy.ndjson');
  writeFileSync(path, `${copied}${JSON.stringify({ kind: 'oja-export-end', events, sha256 })}\n`);
  return path;
}

const says = async (args: readonly string[]) => {
  const { code, text } = await oja(dataDir, args);
  return { code, text };
};

it('takes no other log’s export beside the accounts of a market that has lost its log', async () => {
  const copy = exportOfCopy();
  const refused = { code: 78, text: expect.stringMatching(/is not the one that this market's/) };
  expect(await says(['import', '--dry-run', copy])).toEqual(refused);
  expect(await says(['import', copy])).toEqual(refused);
  expect(logFiles()).toEqual([]);
});

it('names the import where the log is missing', async () => {
  expect(await says(['start'])).toEqual({
    code: 78,
    text: expect.stringMatching(/log\.db is missing from .*oja restore.*oja import/),
  });
});

it('brings a lost log back from its own export, also after a kill, and writes to nobody again', async () => {
  const would = { dryRun: true, added: events, known: 0 };
  expect(await ojaJson(dataDir, ['import', '--dry-run', file])).toEqual(would);
  expect(logFiles()).toEqual([]);

  const killed = runOja(['import', file], { DATA_DIR: dataDir });
  const log = join(dataDir, 'log.db-wal');
  const written = () => statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  await vi.waitUntil(() => written() > 50_000, { timeout: 60_000, interval: 1 });
  killed.process.kill('SIGKILL');
  await killed.exited;
  // Half a log is not opened.
  expect(await says(['start'])).toMatchObject({ code: 78 });

  const rest = await ojaJson<{ added: number; known: number }>(dataDir, ['import', file]);
  expect(rest.added + rest.known).toBe(events);
  expect(rest.added).toBeGreaterThan(0);
  expect(await ojaJson(dataDir, ['import', file])).toEqual({ added: 0, known: events });
  expect((await eventStats(dataDir)).events).toBe(events);

  const market = await openMarket(dataDir);
  await new Client(market.url).call(200, 'POST', '/v1/login', credentials);
  const shopper = new Client(market.url);
  // A new order gets its letter, so the rounds have passed what was brought back.
  const { payAt } = await placeOrder(shopper, (await find(shopper, 'bag')).slice(0, 1));
  expect(await verify(shopper, await pay(payAt))).toMatchObject({ ok: true });
  await expect.poll(() => lettersIn(dataDir).length, { timeout: 60_000 }).toBe(2);
  expect(await market.stop()).toBe(0);
  expect(lettersIn(dataDir).length).toBe(2);
  expect(await oja(dataDir, ['verify'])).toMatchObject({ code: 0 });
}, 180_000);
