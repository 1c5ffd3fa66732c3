import { type CallName, calls, refusalOf, routeTable, upgradePaths } from '@oja/contracts';
import { type ModelName, readModels as models } from '@oja/contracts/models';
import {
  createApp,
  createIdempotency,
  createListener,
  createLocalRateLimiter,
  createReadiness,
  type Listener,
  mountCalls,
} from '@oja/http';
import { createMetrics } from '@oja/platform';
import { type Person, type QueryCall, type QueryService, rateRulesOf } from '@oja/query-service';
import { type Market, PUBLIC_URL, quiet, TRUSTED_PROXY } from './market.js';

export interface Served {
  readonly service: QueryService;
  readonly listener: Listener;
  readonly origin: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  close(): Promise<void>;
}

const isOurs = (call: { readonly owner: string }): call is QueryCall =>
  call.owner === 'query-service';

/** Starts query-service on a free port, with the engines of a market. */
export async function serve(market: Market): Promise<Served> {
  const service = market.service();
  const readiness = createReadiness();
  for (const { name, isMet } of service.ready()) readiness.add(name, isMet);
  const app = createApp({
    logger: quiet,
    metrics: createMetrics(),
    readiness,
    publicUrl: PUBLIC_URL,
    trustedProxy: TRUSTED_PROXY,
  });
  const table = routeTable(Object.values(calls).filter(isOurs));
  mountCalls<QueryCall, Person>(app, table, service.handlers, {
    publicUrl: PUBLIC_URL,
    clock: market.clock,
    idempotency: createIdempotency(market.state, 'secret', market.clock),
    positions: {
      logId: await market.eventStore.logId(),
      head: () => market.eventStore.head(),
      waitFor: (names, position, timeoutMs) =>
        market.readModels.waitFor(names.map(modelOf), position, timeoutMs),
    },
    actorOf: service.actorOf,
    refusalOf,
    nameOf: ({ sellerId }) => `seller:${sellerId}`,
    rateLimiter: createLocalRateLimiter(),
    rateRules: rateRulesOf(market),
  });
  app.use(service.pages);
  const listener = createListener(app, { port: 0, hosts: ['127.0.0.1'], upgradePaths });
  service.attachSockets(listener.server);
  const listening = await listener.listen();
  if (!listening.ok) throw new Error(listening.message);
  const origin = `http://127.0.0.1:${listening.port}`;
  return {
    service,
    listener,
    origin,
    get: (path, headers = {}) => fetch(`${origin}${path}`, { headers, redirect: 'manual' }),
    async close() {
      await service.close();
      await listener.close(0);
    },
  };
}

const modelOf = (name: string) => models[name as ModelName];

/** Sends a GET request, and parses the answer with the schema that `calls` declares for its status. */
export async function read<N extends CallName>(
  served: Served,
  name: N,
  path: string,
  token?: string,
) {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const response = await served.get(path, headers);
  const answers: Readonly<Record<number, { parse(value: unknown): unknown }>> = calls[name].answers;
  const body: unknown = await response.json();
  const schema = answers[response.status];
  return { status: response.status, body: schema === undefined ? body : schema.parse(body) };
}
