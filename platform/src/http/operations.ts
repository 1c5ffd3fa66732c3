import type { Metrics } from '../metrics/metrics.js';
import { answerFailure } from './failure.js';
import { privateOnly } from './private-only.js';
import type { Readiness } from './readiness.js';
import type { Context, Middleware } from './types.js';

async function ready(ctx: Context, readiness: Readiness): Promise<void> {
  const waitingFor = await readiness.waitingFor();
  if (waitingFor.length > 0) {
    const message = `Waiting for ${waitingFor.join(', ')}`;
    return answerFailure(ctx, { status: 503, message, details: { waitingFor } });
  }
  ctx.body = { success: true };
  ctx.set('Cache-Control', 'no-store');
}

async function metered(ctx: Context, metrics: Metrics): Promise<void> {
  const { contentType, body } = await metrics.text();
  ctx.set('Content-Type', contentType);
  ctx.set('Cache-Control', 'no-store');
  ctx.body = body;
}

/**
 * What operators and their tools ask: `/healthz` (the process answers), `/readyz` (everything it needs
 * does too) and `/metrics`. The last two say much, and answer this machine and its network only.
 */
export function operations(readiness: Readiness, metrics: Metrics): Middleware {
  const routes: Readonly<Record<string, Middleware>> = {
    '/healthz': (ctx) => {
      ctx.body = { success: true };
      ctx.set('Cache-Control', 'no-store');
    },
    '/readyz': privateOnly((ctx) => ready(ctx, readiness)),
    '/metrics': privateOnly((ctx) => metered(ctx, metrics)),
  };
  return (ctx, next) => {
    const route = routes[ctx.path];
    if (route === undefined || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.state.route = ctx.path;
    return route(ctx, next);
  };
}
