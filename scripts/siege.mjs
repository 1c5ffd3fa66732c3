// `npm run siege [minutes]`: hostile and honest traffic, mixed, on a market of its own outside a demo. Prints the
// sockets and memory of the market and the latency of honest requests before, during and after, and fails when
// they do not come back to where they were. Loopback only; so many hostile requests at a time and no more.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const minutes = Number(process.argv[2] ?? 30);
if (!(minutes > 0 && minutes <= 60))
  throw new Error('siege: minutes must be above 0, and at most 60');
const DURING_MS = minutes * 60_000;
const CALM_MS = Math.min(60_000, Math.max(5_000, DURING_MS / 10));
/** As long as the market takes to hang up on the slowest of those that hold a socket. */
const LONGEST_HOLD_MS = 170_000;
const HOSTILE_AT_ONCE = 24;
const HELD_AT_ONCE = 200;
const HONEST_EVERY_MS = 50;
const HOST = 'market.example';

/** What may be left when it is over. */
const MORE_SOCKETS = 12;
const MORE_MEMORY_MB = 200;
const SLOWER = 2;
const SLOWER_MS = 30;

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

const folder = mkdtempSync(join(tmpdir(), 'oja-siege-'));
const port = await freePort();
const market = spawn(process.execPath, [join(import.meta.dirname, '../cli/bin/oja.js'), 'start'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATA_DIR: folder,
    PORT: `${port}`,
    HOST: '127.0.0.1',
    OJA_DEMO: 'off',
    PUBLIC_URL: `https://${HOST}`,
    TRUSTED_PROXY: '127.0.0.1',
    PAYSTACK_URL: 'http://127.0.0.1:9',
    PAYSTACK_SECRET: 'sk_test_siege',
    TOKEN_SECRET: randomBytes(32).toString('hex'),
    KEYS_MASTER_KEY: randomBytes(32).toString('hex'),
  },
});
const ended = once(market, 'exit');

const agent = new Agent({ keepAlive: true, maxSockets: 8 });
/** One request; resolves with its status, or 0 where it broke off. */
function ask(method, path, { from = '198.51.100.1', body, headers = {}, own = false } = {}) {
  return new Promise((resolve) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const asked = request({
      ...{ host: '127.0.0.1', port, method, path, agent: own ? false : agent, timeout: 60_000 },
      headers: {
        Host: HOST,
        'X-Forwarded-For': from,
        ...(text && {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(text),
        }),
        ...headers,
      },
    });
    asked.on('response', (answer) => {
      answer.resume();
      answer.once('close', () => resolve(answer.statusCode));
    });
    asked.on('upgrade', (_, socket) => resolve(void socket.destroy() ?? 101));
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(0));
    asked.end(text);
  });
}

const some = (most) => Math.floor(Math.random() * most);
const stranger = () => `203.0.113.${some(40)}`;
const shopper = () => `198.51.100.${some(200)}`;

const seller = { businessName: 'Honest Bags', password: 'a long enough secret' };
const honest = [
  () => ask('GET', '/', { from: shopper() }),
  () => ask('GET', '/v1/settings', { from: shopper() }),
  () => ask('GET', '/v1/products/search?query=ankara', { from: shopper() }),
  () => ask('GET', '/v1/comments', { from: shopper() }),
  () => ask('POST', '/v1/login', { from: shopper(), body: seller }),
];

const letters = () =>
  Array.from({ length: 12 }, () => String.fromCharCode(97 + some(26))).join('+');
const letter = { name: 'Siege', email: 's@example.com', subject: 'Hello', message: 'Again' };
const hostile = [
  () => ask('GET', `/v1/products/search?query=${letters()}`, { from: stranger() }),
  () => ask('GET', '/v1/products/allUsers', { from: stranger() }),
  () => ask('GET', '/sitemap.xml', { from: stranger() }),
  () => ask('GET', '/v1/products/by-ids?ids=%00', { from: stranger() }),
  () => ask('GET', '/single-product/1/%00', { from: stranger() }),
  () => ask('POST', '/v1/login', { from: stranger(), body: { ...seller, password: 'market-day' } }),
  () =>
    ask('POST', '/v1/login', {
      from: stranger(),
      body: { businessName: `Store ${some(9_999)}`, password: 'market-day' },
    }),
  () => ask('POST', '/v1/email/sendEmail', { from: stranger(), body: letter }),
  () =>
    ask('GET', '/v1/refresh-token', {
      from: stranger(),
      headers: { Cookie: `__Host-oja-refresh=x.y.${some(99_999)}.${'A'.repeat(43)}` },
    }),
  ...['h2c', 'websocket', 'TLS/1.0'].map(
    (Upgrade) => () =>
      ask('GET', '/', { from: stranger(), own: true, headers: { Connection: 'Upgrade', Upgrade } }),
  ),
];

/** Sockets that are opened and never ended by who opened them, with what they say first and go on saying. */
const holders = [
  ['GET / HTTP/1.1\r\n', ''],
  [
    'POST /v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n',
    ' ',
  ],
  ['POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n', 'x'],
  [
    'POST /v1_1/oja/image/upload HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n' +
      'Content-Type: multipart/form-data; boundary=b\r\n\r\n--b\r\n',
    'x',
  ],
  ['GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', ''],
  [
    'GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    '',
  ],
];
const held = new Set();
function hold() {
  const [first, more] = holders[some(holders.length)];
  const socket = connect(port, '127.0.0.1', () => socket.write(first));
  held.add(socket);
  const saying = setInterval(() => more && socket.write(more), 5_000);
  socket.on('error', () => undefined);
  // What is answered is not read: only the end is noticed.
  socket.on('close', () => {
    clearInterval(saying);
    held.delete(socket);
  });
  socket.resume();
}

function marketNow() {
  const own = `/proc/${market.pid}`;
  const isSocket = (fd) => {
    try {
      return readlinkSync(`${own}/fd/${fd}`).startsWith('socket:');
    } catch {
      return false;
    }
  };
  const rss = /VmRSS:\s+(\d+)/.exec(readFileSync(`${own}/status`, 'utf8'))?.[1];
  return {
    sockets: readdirSync(`${own}/fd`).filter(isSocket).length,
    memory: Math.round(Number(rss) / 1024),
  };
}

/** Honest requests one after another for so long; the latency of each. */
async function honestFor(ms) {
  const took = [];
  let failed = 0;
  for (const until = Date.now() + ms; Date.now() < until; await wait(HONEST_EVERY_MS)) {
    const from = performance.now();
    const status = await honest[took.length % honest.length]();
    took.push(performance.now() - from);
    if (status !== 200) failed += 1;
  }
  took.sort((a, b) => a - b);
  const at = (share) => Math.round(took[Math.floor(took.length * share)] ?? 0);
  return { ...marketNow(), requests: took.length, failed, p50: at(0.5), p99: at(0.99) };
}

async function hostileUntil(until) {
  const answers = new Map();
  const holding = setInterval(() => held.size < HELD_AT_ONCE && hold(), 50);
  const one = async () => {
    while (Date.now() < until) {
      const status = await hostile[some(hostile.length)]();
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: HOSTILE_AT_ONCE }, one));
  clearInterval(holding);
  return Object.fromEntries([...answers].sort(([a], [b]) => a - b));
}

function tell(name, { sockets, memory, requests, failed, p50, p99 }) {
  const cells = [`${sockets} sockets`, `${memory} MB`, `p50 ${p50} ms`, `p99 ${p99} ms`];
  console.log(
    `${name.padEnd(8)} ${cells.join(', ')}; ${failed} of ${requests} honest requests failed`,
  );
}

function verdict(before, during, after) {
  const wrong = [];
  if (after.sockets > before.sockets + MORE_SOCKETS) wrong.push('sockets stayed open');
  if (after.memory > before.memory + MORE_MEMORY_MB) wrong.push('memory did not come back');
  if (after.p50 > before.p50 * SLOWER + SLOWER_MS) wrong.push('honest requests stayed slow');
  if (before.failed + after.failed > 0) wrong.push('honest requests failed in peace');
  if (during.failed > during.requests / 100) wrong.push('honest requests failed during the siege');
  return wrong;
}

try {
  const opened = new Promise((resolve) => {
    market.stdout.on('data', (text) => String(text).includes('Oja is open at') && resolve(true));
  });
  if (!(await Promise.race([opened, ended.then(() => false)]))) throw new Error('no market opened');
  const registered = { ...seller, name: 'Honest Person', phone_1: '08031234567' };
  if ((await ask('POST', '/v1/register', { body: registered })) !== 201)
    throw new Error('no seller');

  await honestFor(CALM_MS);
  const before = await honestFor(CALM_MS);
  tell('before', before);
  const [during, answers] = await Promise.all([
    honestFor(DURING_MS),
    hostileUntil(Date.now() + DURING_MS),
  ]);
  tell('during', during);
  console.log(
    `hostile  answers by status: ${JSON.stringify(answers)}; ${held.size} sockets held at the end`,
  );
  for (const until = Date.now() + LONGEST_HOLD_MS; held.size > 0 && Date.now() < until; )
    await wait(1_000);
  console.log(`         ${held.size} of them the market has not hung up on`);
  const after = await honestFor(CALM_MS);
  tell('after', after);
  const wrong = verdict(before, during, after);
  if (held.size > 0) wrong.push('some who hold a socket still have it');
  console.log(
    wrong.length === 0 ? 'The market stands.' : `The market does not stand: ${wrong.join('; ')}.`,
  );
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  for (const socket of held) socket.destroy();
  agent.destroy();
  market.kill('SIGINT');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}
