import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { get, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { contentSecurityPolicy, fileOf, redirectToPublicHost, staticFiles } from '@oja/http';
import { imageOriginsOf, NoRoom, StoreUnavailable } from '@oja/platform';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from './harness.js';

const folder = mkdtempSync(join(tmpdir(), 'oja-static-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'assets', 'app-1a2b.js'), `console.log(${'1'.repeat(2_000)})`);
const small = `console.log(${'2'.repeat(2_000)})`;
writeFileSync(join(folder, 'assets', 'small-3c4d.js'), small);
const smallest = brotliCompressSync(`${small} // by the build`);
writeFileSync(join(folder, 'assets', 'small-3c4d.js.br'), smallest);
writeFileSync(join(folder, 'robots.txt'), 'User-agent: *\n');
writeFileSync(join(folder, 'robots.txt.br'), smallest);
writeFileSync(join(folder, '.secret'), 'hidden');

/** Asks whether it changed, as a browser does; `fetch` adds a `no-cache` of its own. */
async function revalidate(path: string, tag: string): Promise<number> {
  const asked = get(market.url + path, { headers: { 'If-None-Match': tag } });
  const [answer] = await once(asked, 'response');
  answer.resume();
  return answer.statusCode;
}

let market: Harness;
let storeDown: StoreUnavailable | null = null;
beforeAll(async () => {
  market = await startHarness({
    handlers: {
      admins: () => {
        if (storeDown) throw storeDown;
        return { status: 200, body: { success: true } };
      },
    },
    mount: (app) => {
      app.use(redirectToPublicHost('http://localhost:8080'));
      app.use(staticFiles({ folder }));
      app.use((ctx, next) => {
        if (!ctx.path.startsWith('/page/')) return next();
        ctx.body = ctx.path.repeat(200);
        return undefined;
      });
    },
  });
});
afterAll(async () => {
  await market.close();
  rmSync(folder, { recursive: true });
});

describe('every answer', () => {
  it.each(['/v1/list', '/v1/nothing', '/robots.txt', '/v1/broken'])(
    'carries the security headers (%s)',
    async (path) => {
      const { headers } = await market.call('GET', path);
      const policy = headers.get('Content-Security-Policy') ?? '';
      expect(policy).toContain("script-src 'self';");
      expect(policy).toContain("connect-src 'self' ws://localhost:8080");
      expect(policy).not.toMatch(/script-src[^;]*unsafe/);
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Referrer-Policy')).toBe('strict-origin-when-cross-origin');
      expect(headers.get('Strict-Transport-Security')).toBeNull();
      expect(headers.get('Access-Control-Allow-Origin')).toBeNull();
    },
  );

  it('lets pictures go to the host that takes them and come from the one that shows them', () => {
    const policyFor = (uploadUrl: string) =>
      contentSecurityPolicy({
        publicUrl: 'https://oja.example',
        imageOrigins: imageOriginsOf({ uploadUrl }),
      }).split('; ');
    const ofCloudinary = policyFor('https://api.cloudinary.com/v1_1/oja/image/upload');
    const both = 'https://api.cloudinary.com https://res.cloudinary.com';
    expect(ofCloudinary).toContain(`connect-src 'self' wss://oja.example ${both}`);
    expect(ofCloudinary).toContain(`img-src 'self' data: blob: ${both}`);
    const elsewhere = policyFor('https://pictures.example/v1_1/oja/image/upload');
    expect(elsewhere).toContain("connect-src 'self' wss://oja.example https://pictures.example");
    expect(imageOriginsOf(null)).toEqual([]);
  });

  it('carries a correlation id: the caller’s, or a new one instead of nonsense', async () => {
    const ask = async (id: string) => {
      const headers = { 'X-Correlation-Id': id };
      return (await market.call('GET', '/v1/list', { headers })).headers.get('X-Correlation-Id');
    };
    expect(await ask('from-the-web-1')).toBe('from-the-web-1');
    expect(await ask('a b;c')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a failure inside', () => {
  it('tells the client nothing and the log everything', async () => {
    market.logger.lines.length = 0;
    const answer = await market.call('GET', '/v1/broken');
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({ success: false });
    expect(text).not.toContain('hunter2');
    const line = market.logger.lines.find(({ level }) => level === 'error');
    expect(line?.fields.err).toBeInstanceOf(Error);
    expect(line?.fields.route).toBe('/v1/broken');
  });

  it('of an engine that is away asks to come again', async () => {
    storeDown = new StoreUnavailable('SQLite', 'no answer from /var/lib', false);
    const answer = await market.call('GET', '/v1/admins', { as: 'admin' });
    storeDown = null;
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '2']);
    expect(await answer.text()).not.toContain('/var/lib');
  });

  it('says that nothing new can be taken while the disk is full', async () => {
    storeDown = new NoRoom('/var/lib/log.db takes no more writes: full');
    const answer = await market.call('GET', '/v1/admins', { as: 'admin' });
    storeDown = null;
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '30']);
    const { message } = await answer.json();
    expect(message).toMatch(/^Oja can take nothing new for the moment, and nothing was changed/);
  });
});

describe('the access log', () => {
  it('names the call and never the path or its query', async () => {
    market.logger.lines.length = 0;
    const headers = { 'X-Correlation-Id': 'corr-0001' };
    await (await market.call('GET', '/v1/list?limit=1&secret=hunter2', { headers })).text();
    await expect.poll(() => market.logger.lines.length).toBe(1);
    expect(market.logger.lines[0]).toMatchObject({
      message: 'request',
      fields: { method: 'GET', route: '/v1/list', status: 200, correlationId: 'corr-0001' },
    });
    expect(JSON.stringify(market.logger.lines)).not.toContain('hunter2');
  });

  it.each([
    ['ada', 'GET', '/v1/list', 200],
    ['ada', 'POST', '/v1/make', 400],
    ['ada', 'GET', '/v1/admins', 403],
    ['admin', 'GET', '/v1/broken', 500],
  ])('names who was signed in, %s, also where it was refused (%s %s: %i)', async (...asked) => {
    const [as, method, path, status] = asked;
    market.logger.lines.length = 0;
    expect((await market.call(method, path, { as })).status).toBe(status);
    const lines = () => market.logger.lines;
    await expect.poll(() => lines().filter(({ message }) => message === 'request')).toHaveLength(1);
    for (const { fields } of lines()) expect(fields).toMatchObject({ actor: `seller:${as}` });
  });

  it('is quiet about probes and scrapes, unless one fails', async () => {
    const levels = async (path: string) => {
      market.logger.lines.length = 0;
      await (await market.call('GET', path)).text();
      await expect.poll(() => market.logger.lines.length).toBe(1);
      return market.logger.lines.map(({ level }) => level);
    };
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect(await levels(path), path).toEqual(['debug']);
    market.readiness.add('the log', () => false);
    expect(await levels('/readyz')).toEqual(['info']);
    market.readiness.add('the log', () => true);
  });

  it.each([undefined, 'expired'])('names nobody of whom nothing is known (%s)', async (as) => {
    market.logger.lines.length = 0;
    await market.call('GET', '/v1/list', as === undefined ? {} : { as });
    await expect.poll(() => market.logger.lines.length).toBe(1);
    expect(market.logger.lines[0]).toMatchObject({ message: 'request' });
    expect(market.logger.lines[0]?.fields.actor).toBeUndefined();
  });

  it.each([
    ['/nobody/knows/hunter2', '/*'],
    ['/v1/nothing/hunter2', '/*'],
    ['/v1/image/hunter2.webp', '/v1/image/*'],
    ['/sandbox/checkout/hunter2', '/sandbox/*'],
    ['/assets/app-1a2b.js', '/assets/*'],
    ['/assets/hunter2.js', '/*'],
    ['/%72obots.txt', '/robots.txt'],
  ])('names the pattern of what is no call (%s), as the metrics do', async (path, route) => {
    market.logger.lines.length = 0;
    await (await market.call('GET', path)).text();
    await expect.poll(() => market.logger.lines.length).toBe(1);
    expect(market.logger.lines[0]).toMatchObject({ message: 'request', fields: { route } });
    const metrics = await (await market.call('GET', '/metrics')).text();
    expect(metrics).toContain(`route="${route}"`);
    expect(JSON.stringify(market.logger.lines) + metrics).not.toMatch(/hunter2|%72/);
  });
});

describe('a read that has not changed', () => {
  it('is answered 304, to everyone for themselves', async () => {
    const first = await market.call('GET', '/v1/list');
    expect(first.headers.get('Cache-Control')).toBe('no-cache');
    const tag = first.headers.get('ETag') ?? '';
    expect(tag).toMatch(/^W\/"/);
    expect(await revalidate('/v1/list', tag)).toBe(304);
    expect(await revalidate('/v1/list?limit=3', tag)).toBe(200);
    const signedIn = await market.call('GET', '/v1/list', { as: 'ada' });
    expect(signedIn.headers.get('Cache-Control')).toBe('private, no-store');
    expect(signedIn.headers.get('ETag')).toBeNull();
  });
});

describe('compression', () => {
  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0.5, br;q=1', 'br'],
    ['identity', null],
  ])('follows what the client takes (%s)', async (accepted, used) => {
    const headers = { 'Accept-Encoding': accepted };
    const answer = await market.call('GET', '/v1/list', { headers });
    expect(answer.headers.get('Content-Encoding')).toBe(used);
    expect(answer.headers.get('Vary')).toContain('Accept-Encoding');
    expect((await answer.json()).items).toHaveLength(300);
  });

  it('leaves small answers as they are', async () => {
    const headers = { 'Accept-Encoding': 'br' };
    const answer = await market.call('GET', '/v1/list?limit=1', { headers });
    expect(answer.headers.get('Content-Encoding')).toBeNull();
  });

  it('is done once for what is asked for all the time, whatever else is', async () => {
    const sent = vi.spyOn(ServerResponse.prototype, 'end');
    const bytesOf = async (path: string) => {
      const answer = await market.call('GET', path, { headers: { 'Accept-Encoding': 'br' } });
      expect(answer.headers.get('Content-Encoding')).toBe('br');
      await answer.arrayBuffer();
      return sent.mock.lastCall?.[0];
    };
    const first = await bytesOf('/assets/app-1a2b.js');
    for (let n = 0; n < 100; n += 1) {
      await bytesOf(`/page/${n}`);
      if (n % 30 === 0) expect(await bytesOf('/assets/app-1a2b.js')).toBe(first);
    }
    expect(await bytesOf('/assets/app-1a2b.js')).toBe(first);
    sent.mockRestore();
  });
});

describe('files', () => {
  it('with a hash in their name are kept for ever, others asked for again', async () => {
    const headers = { 'Accept-Encoding': 'br' };
    const script = await market.call('GET', '/assets/app-1a2b.js', { headers });
    expect(script.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('Content-Type')).toContain('javascript');
    expect(script.headers.get('Content-Encoding')).toBe('br');
    expect(await script.text()).toContain('console.log');
    const robots = await market.call('GET', '/robots.txt');
    expect(robots.headers.get('Cache-Control')).toBe('no-cache');
    const tag = robots.headers.get('ETag') ?? '';
    expect(await revalidate('/robots.txt', tag)).toBe(304);
  });

  it('that the build has compressed are sent so to whoever takes it', async () => {
    const ask = (path: string, accepts: string) =>
      market.call('GET', path, { headers: { 'Accept-Encoding': accepts } });
    const script = await ask('/assets/small-3c4d.js', 'gzip, deflate, br');
    expect(script.headers.get('Content-Encoding')).toBe('br');
    expect(script.headers.get('Content-Type')).toContain('javascript');
    expect(script.headers.get('Vary')).toContain('Accept-Encoding');
    expect(script.headers.get('Content-Length')).toBe(String(smallest.length));
    expect(await script.text()).toContain('by the build');
    for (const accepts of ['gzip', 'identity', 'br;q=0, gzip']) {
      const other = await ask('/assets/small-3c4d.js', accepts);
      expect(other.headers.get('Content-Encoding')).not.toBe('br');
      expect(other.headers.get('Vary')).toContain('Accept-Encoding');
      expect(await other.text()).toBe(small);
    }
    // Only a name with a hash says that both were made from the same content.
    expect(await (await ask('/robots.txt', 'br')).text()).toBe('User-agent: *\n');
  });

  it('that are gone from the build are 404, and no page in their place', async () => {
    expect((await market.call('GET', '/assets/app-old.js')).status).toBe(404);
  });

  it.each([
    '/../package.json',
    '/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/.secret',
    '/assets/%2e%2e/.secret',
    '/..\\..\\etc',
    '/%00',
    '/%E0%A4%A',
    '/',
  ])('never come from outside the folder (%s)', (path) => {
    expect(fileOf(folder, path)).toBeNull();
  });
});

describe('a page asked for by number', () => {
  it('is sent to the public address; calls are answered where they come', async () => {
    const answer = await fetch(`${market.url}/payment/verify?reference=r`, {
      headers: { Accept: 'text/html' },
      redirect: 'manual',
    });
    expect([answer.status, answer.headers.get('Location')]).toEqual([
      307,
      'http://localhost:8080/payment/verify?reference=r',
    ]);
    expect((await market.call('GET', '/v1/list')).status).toBe(200);
  });
});

describe('what operators ask', () => {
  it('is alive, and ready once nothing is missing', async () => {
    expect((await market.call('GET', '/healthz')).status).toBe(200);
    expect((await market.call('GET', '/readyz')).status).toBe(200);
    let caughtUp = false;
    market.readiness.add('catalogue caught up', () => caughtUp);
    market.readiness.add('event store', () => Promise.reject(new Error('away')));
    const waiting = await market.call('GET', '/readyz');
    expect(waiting.status).toBe(503);
    expect(await waiting.json()).toMatchObject({
      waitingFor: ['catalogue caught up', 'event store'],
    });
    caughtUp = true;
    market.readiness.add('event store', async () => true);
    expect((await market.call('GET', '/readyz')).status).toBe(200);
  });

  it('counts requests by call and watches the event loop', async () => {
    const answer = await market.call('GET', '/metrics');
    expect(answer.headers.get('Content-Type')).toContain('text/plain');
    const text = await answer.text();
    expect(text).toContain(
      'oja_http_request_duration_seconds_count{method="GET",route="/v1/list",status="200"}',
    );
    expect(text).toContain('nodejs_eventloop_lag_seconds');
  });

  it('is for this machine and its network only', async () => {
    const behind = await startHarness({ trustedProxy: ['127.0.0.1'] });
    const ask = async (harness: Harness, from: string) => {
      const headers = { 'X-Forwarded-For': from };
      return (await harness.call('GET', '/metrics', { headers })).status;
    };
    expect(await ask(behind, '8.8.8.8')).toBe(404);
    expect(await ask(behind, '10.1.2.3')).toBe(200);
    // Through a proxy nobody told us of it may be anyone.
    expect(await ask(market, '10.1.2.3')).toBe(404);
    await behind.close();
  });
});
