import type { Server } from 'node:http';
import type { Person } from '@oja/contracts';
import type { Context, Identity, Middleware } from '@oja/http';
import { createAuthenticator } from './authenticate.js';
import { createHandlers, type QueryHandlers } from './calls/index.js';
import type { QueryServiceDeps } from './deps.js';
import { createReader } from './models/reader.js';
import { createPages } from './pages/middleware.js';
import { createOwnAnswers } from './pages/own-answers.js';
import { createRenderBody } from './pages/renderer.js';
import { createSitemap } from './pages/sitemap.js';
import { type Condition, readyConditions } from './ready.js';
import { createHints } from './sockets/hints.js';

export interface QueryService {
  /** One for each call of the table that this service owns. */
  readonly handlers: QueryHandlers;
  /** For the prefix '/': mount it behind all calls. */
  readonly pages: Middleware;
  /** Who sends a request. */
  actorOf(ctx: Context): Promise<Identity<Person>>;
  /** Serves live hints at `/socket.io/` of this server. */
  attachSockets(server: Server): void;
  /** What this service waits for. */
  ready(): readonly Condition[];
  /** Hangs up on all sockets; call it before the listener closes. Engines stay open. */
  close(): Promise<void>;
}

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
