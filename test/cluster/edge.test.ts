import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { calls } from '@oja/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ownerOf } from '../support/edge.js';
import { missingNginx, type Nginx, openNginx, script } from '../support/nginx.js';
import { read } from './compose.js';

it('the edge follows the table of calls and route prefixes as it is now', () => {
  const made = execFileSync(process.execPath, [script, '--print'], { encoding: 'utf8' });
  expect(read('deploy/nginx.conf'), 'run npm run edge').toBe(made);
});

it('what the edge may send twice is one request, if it has one key', () => {
  const notKeyed = Object.values(calls)
    .filter(({ method, idempotent }) => ['PUT', 'DELETE'].includes(method) && !idempotent)
    .map(({ name }) => name);
  // Logging out twice is logging out.
  expect(notKeyed).toEqual(['logout']);
});

it('the edge of a market without containers looks up no names, and needs both services', () => {
  const print = (...args: readonly string[]) =>
    spawnSync(process.execPath, [script, '--print', ...args], { encoding: 'utf8' });
  const services = [
    '--command-service',
    '10.0.0.1:8081,10.0.0.2:8081',
    '--query-service',
    'q:8082',
  ];
  const { stdout } = print(...services);
  expect(stdout).not.toContain('resolver');
  expect(stdout).toMatch(/upstream command-service \{\n *server 10\.0\.0\.1:8081[^}]*10\.0\.0\.2/);
  expect(stdout).toContain('"~^POST /v1/login$" command-service;');
  const half = print(...services.slice(0, 2));
  expect([half.status, half.stderr]).toEqual([64, expect.stringContaining('--query-service')]);
});

/** A service that echoes its name and the request; it also accepts web sockets. */
async function openEcho(
  name: string,
  statusOf = (_path: string, _asked: IncomingMessage) => 200,
): Promise<Server> {
  const server = createServer((asked, answer) => {
    asked.resume();
    answer.statusCode = statusOf(asked.url ?? '', asked);
    answer.setHeader('Content-Type', 'application/json');
    const { method, url, headers } = asked;
    answer.end(JSON.stringify({ name, method, url, headers }));
  });
  server.on('upgrade', (_, socket) => {
    socket.end(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Name: ${name}\r\n\r\n`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('it does not listen');
  return address.port;
}

/** The time after which no other copy is asked, in milliseconds: `proxy_next_upstream_timeout`. */
const NEXT_COPY_MS = 5_000;

const missing = await missingNginx();
if (missing) console.info(`not run: the edge on a real nginx (${missing})`);

describe.skipIf(missing)('The edge on a real nginx', () => {
  let services: readonly Server[] = [];
  let nginx: Nginx;

  beforeAll(async () => {
    const [command, query] = [await openEcho('command-service'), await openEcho('query-service')];
    services = [command, query];
    nginx = await openNginx({
      'command-service': [portOf(command)],
      'query-service': [portOf(query)],
    });
  });
  afterAll(async () => {
    await nginx?.close();
    for (const service of services) service.close();
  });

  const ask = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${nginx.port}${path}`, { method, headers });

  it('brings every call to the service that owns it, as it was asked', async () => {
    for (const { method, path, name } of Object.values(calls)) {
      const asked = `${path.replace(/:\w+/g, 'a%2Fb')}?q=%20x`;
      const answer = await (await ask(method, asked)).json();
      expect(answer, name).toMatchObject({
        name: ownerOf(method, asked.split('?', 1)[0] ?? ''),
        method,
        url: asked,
      });
    }
  });

  it.each([
    ['/', 'query-service'],
    ['/single-product/a/b', 'query-service'],
    ['/v1/no-such-call', 'query-service'],
    ['/v1_1/oja/image/upload', 'command-service'],
    ['/v1/image/upload/x.jpg', 'command-service'],
    ['/sandbox/checkout/x', 'command-service'],
    ['/socket.io/?EIO=4', 'query-service'],
  ])('brings %s to %s', async (path, owner) => {
    expect(await (await ask('GET', path)).json()).toMatchObject({ name: owner });
  });

  it("answers for its own health and for nobody else's", async () => {
    expect((await ask('GET', '/healthz')).status).toBe(200);
    expect((await ask('GET', '/readyz')).status).toBe(404);
    expect((await ask('GET', '/metrics')).status).toBe(404);
  });

  it('tells where a request came from, behind what the client itself claims', async () => {
    const claimed = { 'X-Forwarded-For': '203.0.113.9' };
    const { headers } = await (await ask('GET', '/v1/settings', claimed)).json();
    expect(headers['x-forwarded-for']).toBe('203.0.113.9, 127.0.0.1');
    expect(headers.host).toBe(`127.0.0.1:${nginx.port}`);
  });

  it('passes no other offer to upgrade on', async () => {
    const asked = request({
      host: '127.0.0.1',
      port: nginx.port,
      path: '/v1/settings',
      headers: { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c' },
    });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const { headers } = JSON.parse(Buffer.concat(await answer.toArray()).toString());
    expect(answer.statusCode).toBe(200);
    expect(headers).not.toHaveProperty('upgrade');
  });

  it('lets web sockets through to live hints', async () => {
    const socket = request({
      host: '127.0.0.1',
      port: nginx.port,
      path: '/socket.io/?EIO=4&transport=websocket',
      headers: { Connection: 'Upgrade', Upgrade: 'websocket' },
    });
    socket.end();
    const [answer, opened] = (await once(socket, 'upgrade')) as [IncomingMessage, Duplex];
    expect(answer.statusCode).toBe(101);
    expect(answer.headers['x-name']).toBe('query-service');
    opened.destroy();
  });
});

describe.skipIf(missing)('The edge before two copies of a service', () => {
  const opened: { close(): unknown }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
  });

  /** An edge before a service as it should be and a copy of it that answers some paths with another status. */
  async function openBefore(statusOf: (path: string) => number): Promise<Nginx> {
    const copies = [await openEcho('as it should be'), await openEcho('other', statusOf)];
    const ports = copies.map(portOf);
    opened.push(...copies);
    const nginx = await openNginx({ 'command-service': ports, 'query-service': ports });
    opened.push(nginx);
    return nginx;
  }

  it.each([
    ['is still opening', '/v1/settings', () => 503],
    ['is of another release', '/assets/index-1a2b.js', () => 404],
  ])('asks the one for what the other cannot answer, because it %s', async (_, path, statusOf) => {
    const nginx = await openBefore(statusOf);
    for (let n = 0; n < 6; n += 1) {
      const answer = await fetch(`http://127.0.0.1:${nginx.port}${path}`);
      expect(await answer.json()).toMatchObject({ name: 'as it should be', url: path });
    }
  });

  /** An edge before two copies that are killed before they answer; what each was asked, with its Idempotency-Key. */
  async function openBeforeKilled() {
    const asked: { readonly copy: number; readonly key: unknown }[] = [];
    const copies = await Promise.all(
      [1, 2].map((copy) =>
        openEcho(`copy ${copy}`, (_, { headers, socket }) => {
          asked.push({ copy, key: headers['idempotency-key'] });
          socket.destroy();
          return 200;
        }),
      ),
    );
    const ports = copies.map(portOf);
    const nginx = await openNginx({ 'command-service': ports, 'query-service': ports });
    opened.push(...copies, nginx);
    return { asked, address: `http://127.0.0.1:${nginx.port}` };
  }

  it.each(['PUT', 'DELETE'])('sends a %s to the other again under one key', async (method) => {
    const { asked, address } = await openBeforeKilled();
    const path = '/v1/products/x/toggle-status';
    await fetch(address + path, { method });
    expect(new Set(asked.map(({ copy }) => copy))).toEqual(new Set([1, 2]));
    expect(new Set(asked.map(({ key }) => key))).toEqual(
      new Set([expect.stringMatching(/^[0-9a-f]{32}$/)]),
    );
    const first = asked.splice(0)[0]?.key;
    await fetch(address + path, { method });
    expect(asked[0]?.key).not.toBe(first);
    asked.splice(0);
    await fetch(address + path, { method, headers: { 'Idempotency-Key': "the client's" } });
    expect(new Set(asked.map(({ key }) => key))).toEqual(new Set(["the client's"]));
  });

  it('sends a POST to nobody else, with the key it has', async () => {
    const { asked, address } = await openBeforeKilled();
    await fetch(`${address}/v1/add-comment`, { method: 'POST' });
    await fetch(`${address}/v1/add-comment`, {
      method: 'POST',
      headers: { 'Idempotency-Key': "the client's" },
    });
    expect(asked.map(({ key }) => key)).toEqual([undefined, "the client's"]);
  });

  it('asks nobody else for what the first has tried for long, as while an engine is away', async () => {
    let asked = 0;
    const copies = [1, 2].map(() =>
      createServer(async (_, answer) => {
        asked += 1;
        await pause(NEXT_COPY_MS + 100);
        answer.writeHead(503).end();
      }),
    );
    for (const copy of copies) await once(copy.listen(0, '127.0.0.1'), 'listening');
    const ports = copies.map(portOf);
    const nginx = await openNginx({ 'command-service': ports, 'query-service': ports });
    opened.push(...copies, nginx);
    const { status } = await fetch(`http://127.0.0.1:${nginx.port}/v1/settings`);
    expect({ status, asked }).toEqual({ status: 503, asked: 1 });
  });

  it('passes on what no copy has, and sends nothing twice that changes something', async () => {
    const paths: string[] = [];
    const nginx = await openBefore((path) => {
      paths.push(path);
      return 503;
    });
    // Each process of nginx takes turns by itself, so the other copy may be asked later than second.
    const untilRefused = async (edge: Nginx, method: string, path: string) => {
      for (;;) {
        const { status } = await fetch(`http://127.0.0.1:${edge.port}${path}`, { method });
        if (status !== 200) return status;
      }
    };
    expect(await untilRefused(nginx, 'POST', '/v1/transaction/initialize')).toBe(503);
    expect(paths).toHaveLength(1);
    expect(await untilRefused(await openBefore(() => 404), 'GET', '/v1/no-such-call')).toBe(404);
  });
});
