import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { join } from 'node:path';
import { createEmbeddedState } from '@oja/platform';
import { io } from 'socket.io-client';
import { afterEach, expect, it, vi } from 'vitest';
import {
  freePort,
  type Market,
  openMarket,
  type Running,
  runOja,
  temporaryFolder,
} from '../../test/support/market.js';
import { eventStats } from './support/oja.js';

const OJA = join(import.meta.dirname, '../bin/oja.js');
/** Of a core, by all of its threads: what the clock says is the machine's too. */
const DEAREST_SECOND_START_SECONDS = 5;
/** Of the first start's samples. */
const SAMPLES = { ProductListed: 240, SellerRegistered: 12, OrderPlaced: 40 };
/** For so long a market that closes waits for open answers. */
const OPEN_ANSWERS_MS = 10_000;
/** 'nobody' on every Linux. */
const NOBODY = 65_534;

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function folder(): string {
  const { path, remove } = temporaryFolder();
  cleanups.push(remove);
  return path;
}

async function market(dataDir: string): Promise<Market> {
  const opened = await openMarket(dataDir);
  cleanups.push(() => opened.process.kill('SIGKILL'));
  return opened;
}

function start(env: Readonly<Record<string, string>>): Running {
  const running = runOja(['start'], env);
  cleanups.push(() => running.process.kill('SIGKILL'));
  return running;
}

/** What a refused start says: one sentence, and exit 78. */
async function refusal(running: Running): Promise<string> {
  expect(await running.exited).toBe(78);
  expect(running.lines).toHaveLength(1);
  return running.lines[0] ?? '';
}

function register(url: string, businessName: string, name = 'Ada Obi', phone_1 = '07000000002') {
  return fetch(`${url}/v1/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, businessName, phone_1, password: 'a long enough secret' }),
  });
}

it('is refused where another program has the port, and writes nothing', async () => {
  const dataDir = join(folder(), 'data');
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  expect(await refusal(start({ PORT: `${port}`, DATA_DIR: dataDir }))).toContain(`${port}`);
  expect(existsSync(dataDir)).toBe(false);
});

it('takes a free port where it is told 0, says which, and tells of no failure', async () => {
  const dataDir = join(folder(), 'data');
  const running = runOja(['start'], { PORT: '0', DATA_DIR: dataDir });
  cleanups.push(() => running.process.kill('SIGKILL'));
  const [, url = ''] = /(http:\S+)$/.exec(await running.line(/^Oja is open at /)) ?? [];
  expect(url).toMatch(/^http:\/\/localhost:[1-9]\d+$/);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(`${url}/sitemap.xml`)).status).toBe(200);
  const log = readFileSync(join(dataDir, 'logs', 'market.log'), 'utf8')
    .trim()
    .split('\n');
  expect(log.filter((line) => 'err' in JSON.parse(line))).toEqual([]);
});

it('is refused where it is to print JSON, which only a plan does, and writes nothing', async () => {
  const dataDir = join(folder(), 'data');
  const running = runOja(['start', '--json'], { DATA_DIR: dataDir, PORT: `${await freePort()}` });
  cleanups.push(() => running.process.kill('SIGKILL'));
  expect(await running.line(/./)).toContain('--json belongs to --plan');
  expect(await running.exited).toBe(2);
  expect(existsSync(dataDir)).toBe(false);
});

it('is refused on a folder that holds something else, and leaves it as it is', async () => {
  const dataDir = folder();
  writeFileSync(join(dataDir, 'novel.txt'), 'It was a dark night.');
  const said = await refusal(start({ PORT: `${await freePort()}`, DATA_DIR: dataDir }));
  expect(said).toMatch(/holds files that are not Oja's/);
  expect(readdirSync(dataDir)).toEqual(['novel.txt']);
});

it('is refused on a folder that cannot be written, and writes nothing', async () => {
  const parent = folder();
  const dataDir = join(parent, 'data');
  mkdirSync(dataDir);
  chmodSync(parent, 0o755);
  chmodSync(dataDir, 0o555);
  const port = await freePort();
  const said = await new Promise<string>((resolve, reject) => {
    const child = spawn(process.execPath, [OJA, 'start'], {
      env: { PATH: process.env.PATH ?? '', PORT: `${port}`, DATA_DIR: dataDir },
      // Root may write everywhere, so it becomes somebody else.
      ...(process.getuid?.() === 0 && { uid: NOBODY }),
    });
    cleanups.push(() => child.kill('SIGKILL'));
    let text = '';
    child.stderr.on('data', (part: Buffer) => {
      text += part;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve(`${code} ${text}`));
  });
  expect(said).toMatch(/^78 .* cannot be written.*\n$/);
  expect(readdirSync(dataDir)).toEqual([]);
});

it('is refused without its secrets where it is no demo, naming them, and writes nothing', async () => {
  const dataDir = join(folder(), 'data');
  const said = await refusal(
    start({ PORT: `${await freePort()}`, DATA_DIR: dataDir, OJA_DEMO: '0' }),
  );
  for (const name of ['PAYSTACK_SECRET', 'PUBLIC_URL', 'TOKEN_SECRET', 'KEYS_MASTER_KEY'])
    expect(said).toContain(name);
  expect(existsSync(dataDir)).toBe(false);
});

it('is refused with a setting it does not understand, and writes nothing', async () => {
  const dataDir = join(folder(), 'data');
  expect(await refusal(start({ PORT: 'eighty', DATA_DIR: dataDir }))).toMatch(/PORT must be/);
  expect(existsSync(dataDir)).toBe(false);
});

it('keeps everything over a restart, which is quick, and runs once a folder', async () => {
  const dataDir = folder();
  const first = await market(dataDir);
  expect((await register(first.url, 'Kept Store')).status).toBe(201);
  const second = start({ PORT: `${await freePort()}`, DATA_DIR: dataDir });
  expect(await refusal(second)).toMatch(/A market runs on the folder/);
  expect(await first.stop()).toBe(0);
  const before = await eventStats(dataDir);

  // What a killed backup has left, with a copy of the keys.
  const staged = join(dataDir, 'staged-killed');
  mkdirSync(staged);
  for (const name of ['temporary.lock', 'keys.db']) writeFileSync(join(staged, name), '');
  const again = await market(dataDir);
  const metrics = await (await fetch(`${again.url}/metrics`)).text();
  const [, spent] = /^process_cpu_seconds_total (\S+)$/m.exec(metrics) ?? [];
  expect(Number(spent)).toBeLessThan(DEAREST_SECOND_START_SECONDS);
  expect(again.lines.join('\n')).not.toMatch(/sample/);
  expect(existsSync(staged)).toBe(false);
  const login = await fetch(`${again.url}/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ businessName: 'Kept Store', password: 'a long enough secret' }),
  });
  expect(login.status).toBe(200);
  // The sweep may have written meanwhile what time alone brings.
  const after = await eventStats(dataDir);
  expect(after.streams).toBe(before.streams);
  expect(after.types).toMatchObject({ ...SAMPLES, SellerRegistered: 13 });
  expect(await again.stop()).toBe(0);
});

it('closes once it learns that it was moved out while it was cut off, and is not started again', async () => {
  const dataDir = folder();
  const port = await freePort();
  const cutOff = start({ PORT: `${port}`, DATA_DIR: dataDir });
  await cutOff.line(/^Oja is open at /);
  // Nobody had heard of it for so long that it counted as gone.
  const state = await createEmbeddedState({ file: join(dataDir, 'state.db') });
  const move = { id: randomUUID(), way: 'out', at: '2026-01-31T12:00:00.000Z' };
  await state.put('moving', 'market', { ...move, done: true }, Date.now());
  await state.close();
  expect(await cutOff.exited).toBe(78);
  expect(cutOff.lines.join('\n')).toMatch(/was moved out/);
});

it('stays open when nobody reads any more what it prints, and closes when it is told to', async () => {
  const port = await freePort();
  const child = spawn(process.execPath, [OJA, 'start'], {
    env: { PATH: process.env.PATH ?? '', PORT: `${port}`, DATA_DIR: folder() },
  });
  cleanups.push(() => child.kill('SIGKILL'));
  const ended = new Promise((resolve) => child.once('close', resolve));
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  const statusOf = (path: string) =>
    fetch(`http://localhost:${port}${path}`).then(
      ({ status }) => status,
      () => (child.exitCode === null ? null : 'it has ended'),
    );
  await expect.poll(() => statusOf('/readyz'), { timeout: 60_000 }).not.toBeOneOf([null, 503]);
  expect(await statusOf('/readyz')).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
}, 90_000);

it('lets a request under way end when it is told to stop, and exits 0', async () => {
  const running = await market(folder());
  const body = JSON.stringify({ commentInput: 'Good', ratingsCount: 5 });
  const asked = request(`${running.url}/v1/add-comment`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
  });
  const answered = new Promise<number | undefined>((resolve, reject) => {
    asked.once('response', (answer) => resolve(answer.resume().statusCode));
    asked.once('error', reject);
  });
  await new Promise<void>((resolve) => asked.write(body.slice(0, 10), () => resolve()));
  // The server has the first half once it has answered a later request on another connection.
  await fetch(`${running.url}/healthz`);
  const exited = running.stop();
  await running.line(/^Closing/);
  asked.end(body.slice(10));
  expect(await answered).toBeLessThan(500);
  expect(await exited).toBe(0);
});

it('finishes what was killed in the middle of making samples, and makes nothing twice', async () => {
  const dataDir = folder();
  const killed = start({ PORT: `${await freePort()}`, DATA_DIR: dataDir });
  await killed.line(/^Making sample goods/);
  const log = ['log.db', 'log.db-wal'].map((name) => join(dataDir, name));
  const written = () =>
    log.reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0);
  await expect.poll(written, { timeout: 30_000, interval: 2 }).toBeGreaterThan(40_000);
  killed.process.kill('SIGKILL');
  await killed.exited;
  const partly = await eventStats(dataDir);
  expect(partly.types.OrderPlaced ?? 0).toBeLessThan(SAMPLES.OrderPlaced);

  const running = await market(dataDir);
  expect(running.lines[0]).toMatch(/^Making sample goods/);
  const { types, streams } = await eventStats(dataDir);
  expect(types).toMatchObject(SAMPLES);
  const search = await fetch(`${running.url}/v1/products/search?limit=1`);
  expect(await search.json()).toMatchObject({ total: SAMPLES.ProductListed });
  expect(await running.stop()).toBe(0);
  const again = await market(dataDir);
  expect((await eventStats(dataDir)).streams).toBe(streams);
  expect(await again.stop()).toBe(0);
});

it('closes when it is told to while it makes samples, and while it opens', async () => {
  const dataDir = folder();
  const first = start({ PORT: `${await freePort()}`, DATA_DIR: dataDir });
  await first.line(/^Making sample goods/);
  expect(await first.stop()).toBe(0);
  expect(first.lines.slice(1)).toEqual(['Closing …']);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const opening = start({ PORT: `${await freePort()}`, DATA_DIR: dataDir });
    await opening.line(/^Opening/);
    opening.process.kill(signal);
    expect([await opening.exited, opening.lines.at(-1)]).toEqual([0, 'Closing …']);
  }
  expect(await (await market(dataDir)).stop()).toBe(0);
  expect((await eventStats(dataDir)).types).toMatchObject(SAMPLES);
});

it('closes at once while the page of a seller is open', async () => {
  const running = await market(folder());
  const { url } = running;
  await register(url, 'Open All Day');
  const login = await fetch(`${url}/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ businessName: 'Open All Day', password: 'a long enough secret' }),
  });
  const { accessToken: token } = await login.json();
  const socket = io(url, { transports: ['websocket'], auth: { token }, reconnection: false });
  cleanups.push(() => socket.close());
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  const left = new Promise((resolve) => socket.once('disconnect', resolve));
  const began = performance.now();
  expect(await running.stop()).toBe(0);
  expect(performance.now() - began).toBeLessThan(OPEN_ANSWERS_MS);
  await left;
});

it('says what it waits for before it is open', async () => {
  const port = await freePort();
  const running = start({ PORT: `${port}`, DATA_DIR: folder() });
  const ready = () => fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  const early = await vi.waitUntil(ready, { timeout: 30_000, interval: 2 });
  expect(early.status).toBe(503);
  expect(await early.json()).toMatchObject({ success: false, waitingFor: ['start'] });
  await running.line(/^Oja is open/);
  expect((await ready())?.status).toBe(200);
  expect(await running.stop()).toBe(0);
});

it('logs into the data folder, and nothing that is personal', async () => {
  const dataDir = folder();
  const running = await market(dataDir);
  const { url } = running;
  expect((await register(url, 'Quiet Store', 'Zebulon Quaint', '07098765432')).status).toBe(201);
  await fetch(`${url}/v1/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ businessName: 'Quiet Store', password: 'Xylophone wrong one' }),
  });
  const sent = await fetch(`${url}/v1/email/sendEmail`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      name: 'Zebulon Quaint',
      email: 'zebulon@quaint.example',
      subject: 'Hello',
      message: 'Unrepeatable words',
    }),
  });
  expect(sent.status).toBe(200);
  expect(await running.stop()).toBe(0);
  const logs = join(dataDir, 'logs');
  const text = readdirSync(logs)
    .map((name) => readFileSync(join(logs, name), 'utf8'))
    .join('');
  expect(text).toContain('/v1/register');
  for (const secret of [
    'Zebulon',
    '07098765432',
    'Xylophone',
    'a long enough secret',
    'zebulon@quaint.example',
    'Unrepeatable',
  ])
    expect(text).not.toContain(secret);
});
