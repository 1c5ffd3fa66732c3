import { actorOf, calls, callsOf, type Person, refusalOf, routeTable } from '@oja/contracts';
import { readModels as models } from '@oja/contracts/models';
import { seller } from '@oja/domain';
import { MINUTE_MS } from '@oja/domain/rules';
import {
  type App,
  createAuthenticator,
  createRateLimiter,
  mountCalls,
  type RateRule,
} from '@oja/http';
import { createLimitLog, type Position, type ReadModelName } from '@oja/platform';
import { accountHandlers } from './accounts/index.js';
import { checkoutHandlers } from './checkout/index.js';
import { sellerActor } from './commands.js';
import type { CommandCall, Deps, Handlers, Settings } from './deps.js';
import { addComment, sendEmail } from './messages.js';
import { notificationHandlers } from './notifications.js';
import { productHandlers } from './products.js';
import { rightsHandlers } from './rights.js';
import { createSweeps } from './sweeps/index.js';

const REVIEW_EVERY_MS = 30_000;

/**
 * How often an address may make a call. A demo is tried by one person who is in a hurry. A whole town may
 * share the address of its mobile network, so each limit is several times what a thousand honest people
 * behind one address would do at their busiest, and still bounds what one machine can cost: orders and their
 * verification a call of the provider each; a registration a hash, a name and a stream; a letter to the support
 * a person's time, a receipt or a code a letter to somebody's mailbox; a refresh, which an open tab asks for
 * every ten minutes, two writes; a look whether a name is free, made as one types, a read.
 */
function rateRulesOf({ demo }: Settings): Partial<Record<CommandCall['name'], RateRule>> {
  if (demo) return {};
  return {
    addComment: { name: 'review', limit: 1, windowMs: REVIEW_EVERY_MS },
    initializeTransaction: { name: 'order', limit: 30, windowMs: MINUTE_MS },
    register: { name: 'register', limit: 40, windowMs: 10 * MINUTE_MS },
    refreshToken: { name: 'refresh', limit: 600, windowMs: MINUTE_MS },
    checkBusinessName: { name: 'name-check', limit: 600, windowMs: MINUTE_MS },
    sendEmail: { name: 'contact', limit: 10, windowMs: 10 * MINUTE_MS },
    sendReceipt: { name: 'receipt', limit: 60, windowMs: MINUTE_MS },
    askLetterAddress: { name: 'email-code', limit: 60, windowMs: 10 * MINUTE_MS },
    verifyTransaction: { name: 'verify', limit: 120, windowMs: MINUTE_MS },
  };
}

/**
 * Whether read models have once come as far as the log was when it was asked first: before, what is judged by them
 * would be judged by half of what is known. Where others write on they may never be as far as it is by now; each call
 * that needs that waits for it.
 */
function createCaughtUp(
  { eventStore, readModels }: Pick<Deps, 'eventStore' | 'readModels'>,
  models: readonly ReadModelName[],
): () => Promise<boolean> {
  let goal: { readonly head: Position | null } | null = null;
  let done = false;
  return async () => {
    if (done) return true;
    goal ??= { head: await eventStore.head() };
    done = goal.head === null || (await readModels.waitFor(models, goal.head, 0));
    return done;
  };
}

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
    addComment: addComment(deps),
    sendEmail: sendEmail(deps),
    ...notificationHandlers(deps),
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
