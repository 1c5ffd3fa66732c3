import type { Server } from 'node:http';
import { type Call, calls, type Person } from '@oja/contracts';
import { readModels as models } from '@oja/contracts/models';
import { MINUTE_MS } from '@oja/domain/rules';
import type { Context, Identity, Middleware, RateRule } from '@oja/http';
import { createCaughtUp } from '@oja/platform';
import { createAuthenticator } from './authenticate.js';
import { createHandlers } from './calls/index.js';
import type { QueryCall, QueryHandlers, QueryServiceDeps } from './deps.js';
import { createPages } from './pages/middleware.js';
import { createOwnAnswers, createRenderBody } from './pages/renderer.js';
import { createSitemap } from './pages/sitemap.js';
import { readTemplate } from './pages/template.js';
import { createReader } from './read-models.js';
import { createHints } from './sockets/hints.js';

/** Something that must be true before this service can serve. `name` is for operators. */
interface Condition {
  readonly name: string;
  readonly isMet: () => Promise<boolean>;
}

type ReadyDeps = Pick<QueryServiceDeps, 'readModels' | 'eventStore' | 'webDist'>;

const all: readonly Call[] = Object.values(calls);
const ownCalls = all.filter(({ owner }) => owner === 'query-service');
const readModelNames = new Set(ownCalls.flatMap(({ reads }) => reads));

/**
 * Ready when all read models that our calls read, in the version this service was compiled for,
 * have reached the position where the log ended at the first check, and the pages are built. A
 * model that has caught up once counts as ready from then on.
 */
function readyConditions({ readModels, eventStore, webDist }: ReadyDeps) {
  const hasCaughtUp = createCaughtUp({ readModels, eventStore }, 'when-begun');

  return (): readonly Condition[] => [
    ...Object.values(models)
      .filter(({ name }) => readModelNames.has(name))
      .map((model) => ({
        name: `read model ${model.name}`,
        // A model that stands still breaks the calls that need it, not the whole market.
        isMet: async () => (await hasCaughtUp(model)) || readModels.isHeld(model),
      })),
    { name: 'web pages', isMet: async () => (await readTemplate(webDist)) !== null },
  ];
}

export interface QueryService {
  /** One for each call that this service owns. */
  readonly handlers: QueryHandlers;
  /** Serves the prefix '/': mount it after all calls. */
  readonly pages: Middleware;
  /** Identifies the sender of a request. */
  actorOf(ctx: Context): Promise<Identity<Person>>;
  /** Serves live hints at `/socket.io/` of this server. */
  attachSockets(server: Server): void;
  /** What this service waits for before it is ready. */
  ready(): readonly Condition[];
  /** Disconnects the sockets that are left, and ends its work. Engines stay open. */
  close(): Promise<void>;
}

/**
 * How often an address may make the calls that read the whole catalogue or send the texts of many goods, and a seller
 * those that read all of their own goods or orders. A mobile network shows
 * thousands of phones under one address: 150 people who type and scroll at the same moment stay
 * below the limit of searches, and one machine that sends the most expensive searches without pause
 * takes less than one core. A demo is used by one person, and by benchmarks.
 */
export function rateRulesOf({
  demo,
}: {
  readonly demo: boolean;
}): Partial<Record<QueryCall['name'], RateRule>> {
  if (demo) return {};
  return {
    searchProducts: { name: 'search', limit: 900, windowMs: MINUTE_MS },
    suggestProducts: { name: 'suggest', limit: 900, windowMs: MINUTE_MS },
    // Fifty goods in an order that nobody has asked for them before, or a store under another spelling of its name, are
    // compressed anew, which costs more than a search.
    productsByIds: { name: 'by-ids', limit: 900, windowMs: MINUTE_MS },
    getStore: { name: 'stores', limit: 900, windowMs: MINUTE_MS },
    allProducts: { name: 'all-products', limit: 300, windowMs: MINUTE_MS },
    userProducts: { name: 'own-products', limit: 300, windowMs: MINUTE_MS, per: 'person' },
    userOrders: { name: 'own-orders', limit: 300, windowMs: MINUTE_MS, per: 'person' },
  };
}

/** Serves read models, pages and live hints. It neither opens nor closes the engines it is given. */
export function createQueryService(deps: QueryServiceDeps): QueryService {
  const { eventStore } = deps;
  const reader = createReader(deps.documents, deps.readModels);
  const authenticator = createAuthenticator(deps);
  const hints = createHints({ ...deps, reader, authenticator });
  const handlers = createHandlers({ ...deps, reader, logId: () => eventStore.logId() });
  const renderBody = createRenderBody({
    ...deps,
    reader,
    webServer: deps.webServer,
    answer: createOwnAnswers(handlers),
  });
  const sitemap = createSitemap({ ...deps, reader });
  return {
    handlers,
    pages: createPages({ ...deps, reader, renderBody, sitemap }),
    actorOf: (ctx) => authenticator.byHeader(ctx.get('Authorization')),
    attachSockets: hints.attach,
    ready: readyConditions(deps),
    async close() {
      sitemap.close();
      await hints.close();
    },
  };
}
