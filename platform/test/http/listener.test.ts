import { once } from 'node:events';
import { connect } from 'node:net';
import { type App, createApp, createListener, createMetrics, createReadiness } from '@oja/platform';
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

/** What a server says to these raw bytes before it hangs up. */
async function raw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(text);
  await once(socket, 'close');
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

  it('waits for headers no longer than 20 s, and for uploads without end', async () => {
    const { listener } = await listening(hello, ['127.0.0.1']);
    expect(listener.server.headersTimeout).toBe(20_000);
    expect(listener.server.requestTimeout).toBe(0);
    expect(listener.server.timeout).toBe(0);
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
