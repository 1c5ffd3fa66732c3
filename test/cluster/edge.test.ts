import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { type IncomingMessage, request, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { calls } from '@oja/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownerOf } from '../support/edge.js';
import { read } from './compose.js';
import { missingNginx, openEcho, openNginx, script } from './nginx.js';

it('the edge follows the table of calls and doors as it is now', () => {
  const made = execFileSync(process.execPath, [script, '--print'], { encoding: 'utf8' });
  expect(read('deploy/nginx.conf'), 'run npm run edge').toBe(made);
});

const missing = missingNginx();
if (missing) console.info(`not run: the edge on a real nginx (${missing})`);

describe.skipIf(missing)('The edge on a real nginx', () => {
  let services: readonly Server[] = [];
  let nginx: Awaited<ReturnType<typeof openNginx>>;

  beforeAll(async () => {
    const [command, query] = [await openEcho('command-service'), await openEcho('query-service')];
    services = [command, query];
    nginx = await openNginx(command, query);
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
