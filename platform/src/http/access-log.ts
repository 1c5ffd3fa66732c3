import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import type { Middleware } from './types.js';

/** The route of everything that is no call: one label, however many addresses people try. */
const NO_ROUTE = 'other';

/**
 * One line and one measurement a request, when its answer is through or its client is gone. Both name
 * the call's pattern; a path is written only where there is none, without its query.
 */
export function accessLog(logger: Logger, metrics: Metrics): Middleware {
  return (ctx, next) => {
    const began = performance.now();
    const { method, path } = ctx;
    ctx.res.once('close', () => {
      const ms = performance.now() - began;
      const { route, correlationId } = ctx.state;
      const finished = ctx.res.writableFinished;
      metrics.observeRequest(method, route ?? NO_ROUTE, ctx.status, ms / 1000);
      logger.info(
        {
          correlationId,
          method,
          route: route ?? path,
          status: ctx.status,
          ms: Math.round(ms * 10) / 10,
          ...(finished ? {} : { aborted: true }),
        },
        'request',
      );
    });
    return next();
  };
}
