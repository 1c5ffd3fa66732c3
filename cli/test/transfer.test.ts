import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { createEmbeddedState } from '@oja/platform';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { Client } from '../../test/support/client.js';
import { type Market, openMarket, runOja, temporaryFolder } from '../../test/support/market.js';
import { openSampleMarket } from '../../test/support/sample-market.js';
import { find, pay, placeOrder, verify } from '../../test/thread/walk.js';
import { eventStats, oja, ojaInto, ojaJson } from './support/oja.js';
import { besideSmallDisk, mounts } from './support/small-disk.js';

interface Imported {
  readonly added: number;
  readonly known: number;
}

interface Queues {
  readonly queues: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly reactions: { readonly checkpoint: string };
  readonly head: string;
}

const OJA = join(import.meta.dirname, '../bin/oja.js');
const folder = temporaryFolder();
const first = join(folder.path, 'first');
const second = join(folder.path, 'second');
const file = join(folder.path, 'market.ndjson');
let market: Market;
/** Paid, and its receipt asked for once more. */
let orderId: string;

beforeAll(async () => {
  market = await openSampleMarket(first);
  const shopper = new Client(market.url);
  const [bag] = await find(shopper, 'bag');
  if (bag === undefined) throw new Error('there are no bags');
  const { payAt, transactionId } = await placeOrder(shopper, [bag]);
  expect(await verify(shopper, await pay(payAt))).toMatchObject({ ok: true });
  await shopper.call(200, 'POST', `/v1/orders/${transactionId}/receipt`);
  [orderId = ''] = transactionId.split('.');
  const sent = await fetch(`${market.url}/v1/email/sendEmail`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'Ada Obi',
      email: 'ada@example.com',
      subject: 'Hello',
      message: 'Do you deliver to Nsukka?',
    }),
  });
  expect(sent.ok).toBe(true);
}, 120_000);

afterAll(async () => {
  await market?.stop();
  folder.remove();
});

/** The files that hold what came through a pipe, below a folder for temporary files. */
const inputsIn = (temporary: string): readonly string[] =>
  readdirSync(temporary, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('/kept'),
  );

const letters = (dataDir: string): readonly string[] => {
  const mail = join(dataDir, 'mail');
  return existsSync(mail) ? readdirSync(mail) : [];
};

it('carries a market to another one, where importing again adds nothing', async () => {
  const exported = await ojaJson<{ events: number }>(first, ['export', file]);
  const before = await eventStats(first);
  expect(exported.events).toBeLessThanOrEqual(before.events);
  const { code, lines } = await oja(first, ['export', file]);
  expect({ code, lines }).toMatchObject({
    code: 2,
    lines: [expect.stringMatching(/is there already/)],
  });

  expect(await ojaJson<Imported>(second, ['import', file])).toEqual({
    added: exported.events,
    known: 0,
  });
  expect(await ojaJson<Imported>(second, ['import', file])).toEqual({
    added: 0,
    known: exported.events,
  });
  // The one it came from, open and selling, has all of it as well.
  expect(await ojaJson<Imported>(first, ['import', file])).toMatchObject({ added: 0 });
  expect(await oja(second, ['verify'])).toMatchObject({ code: 0 });
}, 120_000);

it.skipIf(!mounts)('says of an export that its disk is full, and leaves nothing of it', () => {
  const disk = join(folder.path, 'disk');
  mkdirSync(disk);
  const args = ['export', join(disk, 'full.ndjson')];
  expect(besideSmallDisk({ disk, kilobytes: 64, dataDir: first }, args)).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^There is no room left for .*make some.*is deleted\.\n$/),
  });
});

it('says of an export for which there is no folder, or whose size is limited, what to do', async () => {
  const nowhere = join(folder.path, 'nowhere');
  expect(await oja(first, ['export', join(nowhere, 'all.ndjson')])).toMatchObject({
    code: 2,
    lines: [`There is no folder ${nowhere}: make it, or name another file.`],
  });
  const limited = join(folder.path, 'limited.ndjson');
  expect(await ojaInto(first, ['export', limited], '', 'ulimit -f 8; ')).toMatchObject({
    code: 1,
    text: expect.stringMatching(/^A file would have become larger .*raise the limit/),
  });
  expect(readdirSync(folder.path).filter((name) => name.startsWith('limited'))).toEqual([]);
});

it('writes one file where two export to the same name at once, and says who did not', async () => {
  const twice = join(folder.path, 'twice.ndjson');
  const ran = await Promise.all([oja(first, ['export', twice]), oja(first, ['export', twice])]);
  expect(ran.map(({ code }) => code).sort()).toEqual([0, 2]);
  expect(ran.find(({ code }) => code === 2)?.text).toMatch(/twice\.ndjson is there already/);
  expect(await oja(second, ['import', '--dry-run', twice])).toMatchObject({ code: 0 });
  expect(readdirSync(folder.path).filter((name) => name.startsWith('twice'))).toEqual([
    'twice.ndjson',
  ]);
});

it('leaves the market open where the reader of a move out ends before the end', async () => {
  const moved = spawnSync(
    'bash',
    ['-c', 'set -o pipefail; "$0" "$1" move out - | head -c 100', process.execPath, OJA],
    { encoding: 'utf8', env: { PATH: process.env.PATH, DATA_DIR: second } },
  );
  expect(moved).toMatchObject({
    status: 1,
    stderr: expect.stringContaining(
      'Not all of the output could be written: its reader has ended.',
    ),
  });
  expect((await oja(second, ['start', '--plan'])).text).not.toContain('move out');
});

it('leaves nothing of a killed move out once it is run again, or the market is opened', async () => {
  const dataDir = join(folder.path, 'closing');
  const places = join(folder.path, 'places');
  mkdirSync(places);
  expect(await oja(dataDir, ['import', file])).toMatchObject({ code: 0 });
  const state = await createEmbeddedState({ file: join(dataDir, 'state.db') });
  async function killed(): Promise<void> {
    // It waits for the next heartbeat of this process, and is killed meanwhile.
    const ended = { service: 'projector', host: 'another', pid: 1 };
    await state.put('processes', 'projector/another/1', ended, 1, { expiresAt: 2 });
    const moving = runOja(['move', 'out', join(places, 'killed.oja')], { DATA_DIR: dataDir });
    const drafts = () => readdirSync(places).filter((name) => name.startsWith('killed.oja.'));
    await vi.waitUntil(() => drafts().length === 1, { timeout: 60_000, interval: 20 });
    moving.process.kill('SIGKILL');
    await moving.exited;
    expect(drafts()).toHaveLength(1);
    await state.delete('processes', 'projector/another/1');
  }
  await killed();
  const again = await oja(dataDir, ['move', 'out', join(places, 'again.oja')]);
  expect([again.code, readdirSync(places)]).toEqual([0, ['again.oja']]);

  await killed();
  expect(await oja(dataDir, ['move', 'reopen', '--yes'])).toMatchObject({ code: 0 });
  await state.close();
  const opened = await openMarket(dataDir);
  expect(readdirSync(places)).toEqual(['again.oja']);
  expect(await opened.stop()).toBe(0);
}, 120_000);

it.each(['standard input', 'a named pipe that nobody writes to'])(
  'is stopped by Ctrl-C while it reads %s',
  async (from) => {
    const kept = join(folder.path, 'kept');
    const pipe = join(folder.path, 'pipe');
    mkdirSync(kept, { recursive: true });
    if (from !== 'standard input') execFileSync('mkfifo', [pipe]);
    const env = { PATH: process.env.PATH, DATA_DIR: join(folder.path, 'third'), TMPDIR: kept };
    const named = from === 'standard input' ? '-' : pipe;
    const importing = spawn(process.execPath, [OJA, 'import', named], { env });
    onTestFinished(() => void importing.kill('SIGKILL'));
    const said = text(importing.stderr);
    const ended = once(importing, 'close');
    // What comes through the pipe goes into a file.
    await vi.waitUntil(() => inputsIn(kept).length > 0, { timeout: 60_000, interval: 20 });
    importing.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(await said).toMatch(/^Stopped.*\n$/);
    expect(readdirSync(kept)).toEqual([]);
  },
);

it('removes what a killed one has taken from a pipe when it reads from a pipe again', async () => {
  const kept = mkdtempSync(join(folder.path, 'killed-'));
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder.path, 'third'), TMPDIR: kept };
  const importing = spawn(process.execPath, [OJA, 'import', '-'], { env });
  const ended = once(importing, 'close');
  await vi.waitUntil(() => inputsIn(kept).length > 0, { timeout: 60_000, interval: 20 });
  importing.kill('SIGKILL');
  await ended;
  expect(inputsIn(kept)).toHaveLength(1);
  const again = await oja(join(folder.path, 'third'), ['import', '-'], { TMPDIR: kept });
  expect(again).toMatchObject({ code: 2 });
  expect(readdirSync(kept)).toEqual([]);
});

it('writes to nobody about what was imported, and sets nothing going', async () => {
  const copy = await openMarket(second);
  // Addresses of pictures are those of the market that answers.
  const search = async (url: string) =>
    (await (await fetch(`${url}/v1/products/search?limit=5`)).text()).replaceAll(url, '');
  expect(await search(copy.url)).toBe(await search(market.url));
  expect(copy.lines.join('\n')).not.toMatch(/sample/);
  expect(await copy.stop()).toBe(0);
  const { queues, reactions, head } = await ojaJson<Queues>(second, ['status']);
  expect(reactions.checkpoint <= head).toBe(true);
  for (const [queue, counts] of Object.entries(queues))
    expect([queue, counts]).toEqual([queue, { waiting: 0, delayed: 0, active: 0, failed: 0 }]);
  expect(letters(second)).toEqual([]);
  const { story } = await ojaJson<{
    story: readonly { source: string; what: string; details: string }[];
  }>(second, ['trace', orderId]);
  const told = story.filter(({ source }) => source === 'letter');
  expect(told.map(({ what, details }) => [what, details])).toContainEqual([
    'receipt-again',
    'forgone',
  ]);
  // The first market wrote its receipt and passed the message on.
  await expect.poll(() => letters(first).length, { timeout: 60_000 }).toBe(2);
}, 120_000);

it('is not reacted to by a market that runs meanwhile', async () => {
  const written = letters(first).length;
  const shopper = new Client(market.url);
  const { payAt } = await placeOrder(shopper, (await find(shopper, 'bag')).slice(0, 1));
  expect(await verify(shopper, await pay(payAt))).toMatchObject({ ok: true });
  await expect.poll(() => letters(first).length, { timeout: 60_000 }).toBe(written + 1);
  const later = join(folder.path, 'with-order.ndjson');
  expect((await oja(first, ['export', later])).code).toBe(0);

  const copy = await openMarket(second);
  const { added } = await ojaJson<Imported>(second, ['import', later]);
  expect(added).toBeGreaterThanOrEqual(2);
  // Once its reactions have passed what was imported, whatever they were to do is in a queue or done.
  const reacted = async () => {
    const { reactions, head } = await ojaJson<Queues>(second, ['status']);
    return reactions.checkpoint >= head;
  };
  await expect.poll(reacted, { timeout: 60_000, interval: 500 }).toBe(true);
  const { queues } = await ojaJson<Queues>(second, ['status']);
  for (const [queue, { waiting, delayed, failed }] of Object.entries(queues))
    expect([queue, waiting, delayed, failed]).toEqual([queue, 0, 0, 0]);
  expect(letters(second)).toEqual([]);
  expect(await copy.stop()).toBe(0);
}, 120_000);

it('takes what was packed, and what comes through a pipe, and says beforehand what it would do', async () => {
  const packed = join(folder.path, 'market.ndjson.gz');
  const { events } = await ojaJson<{ events: number }>(first, ['export', packed]);
  expect(statSync(packed).size).toBeLessThan(statSync(file).size / 2);
  const fourth = join(folder.path, 'fourth');
  const would = { dryRun: true, added: events, known: 0 };
  expect(await ojaJson<object>(fourth, ['import', '--dry-run', packed])).toEqual(would);
  expect(existsSync(fourth)).toBe(false);

  const piped = (named: string) =>
    promisify(execFile)('sh', [
      '-c',
      `cat "$1" | DATA_DIR="$2" "$3" cli/bin/oja.js import ${named} --json`,
      ...['sh', packed, fourth, process.execPath],
    ]);
  expect(JSON.parse((await piped('-')).stdout)).toEqual({ added: events, known: 0 });
  expect(JSON.parse((await piped('/dev/stdin')).stdout)).toEqual({ added: 0, known: events });
}, 120_000);

it.each([
  ['market.ndjson', (bytes: Buffer) => bytes],
  ['market.ndjson.gz', (bytes: Buffer) => bytes],
  ['market.ndjson.gz', (bytes: Buffer) => bytes.subarray(0, 100)],
])('refuses a file in which something follows %s, and imports nothing', async (name, part) => {
  const one = join(folder.path, `one-${name}`);
  if (!existsSync(one)) expect(await oja(first, ['export', one])).toMatchObject({ code: 0 });
  const both = join(folder.path, `both-${name}`);
  writeFileSync(both, Buffer.concat([readFileSync(one), part(readFileSync(one))]));
  const nobody = join(folder.path, 'nobody');
  const { code, text } = await oja(nobody, ['import', both]);
  expect({ code, text }).toEqual({
    code: 2,
    text: expect.stringMatching(
      /^\S+ is not a complete export of Oja: .+; nothing was imported\.$/,
    ),
  });
  expect(existsSync(nobody)).toBe(false);
});

it('finishes an import that was killed', async () => {
  const half = join(folder.path, 'half');
  const killed = runOja(['import', file], { DATA_DIR: half });
  const log = () => join(half, 'log.db-wal');
  await vi.waitUntil(() => existsSync(log()) && statSync(log()).size > 50_000, {
    timeout: 60_000,
    interval: 1,
  });
  killed.process.kill('SIGKILL');
  await killed.exited;
  const { added, known } = await ojaJson<Imported>(half, ['import', file]);
  const { events } = await eventStats(half);
  expect(added + known).toBe(events);
  expect(await ojaJson<Imported>(half, ['import', file])).toEqual({ added: 0, known: events });
}, 120_000);

it.each([
  ['cut short', (text: string) => text.slice(0, text.length / 2), /nothing was imported/],
  ['changed', (text: string) => text.replace('"NGN"', '"NGX"'), /its checksum does not match/],
  [
    'without its end',
    (text: string) => `${text.trimEnd().split('\n').slice(0, -1).join('\n')}\n`,
    /its end is missing/,
  ],
  ['something else', () => '{"kind":"diary"}\n', /its first line is not that of an export/],
])('refuses a file that was %s, and writes nothing', async (_, damage, sentence) => {
  const damaged = join(folder.path, 'damaged.ndjson');
  writeFileSync(damaged, damage(readFileSync(file, 'utf8')));
  const third = join(folder.path, 'third');
  const { code, lines } = await oja(third, ['import', damaged]);
  expect(code).toBe(2);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(sentence);
  expect(existsSync(third)).toBe(false);
});

/** An export of another log: the first `shared` events of the one here, and one event that no other market has. */
function exportOfAnother(name: string, shared: number): string {
  const [header, ...events] = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  const own = { ...events[0], id: randomUUID(), stream: 'seller-of-another', revision: 0 };
  const { position: _, ...unplaced } = own;
  const lines = [{ ...header, logId: 'log-of-another' }, ...events.slice(0, shared), unplaced]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
  const sha256 = createHash('sha256').update(lines).digest('hex');
  const end = { kind: 'oja-export-end', events: shared + 1, sha256 };
  const path = join(folder.path, name);
  writeFileSync(path, `${lines}${JSON.stringify(end)}\n`);
  return path;
}

it.each([
  ['shares nothing with it', 0, /has none of its events, but 1 of its own/],
  // As two markets with the same sample goods do, or a market and a copy of it that both sold.
  ['shares its beginning', 5, /has only 5 of its \d+ events, but 1 of its own/],
])('refuses the export of another market that %s, and changes nothing', async (_, shared, has) => {
  const own = join(folder.path, `own-${shared}`);
  const begun = exportOfAnother(`begun-${shared}.ndjson`, shared);
  expect(await oja(own, ['import', begun])).toMatchObject({ code: 0 });
  const before = await eventStats(own);
  for (const args of [
    ['import', file],
    ['import', '--dry-run', file],
  ]) {
    const { code, text } = await oja(own, args);
    expect({ code, text }).toEqual({
      code: 1,
      text: expect.stringMatching(/the export of another market: .*Nothing was imported/),
    });
    expect(text).toMatch(has);
  }
  expect(await eventStats(own)).toEqual(before);
});

it('refuses an export of a market that went another way, naming the stream', async () => {
  const strange = join(folder.path, 'strange');
  expect((await oja(strange, ['import', file])).code).toBe(0);
  const granted = await oja(strange, ['admin', 'grant', 'Adunni Textiles']);
  expect(granted.code).toBe(0);
  expect((await oja(first, ['admin', 'grant', 'Adunni Textiles'])).code).toBe(0);
  const later = join(folder.path, 'later.ndjson');
  expect((await oja(first, ['export', later])).code).toBe(0);
  const before = await eventStats(strange);
  for (const args of [
    ['import', later],
    ['import', '--dry-run', later],
  ]) {
    const { code, text } = await oja(strange, args);
    expect(code).toBe(1);
    expect(text).toMatch(/The stream seller-\S+ holds another event at revision 1.*Nothing was/);
  }
  // The streams that came before it in the export are as they were, too.
  expect(await eventStats(strange)).toEqual(before);
}, 120_000);
