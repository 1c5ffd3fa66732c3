import type { Clock, State } from '@oja/platform';
import type { Middleware } from 'koa';
import { answerApi, carriesKey, readJson, reply } from './api.js';
import { failure } from './bodies.js';
import { answerCheckout } from './checkout.js';
import { control } from './control.js';
import { createFaults } from './faults.js';
import type { Inside } from './inside.js';
import { createStore } from './store.js';
import { createOutbox, type SendWebhook } from './webhooks.js';

interface SandboxOptions {
  readonly state: State;
  /** The key that calls must carry and that webhooks are signed with. */
  readonly secret: string;
  /** Where browsers reach the market, without a slash at its end. */
  readonly publicUrl: string;
  /** Default `/sandbox`; Paystack's paths begin after it. */
  readonly basePath?: string;
  readonly clock: Clock;
  readonly send: SendWebhook;
  /** Told of failures in the background, which have no caller. */
  readonly report: (error: unknown) => void;
}

export interface Sandbox {
  /** Answers all below the base path. Reads bodies itself: mount it before any body parser. */
  readonly middleware: Middleware;
  /** Sends webhooks from now on as they become due. Without it they wait for `deliverDue`. */
  start(): void;
  /** Sends all that is due now, in order; answers how many attempts were made. */
  deliverDue(): Promise<number>;
  /** Ends the sending, after the webhook under way. */
  stop(): Promise<void>;
}

const LONGEST_SLEEP_MS = 60_000;

const invalidKey = failure(
  401,
  'invalid_Key',
  'Invalid key',
  'Send the secret key in the Authorization header, after the word Bearer',
);

/**
 * A payment provider for one machine: the calls, the checkout page and the webhooks of Paystack, over
 * records in `State`. It moves no money and can be told to misbehave. Only demo markets may mount it.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { state, secret, publicUrl, basePath = '/sandbox', clock, send, report } = options;
  const faults = createFaults(state, clock);
  const outbox = createOutbox({ state, faults, secret, clock, send });
  let started = false;
  let timer: NodeJS.Timeout | undefined;
  let delivering: Promise<void> = Promise.resolve();

  const inside: Inside = {
    address: `${publicUrl}${basePath}`,
    clock,
    store: createStore(state, clock),
    faults,
    async notify(notice) {
      await outbox.add(notice);
      wake();
    },
  };

  function wake(): void {
    if (!started) return;
    clearTimeout(timer);
    delivering = delivering.then(deliverAndSleep).catch(report);
  }

  async function deliverAndSleep(): Promise<void> {
    if (!started) return;
    await outbox.deliverDue();
    const next = await outbox.nextDue();
    if (!started || next === null) return;
    clearTimeout(timer);
    timer = setTimeout(wake, Math.min(Math.max(next - clock.now(), 0), LONGEST_SLEEP_MS));
    timer.unref();
  }

  const middleware: Middleware = async (ctx, next) => {
    if (!ctx.path.startsWith(`${basePath}/`)) return next();
    const path = ctx.path.slice(basePath.length);
    if (await answerCheckout(inside, ctx, path)) return;
    if (!carriesKey(ctx.headers.authorization, secret)) return reply(ctx, invalidKey);
    if (ctx.method === 'POST' && path === '/control') {
      return reply(ctx, await control(inside, await readJson(ctx.req)));
    }
    await answerApi(inside, ctx, path);
  };

  return {
    middleware,
    start() {
      started = true;
      wake();
    },
    deliverDue: outbox.deliverDue,
    async stop() {
      started = false;
      clearTimeout(timer);
      await delivering;
    },
  };
}
