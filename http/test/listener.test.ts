import { once } from 'node:events';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type App, createApp, createListener, createReadiness } from '@oja/http';
import { createMetrics } from '@oja/platform';
import { describe, expect, it } from 'vitest';
import { memoryLogger, startHarness } from './harness.js';

function appWith(middleware: Parameters<App['use']>[0]): App {
  const app = createApp({
    logger: memoryLogger(),
    metrics: createMetrics(),
    readiness: createReadiness(),
    publicUrl: 'http://localhost:8080',
    trustedProxy: [],
  });
  app.use(middleware);
  return app;
}

async function listening(app: App, hosts: readonly string[], port = 0) {
  const listener = createListener(app, { port, hosts });
  const result = await listener.listen();
  if (!result.ok) throw new Error(result.message);
  return { listener, port: result.port };
}

const hello = appWith((ctx) => {
  ctx.body = 'hello';
});

/** Sockets of the server that are open. */
const openSockets = (server: Server) =>
  new Promise<number>((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

/** What a server says to these raw bytes before it hangs up. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // It may hang up before it has heard all of it.
  socket.on('error', () => undefined);
  socket.write(text);
  await new Promise((closed) => socket.once('close', closed));
  return Buffer.concat(chunks).toString('utf8');
}

describe('a listener', () => {
  it('answers on all its addresses with one server', async () => {
    const { listener, port } = await listening(hello, ['127.0.0.1', '::1', '192.0.2.1']);
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('hello');
    const six = await fetch(`http://[::1]:${port}/`).catch(() => null);
    if (six !== null) expect(await six.text()).toBe('hello');
    await listener.close(1_000);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it('says in a sentence that the port is taken', async () => {
    const { listener, port } = await listening(hello, ['127.0.0.1']);
    const second = createListener(hello, { port, hosts: ['127.0.0.1', '::1'] });
    expect(await second.listen()).toEqual({
      ok: false,
      message: `Port ${port} is taken: stop what uses it, or set PORT to another one.`,
    });
    await second.close(0);
    await listener.close(0);
  });

  it('lets an answer under way end when it closes, and takes no more', async () => {
    let release = () => {};
    const { listener, port } = await listening(
      appWith(async (ctx) => {
        await new Promise<void>((resolve) => {
          release = resolve;
          listener.server.emit('working');
        });
        ctx.body = 'done';
      }),
      ['127.0.0.1'],
    );
    const working = once(listener.server, 'working');
    const answer = fetch(`http://127.0.0.1:${port}/`);
    await working;
    const closed = listener.close();
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
    release();
    expect(await (await answer).text()).toBe('done');
    await closed;
  });

  it('ends an answer that outlives the grace', async () => {
    const { listener, port } = await listening(
      appWith(() => {
        listener.server.emit('working');
        return new Promise(() => undefined);
      }),
      ['127.0.0.1'],
    );
    const working = once(listener.server, 'working');
    const answer = fetch(`http://127.0.0.1:${port}/`).catch(() => 'broken off');
    await working;
    await listener.close(0);
    expect(await answer).toBe('broken off');
  });

  it('waits for headers no longer than 20 s, and for uploads that move without end', async () => {
    const { listener } = await listening(hello, ['127.0.0.1']);
    expect(listener.server.headersTimeout).toBe(20_000);
    expect(listener.server.requestTimeout).toBe(0);
    expect(listener.server.timeout).toBe(150_000);
    await listener.close(0);
  });
});

describe('a client that holds its socket', () => {
  /** Opens so many connections that say this, each asked to say on; resolves once the server has closed all. */
  async function held(port: number, text: string, sayOn: (socket: Socket) => void = () => {}) {
    const sockets = Array.from({ length: 40 }, () => connect(port, '127.0.0.1'));
    const closed = sockets.map((socket) => {
      socket.on('error', () => undefined);
      socket.write(text);
      sayOn(socket);
      return new Promise((resolve) => socket.once('close', resolve));
    });
    await Promise.all(closed);
  }
  const short = { port: 0, hosts: ['127.0.0.1'], idleMs: 200, lingerMs: 200 };

  it('by sending on after it was answered is hung up on', async () => {
    const listener = createListener(hello, short);
    const result = await listener.listen();
    if (!result.ok) throw new Error(result.message);
    const head = 'POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n';
    await held(result.port, head, (socket) => {
      socket.resume();
      const trickle = setInterval(() => socket.write('x'), 20);
      socket.once('close', () => clearInterval(trickle));
    });
    expect(await openSockets(listener.server)).toBe(0);
    await listener.close(0);
  });

  it('by not reading what it asked for is hung up on', async () => {
    const large = appWith((ctx) => {
      ctx.body = Buffer.alloc(20_000_000);
    });
    const listener = createListener(large, short);
    const result = await listener.listen();
    if (!result.ok) throw new Error(result.message);
    const closed = new Promise<void>((resolve) => {
      listener.server.on('connection', (socket) => socket.once('close', () => resolve()));
    });
    const socket = connect(result.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await closed;
    expect(await openSockets(listener.server)).toBe(0);
    socket.destroy();
    await listener.close(0);
  });
});

describe('many clients that do not read what they asked for', () => {
  it('are hung up on once it is too much, and those who read are not', async () => {
    const large = appWith((ctx) => {
      ctx.body = Buffer.alloc(20_000_000);
    });
    const unread = { mostBytes: 50_000_000, checkEveryMs: 20 };
    const listener = createListener(large, { port: 0, hosts: ['127.0.0.1'], unread });
    const result = await listener.listen();
    if (!result.ok) throw new Error(result.message);
    const silent = Array.from({ length: 12 }, () => {
      const socket = connect(result.port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      return socket.pause();
    });
    let asked = 0;
    listener.server.on('request', () => {
      asked += 1;
    });
    await expect.poll(() => asked).toBe(silent.length);
    await expect.poll(() => openSockets(listener.server)).toBeLessThanOrEqual(3);
    expect(await openSockets(listener.server)).toBeGreaterThan(0);
    const read = await fetch(`http://127.0.0.1:${result.port}/`);
    expect((await read.arrayBuffer()).byteLength).toBe(20_000_000);
    for (const socket of silent) socket.destroy();
    await listener.close(0);
  });
});

describe('what is not a proper request', () => {
  it('is answered in JSON and hung up on', async () => {
    const { listener, port } = await listening(hello, ['127.0.0.1']);
    expect(await raw(port, 'nonsense\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*"success":false/s);
    const long = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`;
    expect(await raw(port, long)).toMatch(/^HTTP\/1\.1 431 .*"success":false/s);
    await listener.close(0);
  });

  it('with an endless body is refused once it is too large', async () => {
    const market = await startHarness();
    const head =
      'POST /v1/make HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ada\r\n' +
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const chunk = `${(100_000).toString(16)}\r\n${' '.repeat(100_000)}\r\n`;
    expect(await raw(market.port, head + chunk.repeat(60))).toMatch(/^HTTP\/1\.1 413 /);
    await market.close();
  });
});

describe('a request that offers an upgrade', () => {
  const ask = (upgrade: string, path: string, more = '') =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${upgrade}\r\n${more}\r\n`;

  async function withSockets() {
    const listener = createListener(hello, {
      port: 0,
      hosts: ['127.0.0.1'],
      upgradePaths: ['/live/'],
    });
    listener.server.on('upgrade', ({ url = '' }, socket) => {
      if (url.startsWith('/live/')) socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    });
    const result = await listener.listen();
    if (!result.ok) throw new Error(result.message);
    return { listener, port: result.port };
  }

  it('leaves no socket open, whatever it offers and wherever', async () => {
    const { listener, port } = await withSockets();
    const offers = ['websocket', 'h2c', 'TLS/1.0', 'nonsense'];
    const paths = ['/', '/v1/list', '/live', '/socket.io/', '/v1_1/oja/image/upload'];
    const asked = offers.flatMap((offer) => paths.map((path) => ask(offer, path)));
    const answers = await Promise.all([...asked, ...asked, ...asked].map((one) => raw(port, one)));
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 (200|400) /);
    expect(await openSockets(listener.server)).toBe(0);
    await listener.close(0);
  });

  it('gets the ordinary answer where it only offers another protocol', async () => {
    const { listener, port } = await withSockets();
    const answer = await raw(port, ask('h2c', '/', 'HTTP2-Settings: AAMAAABkAAQAAP__\r\n'));
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*Connection: close.*hello$/s);
    await listener.close(0);
  });

  it('is told that there is no web socket, and that a body cannot come with it', async () => {
    const { listener, port } = await withSockets();
    expect(await raw(port, ask('websocket', '/'))).toMatch(/^HTTP\/1\.1 400 .*"success":false/s);
    const withBody = await raw(port, `${ask('h2c', '/', 'Content-Length: 5\r\n')}12345`);
    expect(withBody).toMatch(/^HTTP\/1\.1 400 /);
    await listener.close(0);
  });

  it('ends with the listener once it is taken, and does not use up its grace', async () => {
    const listener = createListener(hello, {
      port: 0,
      hosts: ['127.0.0.1', '::1'],
      upgradePaths: ['/live/'],
    });
    listener.server.on('upgrade', (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
    });
    const result = await listener.listen();
    if (!result.ok) throw new Error(result.message);
    const sockets = ['127.0.0.1', '::1'].map((host) => {
      const socket = connect(result.port, host);
      // There may be no IPv6 here.
      socket.on('error', () => undefined);
      socket.write(ask('websocket', '/live/'));
      return socket;
    });
    await Promise.all(
      sockets.map((socket) => Promise.race([once(socket, 'data'), once(socket, 'close')])),
    );
    const ended = Promise.all(sockets.map((socket) => socket.closed || once(socket, 'close')));
    const began = performance.now();
    await listener.close(10_000);
    await ended;
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('is left to who takes it, and answered where nobody does', async () => {
    const { listener, port } = await withSockets();
    expect(await raw(port, ask('websocket', '/live/'))).toMatch(/^HTTP\/1\.1 101 /);
    await listener.close(0);
    const alone = await listening(hello, ['127.0.0.1']);
    expect(await raw(alone.port, ask('websocket', '/live/'))).toMatch(/^HTTP\/1\.1 400 /);
    await alone.listener.close(0);
  });
});
