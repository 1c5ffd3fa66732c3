import { AsyncResource } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { routePrefixes } from '@oja/contracts';
import {
  addressSet,
  isTraced,
  type Logger,
  type Metrics,
  NoRoom,
  ReadModelMissing,
  runIn,
  StoreUnavailable,
  startSpan,
  withCorrelation,
} from '@oja/platform';
import Koa from 'koa';
import { v7 as uuidv7 } from 'uuid';
import { answerFailure, type Failed, Overloaded } from './answer.js';
import { operations, type Readiness } from './operations.js';
import { clientAddress, peerOf } from './origin.js';
import { securityHeaders } from './security-headers.js';
import type { App, Middleware, RequestState } from './types.js';

interface AppOptions {
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
  // Behind those that only ask whether we are there, every few seconds.
  if (isTraced()) app.use(requestSpan(options.trustedProxy));
  return app;
}

const CORRELATION_HEADER = 'X-Correlation-Id';

/** Ids of others go into logs and events: short, and of characters that mean nothing anywhere. */
const ACCEPTABLE_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** Takes the caller's correlation id or makes one; logs and the answer carry it. */
function correlation(): Middleware {
  return (ctx, next) => {
    const given = ctx.get(CORRELATION_HEADER);
    const id = ACCEPTABLE_ID.test(given) ? given : uuidv7();
    ctx.state.correlationId = id;
    ctx.set(CORRELATION_HEADER, id);
    return withCorrelation(id, next);
  };
}

const byLength = routePrefixes
  .map(({ prefix }) => prefix)
  .sort((one, other) => other.length - one.length);

/** The prefix that a path falls under, for what has no pattern: however many addresses people try, these are few. */
const prefixOf = (path: string): string =>
  `${byLength.find((prefix) => path.startsWith(prefix)) ?? '/'}*`;

/**
 * One line and one measurement a request, when its answer is through or its client is gone. Both name
 * the pattern of the call or page, or the route prefix: a path may hold an order's id, or what opens it.
 * The line has the id of whoever was signed in, never a name.
 */
function accessLog(logger: Logger, metrics: Metrics): Middleware {
  return (ctx, next) => {
    const began = performance.now();
    const { method, path } = ctx;
    // What the line is written in; to bind it instead costs forty times as much, once a request.
    const request = new AsyncResource('oja.request');
    const measure = () => {
      const ms = performance.now() - began;
      const { route = prefixOf(path), correlationId, actor } = ctx.state;
      const finished = ctx.res.writableFinished;
      metrics.observeRequest(method, route, ctx.status, ms / 1000);
      logger.info(
        {
          correlationId,
          actor,
          method,
          route,
          status: ctx.status,
          ms: Math.round(ms * 10) / 10,
          ...(finished ? {} : { aborted: true }),
        },
        'request',
      );
    };
    ctx.res.once('close', () => request.runInAsyncScope(measure));
    return next();
  };
}

/**
 * The request as a span: it begins a trace, or goes on with the one that a trusted proxy names. What anybody else
 * sends is not believed, and of the proxy nothing but that one header. Called by the pattern, as the line above.
 */
function requestSpan(trustedProxy: readonly string[]): Middleware {
  const isTrusted = addressSet(trustedProxy);
  return (ctx, next) => {
    const { method, path, state } = ctx;
    const isFromProxy = isTrusted(peerOf(ctx.req));
    const span = startSpan(method, {
      kind: 'server',
      attributes: { 'http.request.method': method, 'oja.correlation_id': state.correlationId },
      ...(isFromProxy && { from: ctx.get('traceparent') }),
    });
    if (span === null) return next();
    ctx.res.once('close', () => {
      const { route = prefixOf(path) } = state;
      span.rename(`${method} ${route}`);
      span.set({ 'http.route': route, 'http.response.status_code': ctx.status });
      if (ctx.status >= 500) span.failed(String(ctx.status));
      span.end();
    });
    return runIn(span, next);
  };
}

const BROKEN: Failed = {
  status: 500,
  message: 'Something went wrong on our side. Please try again.',
};
const BUSY: Failed = {
  status: 503,
  message: 'Oja is catching its breath. Please try again in a moment.',
  headers: { 'Retry-After': '2' },
};

const FULL: Failed = {
  status: 503,
  message:
    'Oja can take nothing new for the moment, and nothing was changed. You can go on looking; please try again later.',
  headers: { 'Retry-After': '30' },
};

/** Koa and its parts throw errors that carry a status meant for the client. */
function clientStatus(error: unknown): number | null {
  if (!(error instanceof Error) || !('status' in error) || !('expose' in error)) return null;
  const { status, expose } = error;
  return expose === true && typeof status === 'number' && status >= 400 && status < 500
    ? status
    : null;
}

function failedBy(error: unknown): Failed {
  if (error instanceof Overloaded) {
    const headers = { 'Retry-After': String(error.retryAfterSeconds) };
    return { status: 429, message: 'Too many ask for this at once. Please try again.', headers };
  }
  const status = clientStatus(error);
  if (status !== null) return { status, message: 'The request could not be understood' };
  if (error instanceof NoRoom) return FULL;
  return error instanceof StoreUnavailable || error instanceof ReadModelMissing ? BUSY : BROKEN;
}

/** An exception is a bug or a broken engine: it is logged whole, and the client learns nothing of it. */
function errorMapping(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const failed = failedBy(error);
      if (failed.status >= 500) {
        const { method, state } = ctx;
        const { route, actor } = state;
        logger.error({ err: error, actor, method, route }, 'request failed');
      }
      answerFailure(ctx, failed);
    }
  };
}

/** Names what a GET answers by its content, and answers 304 to a client that has it already. */
function etag(): Middleware {
  return async (ctx, next) => {
    await next();
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || ctx.status !== 200) return;
    if (/no-store/.test(ctx.response.get('Cache-Control'))) return;
    const { body } = ctx;
    if (!ctx.response.get('ETag')) {
      if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
      // Weak: the same content may go out compressed or not.
      ctx.set('ETag', `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`);
    }
    if (ctx.fresh) ctx.status = 304;
  };
}

/** Under this many bytes the headers weigh more than what is saved. */
const MIN_BYTES = 1_024;
/** Brotli's 4 is about as quick as gzip and smaller. */
const BROTLI_QUALITY = 4;
/** A body compressed for an ETag is given again; of each kind this many are remembered. */
const REMEMBERED = 64;

const compressible = /^(text\/|application\/(json|javascript|xml|manifest\+json)|image\/svg\+xml)/;

const asGzip = promisify(gzip);
const asBrotli = promisify(brotliCompress);

const encoders = {
  br: (body: Buffer) =>
    asBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (body: Buffer) => asGzip(body),
};

/** Compresses text answers for clients that take it. A stream is left as it is. */
function compression(): Middleware {
  const remembered = new Map<string, Buffer>();

  /** `tag` names the content, among all that its path has had. */
  async function encode(encoding: keyof typeof encoders, body: Buffer, path: string, tag: string) {
    const key = JSON.stringify([encoding, path, tag]);
    const known = tag ? remembered.get(key) : undefined;
    if (known !== undefined) return known;
    const encoded = await encoders[encoding](body);
    const [oldest] = remembered.keys();
    if (remembered.size >= REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    if (tag) remembered.set(key, encoded);
    return encoded;
  }

  return async (ctx, next) => {
    await next();
    const { body } = ctx;
    if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
    if (!compressible.test(ctx.response.type)) return;
    ctx.vary('Accept-Encoding');
    const bytes = Buffer.from(body);
    const already = Boolean(ctx.response.get('Content-Encoding'));
    if (bytes.length < MIN_BYTES || already || ctx.method === 'HEAD') return;
    const encoding = ctx.acceptsEncodings('br', 'gzip', 'identity');
    if (encoding !== 'br' && encoding !== 'gzip') return;
    ctx.body = await encode(encoding, bytes, ctx.path, ctx.response.get('ETag'));
    ctx.set('Content-Encoding', encoding);
  };
}
