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
import { answerFailure, type Failure, Overloaded } from './answer.js';
import { isOperation, operations, type Readiness } from './operations.js';
import { clientAddress, peerOf, securityHeaders } from './origin.js';
import type { App, Middleware, RequestState } from './types.js';

interface AppOptions {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly publicUrl: string;
  readonly trustedProxy: readonly string[];
  /** Other origins that pages may load pictures from. */
  readonly imageOrigins?: readonly string[];
}

/** Creates a Koa app with the middleware that every request needs. Calls and pages are mounted on it. */
export function createApp(options: AppOptions): App {
  const { logger, metrics, readiness } = options;
  const app = new Koa<RequestState>();
  // `errorMapping` handles the errors of a request. Koa itself sees only broken connections.
  app.on('error', (error: unknown) =>
    logger.warn({ err: error }, 'an answer could not be sent to its end'),
  );
  app.use(correlation());
  app.use(clientAddress(options.trustedProxy));
  app.use(accessLog(logger, metrics));
  app.use(securityHeaders(options));
  app.use(errorMapping(logger));
  app.use(compression());
  app.use(etag());
  app.use(operations(readiness, metrics));
  // After the health checks, which run every few seconds and need no spans.
  if (isTraced()) app.use(requestSpan(options.trustedProxy));
  return app;
}

const CORRELATION_HEADER = 'X-Correlation-Id';

/** Ids from outside go into logs and events: they must be short, with characters that are special nowhere. */
const ACCEPTABLE_ID = /^[A-Za-z0-9_-]{8,64}$/;

/** Uses the caller's correlation id or creates one. The logs and the answer carry it. */
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

/**
 * A stand-in for the route of a path that matches no pattern. However many paths clients try, there are
 * only a few prefixes, so the metrics keep few labels.
 */
const prefixOf = (path: string): string =>
  `${byLength.find((prefix) => path.startsWith(prefix)) ?? '/'}*`;

/**
 * Writes one log line and one measurement per request, when the answer is complete or the client is gone.
 * Both name the route pattern or prefix, never the path, which may hold an order's id or its secret. The
 * line has the id of the signed-in person, never a name.
 */
function accessLog(logger: Logger, metrics: Metrics): Middleware {
  return (ctx, next) => {
    const began = performance.now();
    const { method, path } = ctx;
    // Keeps the async context for the log line. Binding the function with `AsyncResource.bind` would cost
    // forty times as much per request.
    const request = new AsyncResource('oja.request');
    const measure = () => {
      const ms = performance.now() - began;
      const { route = prefixOf(path), correlationId, actor } = ctx.state;
      const finished = ctx.res.writableFinished;
      metrics.observeRequest(method, route, ctx.status, ms / 1000);
      // Probes and scrapes come every few seconds, and would hide what people do. One that fails is worth a line.
      const level = isOperation(route) && ctx.status < 400 ? 'debug' : 'info';
      logger[level](
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
 * Opens a span for the request. It starts a trace, or continues the one named by a trusted proxy. We
 * accept only the `traceparent` header, and only from that proxy. The span is named after the route
 * pattern, like the access log line.
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

const BROKEN: Failure = {
  status: 500,
  message: 'Something went wrong on our side. Please try again.',
};
const BUSY: Failure = {
  status: 503,
  message: 'Oja is catching its breath. Please try again in a moment.',
  headers: { 'Retry-After': '2' },
};

const FULL: Failure = {
  status: 503,
  message:
    'Oja can take nothing new for the moment, and nothing was changed. You can go on looking; please try again later.',
  headers: { 'Retry-After': '30' },
};

/** Koa and its middleware throw errors that carry a status meant for the client. */
function clientStatus(error: unknown): number | null {
  if (!(error instanceof Error) || !('status' in error) || !('expose' in error)) return null;
  const { status, expose } = error;
  return expose === true && typeof status === 'number' && status >= 400 && status < 500
    ? status
    : null;
}

function failedBy(error: unknown): Failure {
  if (error instanceof Overloaded) {
    const headers = { 'Retry-After': String(error.retryAfterSeconds) };
    return { status: 429, message: 'Too many ask for this at once. Please try again.', headers };
  }
  const status = clientStatus(error);
  if (status !== null) return { status, message: 'The request could not be understood' };
  if (error instanceof NoRoom) return FULL;
  return error instanceof StoreUnavailable || error instanceof ReadModelMissing ? BUSY : BROKEN;
}

/** An exception is a bug or a broken engine. It is logged in full; the client gets no details. */
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

/** Sets an ETag from the content of a GET answer, and answers 304 to a client that already has it. */
function etag(): Middleware {
  return async (ctx, next) => {
    await next();
    if ((ctx.method !== 'GET' && ctx.method !== 'HEAD') || ctx.status !== 200) return;
    if (/no-store/.test(ctx.response.get('Cache-Control'))) return;
    const { body } = ctx;
    if (!ctx.response.get('ETag')) {
      if (typeof body !== 'string' && !Buffer.isBuffer(body)) return;
      // A weak tag: the same content may be sent compressed or not.
      ctx.set('ETag', `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`);
    }
    if (ctx.fresh) ctx.status = 304;
  };
}

/** Below this many bytes, the headers would cost more than compression saves. */
const MIN_BYTES = 1_024;
/** Takes a millisecond more of a page than 4, and sends 7 % less of it; beyond 6 the gain is small and the price high. */
const BROTLI_QUALITY = 5;
/** How many compressed bodies are kept in memory, across encodings: the last used ones that have an ETag. */
const REMEMBERED = 64;

const compressible = /^(text\/|application\/(json|javascript|xml|manifest\+json)|image\/svg\+xml)/;

const asGzip = promisify(gzip);
const asBrotli = promisify(brotliCompress);

const encoders = {
  br: (body: Buffer) =>
    asBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (body: Buffer) => asGzip(body),
};

/** Compresses text answers for clients that accept it. Streams are left as they are. */
function compression(): Middleware {
  const remembered = new Map<string, Buffer>();

  /** `tag`: the ETag, which identifies the content among all versions of this path. */
  async function encode(encoding: keyof typeof encoders, body: Buffer, path: string, tag: string) {
    const key = JSON.stringify([encoding, path, tag]);
    const known = tag ? remembered.get(key) : undefined;
    if (known !== undefined) {
      // To the end of the line, so that what is asked for all the time stays.
      remembered.delete(key);
      remembered.set(key, known);
      return known;
    }
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
