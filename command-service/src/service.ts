import { actorOf, calls, callsOf, type Person, refusalOf, routeTable } from '@oja/contracts';
import { readModels as models } from '@oja/contracts/models';
import { seller } from '@oja/domain';
import { type App, createAuthenticator, createRateLimiter, mountCalls } from '@oja/http';
import { createLimitLog } from '@oja/platform';
import { accountHandlers } from './accounts/index.js';
import { createCaughtUp } from './caughtUp.js';
import { checkoutHandlers } from './checkout/index.js';
import { sellerActor } from './commands.js';
import type { CommandCall, Deps, Handlers } from './deps.js';
import { noticeHandlers } from './notices/index.js';
import { productHandlers } from './products/index.js';
import { rateRulesOf } from './rateRules.js';
import { rightsHandlers } from './rights/index.js';
import { createSweeps } from './sweeps/index.js';
import { talkingHandlers } from './talking/index.js';

export interface CommandService {
  /** A handler for every call of the table that this service owns; a missing one does not compile. */
  readonly handlers: Handlers;
  /** Serves the calls, with the guards of the table. */
  mount(app: App): void;
  /** Whether the read models that commands are judged by have caught up with the log. */
  ready(): Promise<boolean>;
  /** Begins what is done every minute. */
  start(): void;
  /** Ends it; resolves once nothing of it is under way. */
  close(): Promise<void>;
}

const table = routeTable(callsOf(calls, 'command-service'));

/** Requests to commands to events. It opens and closes none of the engines it is given. */
export function createCommandService(deps: Deps): CommandService {
  const { eventStore, settings, clock, state } = deps;
  const handlers: Handlers = {
    ...accountHandlers(deps),
    ...rightsHandlers(deps),
    ...productHandlers(deps),
    ...talkingHandlers(deps),
    ...noticeHandlers(deps),
    ...checkoutHandlers(deps),
  };
  const authenticator = createAuthenticator<Person>({
    ...deps,
    async personOf({ subject, session }) {
      const actor = actorOf((await deps.load(seller, subject)).state);
      return actor && { ...actor, session };
    },
  });
  const sweeps = createSweeps(deps);
  return {
    handlers,
    mount(app) {
      mountCalls<CommandCall, Person>(app, table, handlers, {
        publicUrl: settings.publicUrl,
        clock,
        idempotency: deps.idempotency,
        positions: {
          logId: deps.logId,
          head: () => eventStore.head(),
          // No call of this service says that it reads a model: those that do wait by themselves.
          waitFor: async () => true,
        },
        actorOf: (ctx) => authenticator.byHeader(ctx.get('Authorization')),
        refusalOf: (call, person) => refusalOf(call, person),
        nameOf: ({ sellerId }) => sellerActor(sellerId),
        rateLimiter: createRateLimiter(state),
        rateRules: rateRulesOf(settings),
        limited: createLimitLog(deps.logger),
      });
    },
    ready: createCaughtUp(deps, [models.catalogue, models.notifications, models.obligations]),
    start: () => sweeps.start(),
    close: () => sweeps.close(),
  };
}
