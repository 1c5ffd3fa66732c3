import { fileURLToPath } from 'node:url';
import { calls, callsOf, refusalOf, routeTable } from '@oja/contracts';
import { readModels as models } from '@oja/contracts/models';
import { sellerActor } from '@oja/domain';
import { createIdempotency, createLocalRateLimiter, mountCalls, publicHost } from '@oja/http';
import { createAccessTokens, createLimitLog, createSealer, createSessions } from '@oja/platform';
import { createQueryService, rateRulesOf } from '@oja/query-service';
import type { Ground, Part } from './part.js';
import { VERSION } from './version.js';

const built = (folder: string) => fileURLToPath(new URL(`../../../web/${folder}`, import.meta.url));

/** The models that a call says it reads, by their names. */
const modelsOf = (names: readonly string[]) =>
  Object.values(models).filter(({ name }) => names.includes(name));

/** Calls that only look, live hints, and the pages. */
export function queryPart(ground: Ground): Part {
  const { config, engines, readModels, logId, clock, logger } = ground;
  const { publicUrl, demo, tokenSecret, push, support } = config;
  const service = createQueryService({
    ...engines,
    readModels,
    sessions: createSessions(engines.state, tokenSecret),
    accessTokens: createAccessTokens(tokenSecret),
    sealer: createSealer(engines.keys),
    settings: { pushPublicKey: push?.publicKey ?? null, support, demo },
    version: VERSION,
    clock,
    logger,
    publicUrl,
    webDist: built('dist'),
    webServer: built('dist-server'),
    previousWebDist: built('dist-previous'),
  });
  return {
    name: 'query-service',
    mount(app) {
      app.use(publicHost(publicUrl));
      mountCalls(app, routeTable(callsOf(calls, 'query-service')), service.handlers, {
        publicUrl,
        clock,
        idempotency: createIdempotency(engines.state, tokenSecret, clock),
        positions: {
          logId,
          head: () => engines.eventStore.head(),
          waitFor: (names, position, timeoutMs) =>
            readModels.waitFor(modelsOf(names), position, timeoutMs),
        },
        actorOf: service.actorOf,
        refusalOf: (call, person) => refusalOf(call, person),
        nameOf: ({ sellerId }) => sellerActor(sellerId),
        rateLimiter: createLocalRateLimiter(),
        rateRules: rateRulesOf({ demo }),
        limited: createLimitLog(logger),
      });
    },
    pages: service.pages,
    readyWhen(readiness) {
      for (const { name, isMet } of service.ready()) readiness.add(name, isMet);
    },
    async start(server) {
      service.attachSockets(server);
    },
    close: () => service.close(),
  };
}
