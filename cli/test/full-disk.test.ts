import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, type Running, run, temporaryFolder } from '../../test/support/market.js';
import { listBag, registerSeller, type Seller } from '../../test/thread/walk.js';
import { mounts } from './support/small-disk.js';

const OJA = join(import.meta.dirname, '../bin/oja.js');
const MB = 1024 * 1024;
/** In megabytes: the sample market takes a fourth of it. */
const DISK = 64;

const enters = mounts && spawnSync('nsenter', ['--version']).status === 0;

const folder = temporaryFolder();
const disk = join(folder.path, 'disk');
const dataDir = join(disk, 'data');

/** Keeps the disk, which it and what runs in its namespaces alone see. */
let keeper: Running;
let market: Running;
let url: string;
let seller: Seller;
let product: string;
let updates = 0;

/** Makes a small disk with a copy of the sample market. */
async function makeSmallDisk(): Promise<void> {
  mkdirSync(disk);
  keeper = run(
    'unshare',
    [
      ...['--user', '--map-root-user', '--mount', 'sh', '-c'],
      `mount -t tmpfs -o size=${DISK}m none "$0" && cp -r "$OJA_SAMPLE_MARKET" "$0/data" && rm -f "$0"/data/start.lock* && echo made && exec tail -f /dev/null`,
      disk,
    ],
    { OJA_SAMPLE_MARKET: process.env.OJA_SAMPLE_MARKET ?? '' },
  );
  await keeper.line(/^made$/);
}

/** Runs a command that sees the disk until it has ended or is stopped. */
function beside(args: readonly string[], env: Readonly<Record<string, string>> = {}): Running {
  const target = `--target=${keeper.process.pid}`;
  return run(
    'nsenter',
    [target, '--user', '--preserve-credentials', '--mount', process.execPath, OJA, ...args],
    { DATA_DIR: dataDir, ...env },
  );
}

/** Starts the market, or some services of it, and resolves when it is open. */
async function open(...services: readonly string[]): Promise<Running> {
  const port = await freePort();
  url = `http://localhost:${port}`;
  const started = beside(['start', ...services], {
    PORT: `${port}`,
    ...(services.length > 0 && { PUBLIC_URL: url, OJA_DEMO: '1' }),
  });
  await started.line(services.length > 0 ? /"msg":"open"/ : /^Oja is open at /);
  return started;
}

async function oja(...args: string[]): Promise<{ readonly code: number; readonly text: string }> {
  const ran = beside(args);
  const code = (await ran.exited) ?? -1;
  return { code, text: ran.lines.map((line) => `${line}\n`).join('') };
}

/** From outside the disk is only there through the process that keeps it. */
const seen = (name: string) => `/proc/${keeper.process.pid}/root${disk}/${name}`;

/** What is free on the disk, in bytes. */
function free(): number {
  const { bavail, bsize } = statfsSync(seen('.'));
  return bavail * bsize;
}

/** Puts so much onto the disk that no more than so many bytes are free. */
function fill(left: number): void {
  try {
    for (const page = Buffer.alloc(4_096, 1); free() > left; ) appendFileSync(seen('filler'), page);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}

const makeRoom = () => rmSync(seen('filler'), { force: true });

/** A write that is counted where it was taken. */
async function update() {
  const answer = await seller.client.fetch(`/v1/product/update/${product}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ description: `Told the ${updates + 1}th time. ${'So. '.repeat(200)}` }),
  });
  if (answer.status === 200) updates += 1;
  return answer;
}

const statusOf = async (path: string) => (await fetch(url + path)).status;
const updateStatus = async () => (await update()).status;

describe.skipIf(!enters)('On a disk without room', () => {
  beforeAll(async () => {
    await makeSmallDisk();
    market = await open();
    seller = await registerSeller(url, 'Crowded House');
    product = await listBag(seller, 'Crowded bag', 6_000, ['#3a3', '#a3a']);
  });

  afterAll(async () => {
    await market?.kill();
    await keeper?.kill();
    folder.remove();
  });

  it('a replay is refused before anything is changed', async () => {
    const before = JSON.parse((await oja('status', '--json')).text).projections;
    fill(5 * MB);
    expect(await oja('replay', 'catalogue')).toEqual({
      code: 1,
      text: expect.stringMatching(
        /^Building catalogue anew takes about .* MB in .*, and .* MB are free: make room first, or build it anyway with --force\. Nothing was changed\.$/m,
      ),
    });
    const generations = (of: readonly Record<string, unknown>[]) =>
      of.map(({ projection, version, generation, role }) => [
        projection,
        version,
        generation,
        role,
      ]);
    const after = JSON.parse((await oja('status', '--json')).text).projections;
    expect(generations(after)).toEqual(generations(before));
    expect((await oja('events', 'show', 'operations')).text).not.toContain('Replay');
    makeRoom();
  });

  it('more samples than fit are refused before the first is made', async () => {
    const events = async () => JSON.parse((await oja('events', 'stats', '--json')).text).events;
    const before = await events();
    expect(await oja('seed', '--products', '100000')).toEqual({
      code: 1,
      text: expect.stringMatching(
        /^Making so many samples takes about \d+\.\d MB in .*, and .* MB are free: make room first\. Nothing was changed\.$/m,
      ),
    });
    expect(await events()).toBe(before);
  });

  it('a market goes on showing, takes nothing, and says so', async () => {
    fill(0);
    await expect.poll(updateStatus).toBe(503);
    expect((await update()).text).toContain('Oja can take nothing new for the moment');
    expect(await statusOf('/healthz')).toBe(200);
    expect(await statusOf('/')).toBe(200);
    expect(await statusOf('/v1/products/search?limit=10')).toBe(200);
    const ready = await fetch(`${url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain('writes to log.db');

    const { code, text } = await oja('status', '--check');
    expect(code).toBe(1);
    expect(text).toMatch(
      /^nothing new can be taken: .* MB are free on the disk of .*, and 4\.2 MB are needed$/m,
    );
    expect(text).toMatch(/^The market is running/);
  });

  it('it goes on by itself once there is room, and all that was taken is there, and no more', async () => {
    makeRoom();
    await expect.poll(updateStatus).toBe(200);
    await expect.poll(() => statusOf('/readyz')).toBe(200);
    expect((await oja('status')).text).not.toContain('nothing new can be taken');
    const { text } = await oja('events', 'show', `product-${product}`);
    expect(text.match(/ProductUpdated/g)).toHaveLength(updates);
  });

  it('it ends when it is told to', async () => {
    fill(0);
    await expect.poll(updateStatus).toBe(503);
    market.process.kill('SIGTERM');
    expect(await market.exited).toBe(0);
  });

  it('a stopped market, which there is no room to open, says so and opens once there is some', async () => {
    makeRoom();
    // Whoever closes a database last removes the shared memory beside it.
    expect(await oja('status')).toMatchObject({ code: 0 });
    expect(readdirSync(seen('data')).filter((name) => name.endsWith('-shm'))).toEqual([]);
    fill(0);
    const full = {
      code: 1,
      text: expect.stringMatching(
        /^\S+ cannot be opened, because its disk is full\. Make room on its disk, then run the command again\.\n$/,
      ),
    };
    for (const command of [
      ['status', '--check'],
      ['top', '--once'],
      ['payouts', 'list'],
      ['verify', 'ledger'],
      ['start'],
      ['backup', join(folder.path, 'backup')],
    ])
      expect([command, await oja(...command)]).toEqual([command, full]);
    expect(await oja('start', '--plan')).toMatchObject({ code: 0 });

    makeRoom();
    market = await open();
    expect(await market.stop()).toBe(0);
  });

  it('services that run separately are seen beside the lock that an earlier start has left', async () => {
    makeRoom();
    expect(await oja('status')).toMatchObject({ code: 0 });
    market = await open('projector');
    expect(readdirSync(seen('data'))).toContain('start.lock');
    expect(readdirSync(seen('data'))).not.toContain('start.lock-shm');
    fill(0);
    const { code, text } = await oja('status', '--check');
    expect(code).toBe(1);
    expect(text).toMatch(/^The market is running/);
    expect(text).toMatch(/^nothing new can be taken: /m);

    fill(0);
    const second = beside(['start', 'command-service'], { PUBLIC_URL: url, OJA_DEMO: '1' });
    expect(await second.exited).toBe(1);
    expect(second.lines.join('\n')).toMatch(/ no room | full/);
    makeRoom();
    expect(await market.stop()).toBe(0);
    expect(readdirSync(seen('data/running'))).toEqual([]);
  });

  it('a command that must bring read models up to date first ends with what is to be done', async () => {
    makeRoom();
    expect(await oja('seed', '--products', '500')).toMatchObject({ code: 0 });
    fill(MB / 2);
    expect(await oja('verify', 'catalogue')).toEqual({
      code: 1,
      text: expect.stringMatching(
        /^\S+documents\.db takes no more writes: .*\. Make room on its disk, then run the command again\.$/m,
      ),
    });
    makeRoom();
    expect(await oja('verify', 'catalogue')).toMatchObject({ code: 0 });
  });
});
