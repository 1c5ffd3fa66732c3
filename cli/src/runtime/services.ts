import { fileURLToPath } from 'node:url';
import { createCommandService } from '@oja/command-service';
import { calls, callsOf, refusalOf, routeTable } from '@oja/contracts';
import { readModels as models } from '@oja/contracts/models';
import { createSandbox, type Sandbox, webhookSender } from '@oja/demo/paystack-sandbox';
import { HOUR_MS, sellerActor } from '@oja/domain';
import {
  createIdempotency,
  createLocalRateLimiter,
  mountCalls,
  redirectToPublicHost,
} from '@oja/http';
import {
  createAccessTokens,
  createLimitLog,
  createSealer,
  createSessions,
  ownOrigin,
} from '@oja/platform';
import {
  createLetters,
  createProjector,
  createPushes,
  type Pushes,
  projections,
  push,
  reactions,
} from '@oja/projector';
import { createWebPush } from '@oja/projector/web-push';
import { createQueryService, rateRulesOf } from '@oja/query-service';
import { commandDeps } from './command-deps.js';
import type { AppContext } from './context.js';
import { createPictureHost } from './pictures.js';
import type { ServiceModule } from './process.js';
import { type ServiceName, VERSION } from './program.js';
import { addStoreConditions, checkLog, LOG_CONDITION } from './readiness.js';

/** The contact that push services require: a mailto URL. */
function pushContact({ publicUrl, support }: AppContext['config']): string {
  return `mailto:${support.email || `postmaster@${new URL(publicUrl).hostname}`}`;
}

/** Null when no VAPID keys are set. */
function openPushes({ config, engines, clock, logger }: AppContext): Pushes | null {
  if (config.push === null) return null;
  const send = createWebPush({ keys: config.push, contact: pushContact(config) });
  const { documents, jobs } = engines;
  return createPushes({ documents, jobs, sealer: createSealer(engines.keys), clock, logger, send });
}

/** The service that follows the log: read models, jobs, letters, pushes. It has no calls. */
function projectorModule(context: AppContext): ServiceModule {
  const { config, engines, logger, metrics, clock } = context;
  const { eventStore, documents, state, jobs, mail } = engines;
  const pushes = openPushes(context);
  const projector = createProjector({
    eventStore,
    documents,
    state,
    jobs,
    projections,
    reactions: pushes === null ? reactions : [...reactions, push],
    logger,
    clock,
    metrics,
  });
  const letters = createLetters({
    documents,
    sealer: createSealer(engines.keys),
    keys: engines.keys,
    state,
    mail,
    jobs,
    clock,
    logger,
    publicUrl: config.publicUrl,
    supportEmail: config.support.email || null,
  });
  let caughtUp = false;
  let closed = false;
  return {
    name: 'projector',
    mount: () => {},
    readyWhen(readiness) {
      readiness.add('read models', () => caughtUp);
      readiness.add(LOG_CONDITION, () => checkLog(eventStore));
      addStoreConditions(readiness, context);
    },
    async start() {
      const head = await eventStore.head();
      await projector.start();
      if (closed) return;
      const open = () => {
        // Not earlier: what is owed is known only now. Later it counts no more: a busy market that falls behind can still serve.
        caughtUp = true;
        letters.start();
        pushes?.start();
      };
      if (head === null) open();
      else void projector.caughtUp(head).then((passed) => passed && open());
    },
    async close() {
      closed = true;
      await Promise.all([letters.stop(), pushes?.stop()]);
      await projector.stop();
    },
  };
}

/** How often unused pictures are removed, in milliseconds. */
const PICTURE_SWEEP_MS = HOUR_MS;

/** The built-in payment sandbox of a demo; null when the settings name a payment provider. */
function openSandbox({ config, engines, clock, logger }: AppContext): Sandbox | null {
  if (!config.demo || config.paystack.url !== null) return null;
  return createSandbox({
    state: engines.state,
    secret: config.paystack.secret,
    publicUrl: config.publicUrl,
    clock,
    send: webhookSender(`${ownOrigin(config)}/v1/paystack/webhook`),
    report: (error) => logger.warn({ err: error }, 'a task of the payment sandbox failed'),
  });
}

/** The service for calls that change something, with the built-in payment sandbox and image host. */
function commandModule(context: AppContext): ServiceModule {
  const service = createCommandService(commandDeps(context));
  const sandbox = openSandbox(context);
  const pictures = createPictureHost(context);
  const sweeping = setInterval(() => void pictures.sweep(), PICTURE_SWEEP_MS);
  sweeping.unref();
  return {
    name: 'command-service',
    mount(app) {
      if (context.config.cloudinary === null) app.use(pictures.upload);
      // A market that has moved to Cloudinary still has the pictures from before.
      app.use(pictures.view);
      if (sandbox) app.use(sandbox.middleware);
      service.mount(app);
    },
    readyWhen(readiness) {
      readiness.add('commands', () => service.ready());
      readiness.add(LOG_CONDITION, () => checkLog(context.engines.eventStore));
      addStoreConditions(readiness, context);
    },
    async start() {
      sandbox?.start();
      service.start();
    },
    async close() {
      clearInterval(sweeping);
      await sandbox?.stop();
      await service.close();
    },
  };
}

const builtFolder = (folder: string) =>
  fileURLToPath(new URL(`../../../web/${folder}`, import.meta.url));

/** The read models of these names. */
const modelsNamed = (names: readonly string[]) =>
  Object.values(models).filter(({ name }) => names.includes(name));

/** The service for calls that only read, live hints, and the pages. */
function queryModule(context: AppContext): ServiceModule {
  const { config, engines, readModels, logId, clock, logger } = context;
  const { publicUrl, trustedProxy, demo, tokenSecret, tokenSecretFallback } = config;
  const { push, support, dropOffAddress } = config;
  const service = createQueryService({
    ...engines,
    readModels,
    sessions: createSessions(engines.state, tokenSecret, tokenSecretFallback),
    accessTokens: createAccessTokens(tokenSecret, tokenSecretFallback),
    sealer: createSealer(engines.keys),
    settings: { pushPublicKey: push?.publicKey ?? null, support, dropOffAddress, demo },
    version: VERSION,
    clock,
    logger,
    publicUrl,
    trustedProxy,
    webDist: builtFolder('dist'),
    webServer: builtFolder('dist-server'),
    previousWebDist: builtFolder('dist-previous'),
  });
  return {
    name: 'query-service',
    mount(app) {
      app.use(redirectToPublicHost(publicUrl));
      mountCalls(app, routeTable(callsOf(calls, 'query-service')), service.handlers, {
        publicUrl,
        clock,
        idempotency: createIdempotency(engines.state, tokenSecret, clock, tokenSecretFallback),
        positions: {
          logId,
          head: () => engines.eventStore.head(),
          waitFor: (names, position, timeoutMs) =>
            readModels.waitFor(modelsNamed(names), position, timeoutMs),
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
      addStoreConditions(readiness, context);
    },
    async start(server) {
      service.attachSockets(server);
    },
    close: () => service.close(),
  };
}

const moduleFactories: Readonly<Record<ServiceName, (context: AppContext) => ServiceModule>> = {
  projector: projectorModule,
  'command-service': commandModule,
  'query-service': queryModule,
};

/** In mount and start order; query-service is last, because its pages take every path that is left. */
const startOrder: readonly ServiceName[] = ['projector', 'command-service', 'query-service'];

export const createServiceModules = (
  context: AppContext,
  names: readonly ServiceName[],
): readonly ServiceModule[] =>
  startOrder.filter((name) => names.includes(name)).map((name) => moduleFactories[name](context));
