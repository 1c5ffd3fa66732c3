import Koa from 'koa';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../metrics/metrics.js';
import { accessLog } from './access-log.js';
import { clientAddress } from './client-address.js';
import { compression } from './compression.js';
import { correlation } from './correlation.js';
import { errorMapping } from './error-mapping.js';
import { etag } from './etag.js';
import { operations } from './operations.js';
import type { Readiness } from './readiness.js';
import { securityHeaders } from './security-headers.js';
import type { App, RequestState } from './types.js';

export interface AppOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly publicUrl: string;
  readonly trustedProxy: readonly string[];
  /** Origins besides our own from which pictures come. */
  readonly imageOrigins?: readonly string[];
}

/** A Koa app with all that every answer of ours has; calls and pages are mounted on it. */
export function createApp(options: AppOptions): App {
  const { logger, metrics, readiness } = options;
  const app = new Koa<RequestState>();
  // Errors of a request end in `errorMapping`; what reaches Koa itself is a broken connection.
  app.on('error', (error: unknown) => logger.warn({ err: error }, 'answer broke off'));
  app.use(correlation());
  app.use(clientAddress(options.trustedProxy));
  app.use(accessLog(logger, metrics));
  app.use(securityHeaders(options));
  app.use(errorMapping(logger));
  app.use(compression());
  app.use(etag());
  app.use(operations(readiness, metrics));
  return app;
}
