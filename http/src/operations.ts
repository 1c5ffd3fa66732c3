import { type Metrics, withTimeLimit } from '@oja/platform';
import { answerFailure } from './answer.js';
import { privateOnly } from './origin.js';
import type { Context, Middleware } from './types.js';

async function answerReadiness(ctx: Context, readiness: Readiness): Promise<void> {
  const waitingFor = await readiness.unmetConditions();
  if (waitingFor.length > 0) {
    const message = `Waiting for ${waitingFor.join(', ')}`;
    return answerFailure(ctx, { status: 503, message, details: { waitingFor } });
  }
  ctx.body = { success: true };
  ctx.set('Cache-Control', 'no-store');
}

async function answerMetrics(ctx: Context, metrics: Metrics): Promise<void> {
  const { contentType, body } = await metrics.text();
  ctx.set('Content-Type', contentType);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = body;
}

const paths = ['/healthz', '/readyz', '/metrics'] as const;

/** Whether a route is one of those that `operations` serves. */
export const isOperation = (route: string): boolean => paths.some((path) => path === route);

/**
 * Serves `/healthz` (the process answers), `/readyz` (everything it needs works too) and `/metrics`. The
 * last two reveal internals, so they answer only this machine and its private network.
 */
export function operations(readiness: Readiness, metrics: Metrics): Middleware {
  const routes: Readonly<Record<(typeof paths)[number], Middleware>> = {
    '/healthz': (ctx) => {
      ctx.body = { success: true };
      ctx.set('Cache-Control', 'no-store');
    },
    '/readyz': privateOnly((ctx) => answerReadiness(ctx, readiness)),
    '/metrics': privateOnly((ctx) => answerMetrics(ctx, metrics)),
  };
  return (ctx, next) => {
    const path = paths.find((each) => each === ctx.path);
    if (path === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.state.route = path;
    return routes[path](ctx, next);
  };
}

/** How long one condition may take, in milliseconds; after that it counts as not met. */
const CHECK_TIMEOUT_MS = 2_000;

/**
 * How long a condition that does not answer is waited for before it is asked anew, in milliseconds. A question to a
 * frozen server holds a connection for minutes, so the probes of that time share one.
 */
const RECHECK_AFTER_MS = 10_000;

type Condition = () => boolean | Promise<boolean>;

/** The conditions that must hold before the process can serve, by names that an operator understands. */
export interface Readiness {
  add(name: string, condition: Condition): void;
  /** The names of the conditions that are not met; empty when ready. */
  unmetConditions(): Promise<readonly string[]>;
}

/** Wraps a condition so that all who ask while a check is running get the result of that check. */
function shareOpenCheck(condition: Condition): () => Promise<boolean> {
  let open: { readonly answer: Promise<boolean>; readonly at: number } | null = null;
  return () => {
    if (open !== null && performance.now() - open.at < RECHECK_AFTER_MS) return open.answer;
    const asking = {
      answer: (async () => condition())().finally(() => {
        if (open === asking) open = null;
      }),
      at: performance.now(),
    };
    open = asking;
    return asking.answer;
  };
}

/** Starts without conditions, that is, ready. */
export function createReadiness(): Readiness {
  const conditions = new Map<string, () => Promise<boolean>>();
  const isMet = (condition: () => Promise<boolean>) =>
    withTimeLimit(CHECK_TIMEOUT_MS, condition(), false).catch(() => false);
  return {
    add: (name, condition) => conditions.set(name, shareOpenCheck(condition)),
    async unmetConditions() {
      const asked = await Promise.all(
        [...conditions].map(async ([name, condition]) => ((await isMet(condition)) ? [] : [name])),
      );
      return asked.flat();
    },
  };
}
