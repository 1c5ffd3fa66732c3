import { connect, type Socket } from 'node:net';
import { type Asker, type Asking, pictureForm } from './ask.js';

const AT_ONCE = 24;
const HELD_AT_ONCE = 200;
/** Pauses between new held sockets, and between two writes on a held one, in milliseconds. */
const HOLD_EVERY_MS = 50;
const SAY_EVERY_MS = 5_000;
const NETWORKS = 40;

const some = (most: number) => Math.floor(Math.random() * most);
const letters = (many: number) =>
  Array.from({ length: many }, () => String.fromCharCode(97 + some(26))).join('+');

type Attack = (
  ask: (method: string, path: string, asking?: Omit<Asking, 'from'>) => Promise<unknown>,
) => Promise<unknown>;

const login = (businessName: string) => ({ body: { businessName, password: 'market-day' } });
const letter = { name: 'Siege', email: 's@example.com', subject: 'Hello', message: 'Again' };
const stolen = () => ({
  headers: { Cookie: `__Host-oja-refresh=x.y.${some(99_999)}.${'A'.repeat(43)}` },
});
const upgrade = (to: string) => ({ alone: true, headers: { Connection: 'Upgrade', Upgrade: to } });
const LIVE_HINTS = '/socket.io/?EIO=4&transport=websocket';
const webSocket = {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'AAAAAAAAAAAAAAAAAAAAAA==',
};
const asLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
const webhook = {
  event: 'charge.success',
  data: { reference: 'made-up', status: 'success', amount: 100 },
};

/** One request of each harmful kind found so far, by name; sent in random order from many networks. */
export const attacks: Readonly<Record<string, Attack>> = {
  'a search for letters': (ask) => ask('GET', `/v1/products/search?query=${letters(12)}`),
  'a search for many words': (ask) => ask('GET', `/v1/products/search?query=${letters(90)}`),
  'all goods': (ask) => ask('GET', '/v1/products/allUsers'),
  'the sitemap': (ask) => ask('GET', '/sitemaps/1.xml'),
  'NUL in an id of a call': (ask) => ask('GET', '/v1/products/by-ids?ids=%00'),
  'NUL in an id of a page': (ask) => ask('GET', '/single-product/1/%00'),
  'guesses at one seller': (ask) => ask('POST', '/v1/login', login('Honest Bags')),
  'guesses at many sellers': (ask) => ask('POST', '/v1/login', login(`Store ${some(9_999)}`)),
  'sign-ins at once': (ask) =>
    Promise.all(Array.from({ length: 20 }, () => ask('POST', '/v1/login', login('Honest Bags')))),
  'sellers by the dozen': (ask) =>
    ask('POST', '/v1/register', {
      body: {
        ...login(`Siege ${some(1e9)}`).body,
        password: 'long enough to pass',
        name: 'Siege',
        phone_1: '08031234567',
      },
    }),
  "a seller by the market's name": (ask) =>
    ask('POST', '/v1/register', {
      body: {
        businessName: 'Oja Support',
        password: 'long enough to pass',
        name: 'A\u202eB',
        phone_1: '08031234567',
      },
    }),
  'letters to the support': (ask) => ask('POST', '/v1/email/sendEmail', { body: letter }),
  'a cookie of a high generation': (ask) => ask('GET', '/v1/refresh-token', stolen()),
  'a forged notice of a payment': (ask) =>
    ask('POST', '/v1/paystack/webhook', {
      body: webhook,
      headers: { 'X-Paystack-Signature': 'f'.repeat(128) },
    }),
  'no picture': (ask) =>
    ask(
      'POST',
      '/v1_1/oja/image/upload',
      pictureForm('oja', Buffer.from('<svg onload="alert(1)"/>')),
    ),
  'a form that is none': (ask) =>
    ask('POST', '/v1_1/oja/image/upload', {
      body: Buffer.from('--b\r\n'),
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    }),
  'a search in a condition and a price': (ask) =>
    ask(
      'GET',
      `/v1/products/search?query=${letters(3)}&condition=Used&min_price=${some(9_999)}&max_price=90000`,
    ),
  'refreshes at once': (ask) =>
    Promise.all(Array.from({ length: 20 }, () => ask('GET', '/v1/refresh-token', stolen()))),
  'a body of megabytes': (ask) => ask('POST', '/v1/login', { body: Buffer.alloc(3_000_000, ' ') }),
  'lists in lists': (ask) => ask('POST', '/v1/login', { body: Buffer.from('['.repeat(20_000)) }),
  'a flood of headers': (ask) =>
    ask('GET', '/', { alone: true, headers: { 'X-Flood': 'x'.repeat(20_000) } }),
  'many headers': (ask) =>
    ask('GET', '/', {
      alone: true,
      headers: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`X-${n}`, 'x'])),
    }),
  'live hints for nobody': (ask) => ask('GET', LIVE_HINTS, { alone: true, headers: webSocket }),
  'half a body of JSON': (ask) =>
    ask('POST', '/v1/login', { body: Buffer.from('{"businessName":') }),
  'an offer of h2c': (ask) => ask('GET', '/', upgrade('h2c')),
  'an offer of a web socket': (ask) => ask('GET', '/', upgrade('websocket')),
  'an offer of TLS': (ask) => ask('GET', '/', upgrade('TLS/1.0')),
};

const JSON_HEAD = 'Host: x\r\nContent-Type: application/json\r\n';
/** The start of requests that are never completed, and what is then sent again and again. */
const holders: readonly (readonly [string, string])[] = [
  ['GET / HTTP/1.1\r\n', ''],
  ['GET / HTTP/1.1\r\nHost: x\r\n', 'X-More: x\r\n'],
  [`POST /v1/login HTTP/1.1\r\n${JSON_HEAD}Content-Length: 900\r\n\r\n`, ' '],
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
  [`GET ${LIVE_HINTS} HTTP/1.1\r\nHost: x\r\n${asLines(webSocket)}\r\n`, ''],
];

export interface Besiegers {
  /** Attacks, a limited number at once, until aborted. Returns how often each status was answered. */
  attack(until: AbortSignal): Promise<ReadonlyMap<number, number>>;
  /** How many sockets the market has not closed yet. */
  held(): number;
  close(): void;
}

export function createBesiegers(asker: Asker, port: number): Besiegers {
  const held = new Set<Socket>();

  function hold(): void {
    const [first = '', more = ''] = holders[some(holders.length)] ?? [];
    const socket = connect(port, '127.0.0.1', () => socket.write(first));
    held.add(socket);
    const saying = setInterval(() => more && socket.write(more), SAY_EVERY_MS);
    socket.on('error', () => undefined);
    // The response is discarded; only the close matters.
    socket.on('close', () => {
      clearInterval(saying);
      held.delete(socket);
    });
    socket.resume();
  }

  return {
    async attack(until) {
      const answers = new Map<number, number>();
      const all = Object.values(attacks);
      const holding = setInterval(() => held.size < HELD_AT_ONCE && hold(), HOLD_EVERY_MS);
      const ask: Parameters<Attack>[0] = async (method, path, asking) => {
        const from = `203.0.113.${some(NETWORKS)}`;
        const { status } = await asker.ask(method, path, { from, ...asking });
        answers.set(status, (answers.get(status) ?? 0) + 1);
      };
      const one = async () => {
        while (!until.aborted) await all[some(all.length)]?.(ask);
      };
      await Promise.all(Array.from({ length: AT_ONCE }, one));
      clearInterval(holding);
      return answers;
    },
    held: () => held.size,
    close() {
      for (const socket of held) socket.destroy();
    },
  };
}
