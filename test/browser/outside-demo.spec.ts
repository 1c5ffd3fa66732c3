import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import { freePort, type Running, runOja, temporaryFolder } from '../support/market.js';
import { missingNginx, type Nginx, openNginx, runNginx } from '../support/nginx.js';
import {
  makeCertificate,
  openCloudinary,
  openProvider,
  type Provider,
  type StandIn,
} from './support/stand-ins.js';
import { playStory } from './support/story.js';

/** The host name of deploy/tls.example.conf, and the real host names of the providers. */
const MARKET = 'market.example';
const CHECKOUT = 'checkout.paystack.com';
const CLOUDINARY = ['api.cloudinary.com', 'res.cloudinary.com'];
const PRESET = 'oja-unsigned';
const CLOUD = 'oja';
const URL_OF_MARKET = `https://${MARKET}`;

const missing = await missingNginx();
test.skip(missing !== null, `not run: the market outside a demo behind a real edge (${missing})`);

const folder = temporaryFolder();
const services: Running[] = [];
const proxies: Nginx[] = [];
let provider: Provider;
let cloudinary: StandIn;
let browser: Browser;

/** Temporary directories that nginx can write without being root. */
const temporary = (own: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((what) => `${what}_temp_path ${own}/${what};`)
    .join(' ');

/** TLS before the edge as in the example; only ports and file paths differ. */
function tlsConfig(edgePort: number, keyFile: string, certificateFile: string) {
  return ({ port, folder: own }: { port: number; folder: string }): string => {
    const changes: readonly (readonly [string, string])[] = [
      ['/run/nginx.pid', join(own, 'nginx.pid')],
      ['access_log off;', `access_log off; ${temporary(own)}`],
      ['listen 443 ', `listen 127.0.0.1:${port} `],
      ['/etc/letsencrypt/live/market.example/fullchain.pem', certificateFile],
      ['/etc/letsencrypt/live/market.example/privkey.pem', keyFile],
      ['http://127.0.0.1:8080', `http://127.0.0.1:${edgePort}`],
    ];
    const example = readFileSync(
      join(import.meta.dirname, '../../deploy/tls.example.conf'),
      'utf8',
    );
    return changes.reduce((text, [from, to]) => {
      expect(text, 'the example has it').toContain(from);
      return text.replace(from, to);
    }, example);
  };
}

async function startServices(env: Readonly<Record<string, string>>) {
  const start = async (service: string): Promise<number> => {
    const port = await freePort();
    const running = runOja(['start', service], { ...env, PORT: `${port}` });
    services.push(running);
    await running.line(/"msg":"open"/);
    return port;
  };
  const [, command, query] = await Promise.all(
    ['projector', 'command-service', 'query-service'].map(start),
  );
  return { 'command-service': command ?? 0, 'query-service': query ?? 0 };
}

test.beforeAll(async () => {
  const certificate = makeCertificate(folder.path, [MARKET, CHECKOUT, ...CLOUDINARY]);
  const secret = `sk_test_${randomBytes(16).toString('hex')}`;
  let edge: Nginx | null = null;
  provider = await openProvider(certificate, {
    secret,
    checkoutUrl: `https://${CHECKOUT}`,
    host: MARKET,
    edgePort: () => edge?.port ?? 0,
  });
  cloudinary = await openCloudinary(certificate, { cloud: CLOUD, preset: PRESET });
  const ports = await startServices({
    HOST: '127.0.0.1',
    DATA_DIR: join(folder.path, 'data'),
    PUBLIC_URL: URL_OF_MARKET,
    TRUSTED_PROXY: '127.0.0.1',
    TOKEN_SECRET: randomBytes(32).toString('hex'),
    KEYS_MASTER_KEY: randomBytes(32).toString('hex'),
    PAYSTACK_URL: provider.apiUrl,
    PAYSTACK_SECRET: secret,
    CLOUDINARY_URL: `https://api.cloudinary.com/v1_1/${CLOUD}/image/upload`,
    CLOUDINARY_PRESET: PRESET,
  });
  edge = await openNginx({
    'command-service': [ports['command-service']],
    'query-service': [ports['query-service']],
  });
  const { keyFile, certificateFile, fingerprint } = certificate;
  const tls = await runNginx(tlsConfig(edge.port, keyFile, certificateFile));
  proxies.push(tls, edge);

  const { launchOptions = {} } = test.info().project.use;
  const places = [
    `MAP ${MARKET}:443 127.0.0.1:${tls.port}`,
    `MAP ${CHECKOUT}:443 127.0.0.1:${provider.port}`,
    ...CLOUDINARY.map((host) => `MAP ${host}:443 127.0.0.1:${cloudinary.port}`),
  ];
  browser = await chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      `--host-resolver-rules=${places.join(',')}`,
      `--ignore-certificate-errors-spki-list=${fingerprint}`,
    ],
  });
});

test.afterAll(async () => {
  await browser?.close();
  for (const proxy of proxies) await proxy.close();
  for (const service of services) expect(await service.stop()).toBe(0);
  await cloudinary?.close();
  await provider?.close();
  folder.remove();
});

/** Collects console errors and page errors, such as CSP violations and missing files. */
function listenTo(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    complaints.push(`${message.text()} ${new URL(message.location().url, URL_OF_MARKET).pathname}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
}

test('one order through separate services behind TLS and the edge, with providers elsewhere', async () => {
  const complaints: string[] = [];
  const policies = new Map<string, string | undefined>();
  const shopper = { viewport: { width: 360, height: 800 } };
  await playStory(browser, {
    ...{ url: URL_OF_MARKET, hasOtherGoods: false, seller: {}, shopper },
    watch(page) {
      listenTo(page, complaints);
      page.on('response', (answer) => {
        if (!answer.request().isNavigationRequest()) return;
        const { host, pathname } = new URL(answer.url());
        policies.set(`${host}${pathname}`, answer.headers()['referrer-policy']);
      });
    },
  });
  // The only error: a seller whose cookies were cleared tries to refresh the session once.
  expect(complaints).toEqual([expect.stringMatching(/status of 401 .*\/v1\/refresh-token$/)]);

  const uploads = cloudinary.asked.filter(({ method }) => method === 'POST');
  expect(uploads.map(({ host, path, origin }) => [host, path, origin])).toEqual(
    Array(2).fill(['api.cloudinary.com', `/v1_1/${CLOUD}/image/upload`, URL_OF_MARKET]),
  );
  const shown = cloudinary.asked.filter(({ host }) => host === 'res.cloudinary.com');
  expect(shown.map(({ path }) => path)).toContainEqual(expect.stringContaining('c_limit'));
  expect(provider.asked.map(({ method, path }) => `${method} ${path}`)).toContainEqual(
    expect.stringMatching(/^POST \/sandbox\/checkout\/\w+\/pay$/),
  );
  // Neither provider learns the page a person came from or any cookie of the market.
  for (const { host, path, referer, cookie } of [...cloudinary.asked, ...provider.asked]) {
    expect([undefined, `${URL_OF_MARKET}/`, `https://${CHECKOUT}/`], path).toContain(referer);
    expect(cookie, `${host}${path}`).toBeUndefined();
  }
  expect(policies.get(`${CHECKOUT}${provider.asked[0]?.path}`)).toBe('no-referrer');
  expect([...policies].filter(([page]) => page.startsWith(`${MARKET}/payment`))).toEqual([
    [expect.stringContaining('/payment/verify'), 'no-referrer'],
  ]);

  const cookies = (
    await Promise.all(browser.contexts().map((context) => context.cookies(URL_OF_MARKET)))
  ).flat();
  const kept = cookies.map(({ name, httpOnly, secure, sameSite }) => [
    ...[name, httpOnly, secure, sameSite],
  ]);
  expect(kept).toEqual(
    expect.arrayContaining([
      ['__Host-oja-refresh', true, true, 'Strict'],
      ['__Host-checkout', true, true, expect.stringMatching(/Lax|Strict/)],
    ]),
  );
});
