import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { Client } from '../../test/support/client.js';
import { runOja, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import { findListed, listBag, pay, placeOrder, registerSeller } from '../../test/thread/walk.js';
import { oja } from './support/oja.js';

const OJA = join(import.meta.dirname, '../bin/oja.js');
const NOBODY = 65_534;
const folder = temporaryFolder();
const at = (name: string) => join(folder.path, 'logs', name);

beforeEach(() => {
  rmSync(join(folder.path, 'logs'), { recursive: true, force: true });
  mkdirSync(join(folder.path, 'logs'), { recursive: true });
});
afterAll(() => folder.remove());

/** A line of the minute `minute`, as the logger writes it. */
const line = (minute: number, msg: string, fields: object = {}): string =>
  `${JSON.stringify({ level: 'info', time: `2026-01-31T10:${String(minute).padStart(2, '0')}:00.000Z`, service: 'market', ...fields, msg })}\n`;

/** What a line of the output is about: its last words. */
const said = (lines: readonly string[]) =>
  lines.map((text) => text.replace(/^.* (info|warn|error) +/, ''));

const logs = async (...args: string[]) => (await oja(folder.path, ['logs', ...args])).lines;

/** Two processes, one of which has put files aside; a kill has cut two lines. */
function written() {
  writeFileSync(at('market.log.2'), line(1, 'one') + line(2, 'two'));
  writeFileSync(
    at('market.log.1'),
    `${line(3, 'three', { level: 'warn' })}{"level":"in\n${line(4, 'four')}`,
  );
  writeFileSync(at('market.log'), `${line(6, 'six', { correlationId: 'r-1' })}{"level":"err`);
  writeFileSync(at('cli.log'), line(5, 'five', { service: 'cli', level: 'error' }));
}

const WHOLE = [
  'one',
  'two',
  'three',
  '(torn) {"level":"in',
  'four',
  'five  cli',
  'six  request r-1',
  '(torn) {"level":"err',
];

it('tells what several processes logged in one order, with what was put aside, the last lines first of all', async () => {
  written();
  expect(said(await logs('-n', 'all'))).toEqual(WHOLE);
  expect(said(await logs())).toEqual(WHOLE);
  for (const n of [0, 1, 3, 5, 7])
    expect(said(await logs('-n', String(n)))).toEqual(n === 0 ? [] : WHOLE.slice(-n));
});

it('tells what is looked for', async () => {
  written();
  expect(said(await logs('--since', '2026-01-31T10:04:00Z'))).toEqual(WHOLE.slice(4));
  expect(said(await logs('--since', '2026-01-31T10:04:00Z', '-n', '2'))).toEqual(WHOLE.slice(-2));
  expect(said(await logs('--request', 'r-1'))).toEqual(['six  request r-1']);
  expect(said(await logs('--level', 'error'))).toEqual([
    '(torn) {"level":"in',
    'five  cli',
    '(torn) {"level":"err',
  ]);
});

it('tells of one person, whichever way a line names them', async () => {
  const id = '0b9d2f5e-5a0c-4a57-9d55-6c0f6c7b1e2a';
  const by = (minute: number, actor: string | null) => line(minute, `by ${minute}`, { actor });
  const cut = '{"level":"in\n';
  const others = by(3, `seller:${id.replace('0', '1')}`) + by(4, null) + by(5, 'operator:Ngozi');
  writeFileSync(at('market.log'), by(1, `seller:${id}`) + by(2, id) + cut + others);
  const named = [expect.stringMatching(/^by 1 {2}/), expect.stringMatching(/^by 2 {2}/)];
  expect(said(await logs('--actor', id))).toEqual(named);
  expect(said(await logs('--actor', `seller:${id}`, '-n', '5'))).toEqual(named);
  expect(said(await logs('--actor', 'operator:Ngozi'))).toEqual(['by 5  by operator:Ngozi']);
});

it('tells programs each line as it was written', async () => {
  written();
  appendFileSync(
    at('market.log'),
    `\n${line(7, 'a \u009b2J sign', { err: { message: 'm', stack: 's' } })}`,
  );
  const lines = await logs('--json', '-n', '2');
  expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  expect(lines.map((text) => JSON.parse(text))).toEqual([
    { torn: '{"level":"err' },
    JSON.parse(line(7, 'a \u009b2J sign', { err: { message: 'm', stack: 's' } })),
  ]);
});

it('reads of a large file no more than it shows', async () => {
  const size = 5_000_000_000;
  closeSync(openSync(at('market.log'), 'w'));
  truncateSync(at('market.log'), size);
  appendFileSync(at('market.log'), `\n${line(8, 'eight')}${line(9, 'nine')}`);
  expect(said(await logs('-n', '2'))).toEqual(['eight', 'nine']);
});

it('goes on with what comes, also over files that are put aside, and ends well', async () => {
  writeFileSync(at('market.log'), `${line(1, 'one')}${line(2, 'two')}{"level":"info",`);
  const running = runOja(['logs', '--follow', '-n', '1'], { DATA_DIR: folder.path });
  await running.line(/two/);
  appendFileSync(at('market.log'), line(3, 'three').slice('{"level":"info",'.length));
  await running.line(/three/);
  appendFileSync(at('market.log'), line(4, 'four'));
  renameSync(at('market.log'), at('market.log.1'));
  writeFileSync(at('market.log'), line(5, 'five'));
  renameSync(at('market.log.1'), at('market.log.2'));
  renameSync(at('market.log'), at('market.log.1'));
  writeFileSync(at('market.log'), line(6, 'six'));
  writeFileSync(at('cli.log'), line(7, 'seven'));
  await running.line(/seven/);
  expect(await running.stop()).toBe(0);
  expect(said(running.lines)).toEqual(['two', 'three', 'four', 'five', 'six', 'seven']);
});

it('says where the log is when none is here', async () => {
  rmSync(join(folder.path, 'logs'), { recursive: true });
  const none = await oja(folder.path, ['logs']);
  expect([none.code, none.lines]).toEqual([
    1,
    [expect.stringMatching(/^There is no log in .*journalctl/)],
  ]);
  mkdirSync(join(folder.path, 'logs'));
  writeFileSync(at('cli.log'), line(1, 'one'));
  const typed = await oja(folder.path, ['logs']);
  expect(typed).toMatchObject({ code: 0 });
  expect(typed.text).toMatch(
    /has only the log of commands typed on this machine.*docker compose logs/,
  );
});

it.skipIf(!existsSync('/dev/full'))('says in a sentence that its output cannot be written', () => {
  writeFileSync(at('market.log'), line(1, 'one'));
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [OJA, 'logs'], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATA_DIR: folder.path },
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^The output could not be written: ENOSPC.*\n$/);
});

it('fails as it would when nobody reads why', async () => {
  const child = spawn(process.execPath, [OJA, 'logs', '--level', 'warning'], {
    env: { PATH: process.env.PATH, DATA_DIR: folder.path },
  });
  child.stderr.destroy();
  const [code] = await once(child, 'close');
  expect(code).toBe(2);
});

/** A command of somebody who has no right to files of mode 0. */
function asSomebodyElse(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [OJA, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATA_DIR: folder.path },
    // Root may read everything, so it becomes somebody else.
    ...(process.getuid?.() === 0 && { uid: NOBODY }),
  });
  return { code: status, told: stdout, complains: stderr };
}

it('says that it may not look, rather than that nothing is there', async () => {
  chmodSync(folder.path, 0);
  for (const command of ['logs', 'status'])
    expect(asSomebodyElse(command)).toEqual({
      code: 78,
      told: '',
      complains: expect.stringMatching(/^You may not look into .* as the user .*\n$/),
    });
  chmodSync(folder.path, 0o755);
  chmodSync(join(folder.path, 'logs'), 0o755);
  writeFileSync(at('market.log'), line(1, 'one'), { mode: 0 });
  writeFileSync(at('projector.log'), line(2, 'two'));
  chmodSync(at('projector.log'), 0o644);
  expect(asSomebodyElse('logs')).toEqual({
    code: 0,
    told: expect.stringMatching(/ two/),
    complains: `You may not read ${at('market.log')}, so its lines are missing here.\n`,
  });
});

it.each([
  [['--level', 'warning'], /no level 'warning'; the nearest is warn\./],
  [['--lines', 'many'], /It must be a whole number of at least 0, or 'all'/],
  [['--since', '2026-02-30'], /the nearest is 2026-02-28/],
])('answers %j with a sentence and exit 2', async (args, sentence) => {
  written();
  const { code, lines } = await oja(folder.path, ['logs', ...args]);
  expect([code, lines]).toEqual([2, [expect.stringMatching(sentence)]]);
});

it('tells of one order, by whatever it goes by, and of one store', async () => {
  const sold = temporaryFolder();
  const market = await openSampleMarket(sold.path);
  try {
    const seller = await registerSeller(market.url, 'Logged House');
    await listBag(seller, 'Logged bag', 6_000, ['#3a3', '#a3a']);
    const shopper = new Client(market.url);
    const placed = await placeOrder(shopper, await findListed(shopper, 'logged', 1));
    const id = placed.transactionId.split('.')[0] ?? '';
    const number = id.slice(0, 8).toUpperCase();
    for (const name of [number, id, `${id}-1`]) {
      const about = async () => (await oja(sold.path, ['logs', '--order', name])).text;
      await expect
        .poll(about, { timeout: 60_000 })
        .toContain('/v1/transaction/initialize answered 200');
      const { lines } = await oja(sold.path, ['logs', '--order', name]);
      expect(lines.filter((text) => !text.includes(`order ${number}`))).toEqual([]);
    }
    await pay(placed.payAt);
    await expect
      .poll(async () => (await oja(sold.path, ['logs', '--order', id])).text, { timeout: 60_000 })
      .toContain('/v1/paystack/webhook answered 200');
    expect(await oja(sold.path, ['logs', '--order', 'nope'])).toMatchObject({ code: 2 });

    const { lines } = await oja(sold.path, ['logs', '--actor', 'logged house']);
    expect(lines.join('\n')).toContain('/v1/add-product answered 201');
    for (const text of lines) expect(text).toContain(seller.details.user_id);
    expect(await oja(sold.path, ['logs', '--actor', 'Loged House'])).toMatchObject({
      code: 2,
      lines: ["There is no seller 'Loged House'; the nearest is Logged House."],
    });
  } finally {
    await market.stop();
    sold.remove();
  }
}, 120_000);
