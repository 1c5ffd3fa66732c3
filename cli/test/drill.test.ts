import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '@oja/contracts/models';
import { collectionName, files, modelKey, openSql, POINTERS, type Pointer } from '@oja/platform';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Market, openMarket, runOja, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import type { Answer } from '../src/answers/index.js';
import { eventStats, oja, ojaInto } from './support/oja.js';
import { openFiles } from './support/opened.js';

const folder = temporaryFolder();
const dataDir = join(folder.path, 'data');
const mail = join(dataDir, files.mail);
const scratch = join(folder.path, 'scratch');
let market: Market;

/** Those that are whole: a draft has another name. */
const letters = () =>
  existsSync(mail)
    ? readdirSync(mail, { recursive: true, encoding: 'utf8' }).filter((name) =>
        name.endsWith('.eml'),
      )
    : [];

const writeToSupport = (name: string) =>
  fetch(`${market.url}/v1/email/sendEmail`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name,
      email: 'writer@drill.example',
      subject: 'Keep me',
      message: 'I am not to be forgotten.',
    }),
  });

beforeAll(async () => {
  mkdirSync(scratch);
  market = await openSampleMarket(dataDir);
  const sent = await writeToSupport('Zainab of the drill');
  expect(sent.ok).toBe(true);
  // The support's letter goes out by itself: what comes later is not the drill's.
  await vi.waitUntil(() => letters().length > 0, {
    timeout: 60_000,
    interval: 50,
  });
}, 120_000);

afterAll(async () => {
  await market?.stop();
  folder.remove();
});

const run = (args: readonly string[]) => oja(dataDir, ['drill', '--in', scratch, ...args]);

it('brings a market that sells back beside it, and leaves nothing but what it says', async () => {
  const before = letters();
  const { code, text } = await run(['--json']);
  const drilled: Answer<'drill'> = JSON.parse(text);
  expect({ code, drilled }).toMatchObject({ code: 0, drilled: { ok: true } });
  const { steps, seconds } = drilled;
  expect(steps.map(({ step }) => step)).toEqual(['backup', 'restore', 'replay', 'verify', 'erase']);
  expect(steps.reduce((sum, step) => sum + step.seconds, 0)).toBeCloseTo(seconds, 3);
  expect(steps.at(-1)?.told).toMatch(/^contact:\S+: key destroyed, \d+ files, .* nothing found$/);
  expect(readdirSync(scratch)).toEqual([]);
  // Who was erased is only gone from the copy.
  expect((await eventStats(dataDir)).types).not.toHaveProperty('SubjectErased');
  expect(letters()).toEqual(expect.arrayContaining(before));
}, 240_000);

it('removes what a killed one has left, and nothing else, when it is run again', async () => {
  const named = ['oja-drill-report', 'oja-drill-notes'].map((name) => join(scratch, name));
  for (const each of named) mkdirSync(each);
  const left = () => readdirSync(scratch).filter((name) => !named.includes(join(scratch, name)));
  const killed = runOja(['drill', '--in', scratch], { DATA_DIR: dataDir });
  await killed.line(/^restore /);
  killed.process.kill('SIGKILL');
  await killed.exited;
  expect(left()).toHaveLength(1);
  expect(await run([])).toMatchObject({ code: 0 });
  expect(left()).toEqual([]);
  for (const each of named) rmdirSync(each);
}, 240_000);

it('deletes its copies when nobody reads what it says any more, or it cannot be written', async () => {
  const cut = await ojaInto(dataDir, ['drill', '--in', scratch], '| head -n 1');
  expect(cut).toEqual({ code: 0, text: expect.stringMatching(/^backup .*$/) });
  expect(readdirSync(scratch)).toEqual([]);
  expect(await ojaInto(dataDir, ['drill', '--in', scratch], '> /dev/full')).toEqual({
    code: 1,
    text: expect.stringMatching(/^The output could not be written: .*\.$/),
  });
  expect(readdirSync(scratch)).toEqual([]);
}, 240_000);

it('as a plan of the start does', async () => {
  const temporary = join(folder.path, 'temporary');
  mkdirSync(temporary);
  const env = { DATA_DIR: dataDir, TMPDIR: temporary };
  const copies = () => readdirSync(temporary, { recursive: true, encoding: 'utf8' });
  const killed = runOja(['start', '--plan'], env);
  const isCopied = () => copies().some((name) => name.endsWith(files.keys));
  await vi.waitUntil(isCopied, { timeout: 60_000, interval: 1 });
  killed.process.kill('SIGKILL');
  await killed.exited;
  expect(isCopied()).toBe(true);
  const planned = runOja(['start', '--plan'], env);
  expect([await planned.exited, planned.lines.join(' ')]).toEqual([
    78,
    expect.stringMatching(/goes on/),
  ]);
  expect(copies()).toEqual([]);
}, 120_000);

/** Notes where each socket of a process is connected to, in the file of `CONNECTED`. */
const watcher = `data:text/javascript,${encodeURIComponent(`import { appendFileSync } from 'node:fs';
import { Socket } from 'node:net';
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...given) {
  appendFileSync(process.env.CONNECTED, JSON.stringify(given) + '\\n');
  return connect.apply(this, given);
};`)}`;

/** Runs a command and notes all that it connects to. */
async function watched(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const file = join(folder.path, `connected-${args[0]}`);
  const noting = { CONNECTED: file, NODE_OPTIONS: `--import=${watcher}` };
  const { code } = await oja(dataDir, args, { ...noting, ...env });
  const connected = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  return { code, connected };
}

it('writes to nobody and pays nobody, though letters and payouts are owed in its copies', async () => {
  expect(await market.stop()).toBe(0);
  const away = { OJA_DEMO: '1', SMTP_URL: 'smtp://127.0.0.1:9' };
  market = await openMarket(dataDir, undefined, away);
  const sent = await writeToSupport('Ngozi of the drill');
  expect(sent.ok).toBe(true);
  const owed = async () => {
    const { text } = await oja(dataDir, ['status', '--json'], away);
    const { obligations }: Extract<Answer<'status'>, { obligations: unknown }> = JSON.parse(text);
    return obligations.filter(({ open }) => open > 0).map(({ kind }) => kind);
  };
  await expect
    .poll(owed, { timeout: 60_000 })
    .toEqual(expect.arrayContaining(['contact', 'payout']));
  const drilled = await watched(['drill', '--in', scratch], {
    ...away,
    PAYOUTS: 'on',
    PAYSTACK_URL: 'http://127.0.0.1:9',
  });
  expect(drilled).toEqual({ code: 0, connected: [] });
  // Which would be seen: figures are asked for.
  const top = await watched(['top', '--once', '--interval', '1'], away);
  expect(top.connected).not.toEqual([]);
}, 240_000);

it('ends at what cannot be brought back, says what, and exits 1', async () => {
  const opened = await openFiles(dataDir);
  const pointer = await opened.documents.get<Pointer>(POINTERS, modelKey(catalogue));
  await opened.close();
  const collection = collectionName(catalogue, pointer?.live ?? 1, 'products');
  const sql = openSql(join(dataDir, files.documents), { synchronous: 'NORMAL' });
  sql.run(`UPDATE "${collection}" SET f_shown = 0`);
  sql.close();
  const { code, lines } = await run([]);
  expect(code).toBe(1);
  expect(lines.join(' ').replace(/\s+/g, ' ')).toMatch(
    /restore .* s the market of .* replay .* of catalogue differs from the live one .*Not everything succeeded; the copies are deleted/,
  );
  expect(readdirSync(scratch)).toEqual([]);
}, 240_000);

it('is refused where it has no place, in a sentence', async () => {
  const nowhere = join(folder.path, 'nowhere');
  const missing = await oja(dataDir, ['drill', '--in', nowhere]);
  expect(missing).toMatchObject({ code: 2, lines: [`There is no folder ${nowhere}.`] });
  const log = join(dataDir, files.log);
  const file = await oja(dataDir, ['drill', '--in', log]);
  expect(file).toMatchObject({ code: 2, lines: [`${log} is not a folder: name another.`] });
  const noFolder = await oja(log, ['drill', '--in', scratch]);
  expect(noFolder).toMatchObject({
    code: 78,
    lines: [`${log} is a file, not a folder: name the folder.`],
  });
  const keys = await oja(dataDir, ['drill', '--keys', folder.path]);
  expect(keys).toMatchObject({
    code: 2,
    lines: ['--keys belongs to an existing backup: name that backup with --from.'],
  });
  const elsewhere = await oja(dataDir, ['drill'], {
    OJA_DEMO: '1',
    MONGODB_URL: 'mongodb://127.0.0.1:1/oja',
  });
  expect(elsewhere).toMatchObject({
    code: 2,
    lines: [expect.stringMatching(/Nothing was copied/)],
  });
});
