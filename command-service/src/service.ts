import { actorOf, calls, callsOf, type Person, refusalOf, routeTable } from '@oja/contracts';
import { readModels as models } from '@oja/contracts/models';
import { seller, sellerActor } from '@oja/domain';
import { DAY_MS, MINUTE_MS } from '@oja/domain/rules';
import {
  type App,
  createAuthenticator,
  createRateLimiter,
  mountCalls,
  type RateRule,
} from '@oja/http';
import { createCaughtUp, createLimitLog } from '@oja/platform';
import { accountHandlers } from './accounts/index.js';
import { checkoutHandlers } from './checkout/index.js';
import type { CommandCall, Deps, Handlers, Settings } from './deps.js';
import { addComment, sendEmail } from './messages.js';
import { notificationHandlers } from './notifications.js';
import { productHandlers } from './products.js';
import { rightsHandlers } from './rights.js';
import { createSweeps } from './sweeps/index.js';

const REVIEW_EVERY_MS = 30_000;

/** What the holders of order keys tell us; after a dispute, each costs a call to the provider. */
const ORDER_NEWS: RateRule = { name: 'order-news', limit: 120, windowMs: MINUTE_MS };
/**
 * What one seller changes. Every change is an event that is kept for ever and that all read models
 * follow, and anybody can be a seller. One press makes hundreds of goods unavailable, one change each.
 * The last rule is for somebody who signs up as one seller after the other. It has no day: who shares the address with
 * them waits no longer than they go on.
 */
const CHANGES: readonly RateRule[] = [
  { name: 'changes', limit: 1_000, windowMs: MINUTE_MS, per: 'person' },
  { name: 'changes-a-day', limit: 5_000, windowMs: DAY_MS, per: 'person' },
  { name: 'changes-of-address', limit: 3_000, windowMs: MINUTE_MS },
];
/** What a seller changes of themselves: their stream is read at each login, and by each process that meets them. */
const PROFILE: RateRule = { name: 'profile', limit: 60, windowMs: DAY_MS, per: 'person' };
/** Each logout and login of a browser; the stream is read at each. */
const PUSHES: RateRule = { name: 'pushes', limit: 200, windowMs: DAY_MS, per: 'person' };
/** Each costs two hashes. Not counted with the others: a thief must not use up what the owner needs. */
const PASSWORD: RateRule = { name: 'password', limit: 30, windowMs: MINUTE_MS, per: 'person' };

/**
 * Rate limits, most of them per address; none in a demo, which one hurried person tries. A whole town may share
 * the address of its mobile network. So each limit is several times what a thousand honest people
 * behind one address do at their busiest, and still bounds what one machine can cost. Orders and
 * their verification each cost a call to the provider; a registration a hash, a name and a stream;
 * a contact message a person's time; a receipt or code a letter to someone's mailbox; a refresh
 * (each open tab makes one every ten minutes) two writes; a name check (made while typing) a read.
 */
function rateRulesOf({
  demo,
}: Settings): Partial<Record<CommandCall['name'], RateRule | readonly RateRule[]>> {
  if (demo) return {};
  return {
    addComment: { name: 'review', limit: 1, windowMs: REVIEW_EVERY_MS, countsOnlyDone: true },
    initializeTransaction: { name: 'order', limit: 30, windowMs: MINUTE_MS },
    register: { name: 'register', limit: 40, windowMs: 10 * MINUTE_MS },
    refreshToken: { name: 'refresh', limit: 600, windowMs: MINUTE_MS },
    checkBusinessName: { name: 'name-check', limit: 600, windowMs: MINUTE_MS },
    // The form asks the server what is missing: whoever is told has cost nobody's time.
    sendEmail: { name: 'contact', limit: 10, windowMs: 10 * MINUTE_MS, countsOnlyDone: true },
    sendReceipt: { name: 'receipt', limit: 60, windowMs: MINUTE_MS },
    askLetterAddress: { name: 'email-code', limit: 60, windowMs: 10 * MINUTE_MS },
    verifyTransaction: { name: 'verify', limit: 120, windowMs: MINUTE_MS },
    confirmDelivery: ORDER_NEWS,
    reportNotReceived: ORDER_NEWS,
    reportProblem: ORDER_NEWS,
    addProduct: CHANGES,
    updateProduct: CHANGES,
    toggleProductStatus: CHANGES,
    removeProduct: CHANGES,
    updateProfile: PROFILE,
    changePassword: PASSWORD,
    setPayoutAccount: PROFILE,
    confirmLetterAddress: PROFILE,
    removeLetterAddress: PROFILE,
    switchLetters: PROFILE,
    addSubscription: PUSHES,
    removeSubscription: PUSHES,
    clearNotifications: CHANGES,
  };
}

/** The read models that commands are judged by. */
const requiredModels = [models.catalogue, models.notifications, models.obligations];

export interface CommandService {
  /** The handlers of all calls of this service. A missing one is a compile error. */
  readonly handlers: Handlers;
  /** Mounts the calls with their access checks and rate limits. */
  mount(app: App): void;
  /**
   * Whether the read models that commands are judged by have caught up with the log. Before that, commands would be
   * judged on incomplete data. Calls that need newer data wait for it themselves.
   */
  ready(): Promise<boolean>;
  /** Starts the queue workers and the sweep, which runs every minute. */
  start(): void;
  /** Stops them; resolves when none is running any more. */
  close(): Promise<void>;
}

const table = routeTable(callsOf(calls, 'command-service'));

/** Turns requests into commands, and commands into events. It neither opens nor closes the engines in `deps`. */
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
  const hasCaughtUp = createCaughtUp(deps, 'at-once');
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
          // No call of this service declares `reads`. Handlers that need a read model wait for it themselves.
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
    ready: async () => !(await Promise.all(requiredModels.map(hasCaughtUp))).includes(false),
    start: () => sweeps.start(),
    close: () => sweeps.close(),
  };
}
