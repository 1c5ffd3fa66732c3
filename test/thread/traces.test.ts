import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Client } from '../support/client.js';
import { openCollector, type SpanSeen } from '../support/collector.js';
import { openEdge } from '../support/edge.js';
import { joinSharedLog, reachEngines } from '../support/engines.js';
import { freePort, openMarket, type Running, runOja, temporaryFolder } from '../support/market.js';
import * as walk from './walk.js';

type Collector = Awaited<ReturnType<typeof openCollector>>;
type Env = Readonly<Record<string, string>>;

interface Opened {
  readonly origin: string;
  /** Resolves with the exit codes. */
  stop(): Promise<readonly (number | null)[]>;
}

async function openWhole(dataDir: string, env: Env): Promise<Opened> {
  const market = await openMarket(dataDir, undefined, env);
  return { origin: market.url, stop: async () => [await market.stop()] };
}

async function openSeparate(dataDir: string, env: Env): Promise<Opened> {
  const edgePort = await freePort();
  const origin = `http://localhost:${edgePort}`;
  if (env.EVENTSTORE_URL !== undefined)
    await joinSharedLog(dataDir, { ...env, PUBLIC_URL: origin });
  const services: Running[] = [];
  const start = async (service: string): Promise<number> => {
    const port = await freePort();
    const own = { PORT: `${port}`, DATA_DIR: dataDir, PUBLIC_URL: origin, OJA_DEMO: '1' };
    const running = runOja(['start', service], { ...own, ...env });
    services.push(running);
    await running.line(/"msg":"open"/);
    return port;
  };
  const projector = start('projector');
  const ports = {
    'command-service': [await start('command-service')],
    'query-service': [await start('query-service')],
  };
  await projector;
  const edge = await openEdge(edgePort, ports);
  return {
    origin,
    async stop() {
      await edge.close();
      return Promise.all(services.map((service) => service.stop()));
    },
  };
}

const reached = await reachEngines();
const together = ['market', 'market', 'market'] as const;
const apart = ['command-service', 'query-service', 'projector'] as const;
const onServers = (dataDir: string, env: Env) => openSeparate(dataDir, { ...env, ...reached.env });

describe.each([
  ['one process', openWhole, together],
  ['separate services', openSeparate, apart],
  ...(reached.names.length === 0
    ? []
    : [[`separate services on ${reached.names.join(', ')}`, onServers, apart] as const]),
] as const)('The traces of %s', (_, open, [commands, queries, projector]) => {
  const folder = temporaryFolder();
  let collector: Collector;
  let market: Opened | null = null;
  let seller: walk.Seller;
  let transactionId: string;
  let orderKey: string;
  let payAt: string;

  const spansOf = ({ traceId }: SpanSeen) =>
    collector.spans.filter((span) => span.traceId === traceId);
  const named = (name: string, attributes: Readonly<Record<string, unknown>> = {}) =>
    collector.spans.filter(
      (span) =>
        span.name === name &&
        Object.entries(attributes).every(([key, value]) => span.attributes[key] === value),
    );

  beforeAll(async () => {
    collector = await openCollector();
    market = await open(join(folder.path, 'data'), collector.env);
    const { origin } = market;
    seller = await walk.registerSeller(origin, 'Traced Leather');
    await walk.listBag(seller, 'Brown tracedbag', 11_500, ['brown', 'tan']);
    const shopper = new Client(origin);
    const goods = await walk.findListed(shopper, 'tracedbag', 1);
    ({ payAt, transactionId: orderKey } = await walk.placeOrder(shopper, goods));
    transactionId = orderKey.split('.')[0] ?? '';
    await walk.pay(payAt);
    // The browser does not return, so only the provider's notice verifies the payment. A first
    // letter job may run before the order is projected, and send nothing.
    await vi.waitFor(() => {
      for (const name of ['job letters', 'mail send']) expect(named(name)).not.toHaveLength(0);
    }, 60_000);
    const codes = await market.stop();
    market = null;
    expect(new Set(codes)).toEqual(new Set([0]));
  });

  afterAll(async () => {
    await market?.stop();
    await collector?.close();
    folder.remove();
  });

  it('lead from the request over the command and its append to the read models', () => {
    const request = 'POST /v1/transaction/initialize';
    const [placed] = named('append', { 'oja.events': 'OrderPlaced' });
    const [projected] = named('project catalogue', { 'oja.events': 'OrderPlaced' });
    if (placed === undefined || projected === undefined) throw new Error('nothing was placed');
    expect(collector.pathTo(projected)).toEqual([
      request,
      'command PlaceOrder',
      'append',
      'project catalogue',
    ]);
    expect(projected.parentSpanId).toBe(placed.spanId);
    expect([placed.service, projected.service]).toEqual([commands, projector]);
    const [first] = spansOf(placed).filter(({ name }) => name === request);
    expect(first).toMatchObject({
      kind: 2,
      attributes: { 'oja.order': transactionId, 'http.response.status_code': 200 },
    });
    expect(spansOf(placed).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['keys obtain', 'payments initialize', 'project transactions']),
    );
  });

  it("lead from the provider's notice to the payment, the read models and the letter", () => {
    const request = 'POST /v1/paystack/webhook';
    const paid = [request, 'notice charge.success', 'command VerifyPayment', 'append'];
    const [notice] = named('notice charge.success', { 'oja.order': transactionId });
    expect(notice).toMatchObject({ service: commands });
    const [projected] = named('project transactions', { 'oja.events': 'PaymentVerified' });
    const [asked] = named('job webhooks');
    const letters = named('job letters');
    if (!projected || !asked) throw new Error('nothing was paid');
    expect(collector.pathTo(projected)).toEqual([...paid, 'project transactions']);
    expect(collector.pathTo(asked)).toEqual([request, 'enqueue webhooks', 'job webhooks']);
    // The job is retried if the order was not projected yet; the sweep may send the letter first,
    // in a trace of its own.
    for (const letter of letters) {
      expect(collector.pathTo(letter)).toEqual([...paid, 'job letters']);
      expect(letter.service).toBe(projector);
    }
    const rounds = collector.spans.filter(({ name }) => name.startsWith('sweep letter '));
    const asking = [...letters, ...rounds].map(({ spanId }) => spanId);
    for (const sent of named('mail send')) expect(asking).toContain(sent.parentSpanId);
  });

  it('are named by oja trace, where an event tells which', async () => {
    const env = { DATA_DIR: join(folder.path, 'data'), OJA_DEMO: '1' };
    const engines = open === onServers ? reached.env : {};
    const trace = runOja(['trace', transactionId, '--json'], { ...env, ...engines });
    expect(await trace.exited).toBe(0);
    const { story } = JSON.parse(trace.lines.join('\n')) as {
      readonly story: readonly { readonly what: string; readonly traceId: string | null }[];
    };
    const [placed] = named('append', { 'oja.events': 'OrderPlaced' });
    expect(story.find(({ what }) => what === 'OrderPlaced')?.traceId).toBe(placed?.traceId);
    expect(story.find(({ what }) => what === 'receipt')?.traceId).toBeNull();
  });

  it('tell of a look that it is one', () => {
    const [search] = named('GET /v1/products/search');
    expect(search).toMatchObject({ service: queries });
    expect(search && collector.pathTo(search)).toEqual(['GET /v1/products/search']);
  });

  it('begin with no probe, heartbeat or batch of a sample', () => {
    const beginnings = new Set(
      collector.spans
        .filter(({ parentSpanId }) => parentSpanId === undefined)
        .map(({ name }) => name.split(' ', 1)[0]),
    );
    const known = /^(GET|POST|job|command|sweep)$/;
    expect([...beginnings].filter((word) => !known.test(word ?? ''))).toEqual([]);
  });

  it('hold nothing that people told of themselves, and no secret', () => {
    const { token } = seller.client;
    const kept: Record<string, string> = JSON.parse(
      readFileSync(join(folder.path, 'data', 'secrets.json'), 'utf8'),
    );
    const secrets = {
      buyer: 'Chidi',
      email: 'chidi@example.com',
      phone: '07000000003',
      address: 'Market Road',
      seller: 'Ada Obi',
      store: 'Traced Leather',
      password: 'a long enough secret',
      'what opens the order': orderKey.split('.')[1],
      'access code of the payment': payAt.split('/').at(-1),
      token,
      ...kept,
    };
    expect(collector.text()).toContain(transactionId);
    for (const [what, secret] of Object.entries(secrets)) {
      expect(secret, what).toMatch(/./);
      expect(collector.text(), what).not.toContain(secret);
    }
  });
});
