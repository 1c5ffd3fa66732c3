import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type AddressSet, addressSet, isPrivate, unmapped } from '@oja/platform';
import { answerFailure, type Failure } from './answer.js';
import type { Middleware } from './types.js';

/** The address at the other end of the connection: the client, or the last proxy. */
export const peerOf = ({ socket }: Pick<IncomingMessage, 'socket'>): string =>
  unmapped(socket.remoteAddress ?? '');

/**
 * The address of the client. X-Forwarded-For is read from its end, where the nearest proxy wrote, as long
 * as each hop is a trusted proxy. Values that the client wrote itself are never believed.
 */
export function clientAddressOf(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  isTrusted: AddressSet,
): string {
  let address = peerOf(request);
  const forwarded = [request.headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  for (const hop of forwarded.reverse()) {
    const next = unmapped(hop.trim());
    if (!isTrusted(address) || isIP(next) === 0) break;
    address = next;
  }
  return address;
}

/** Sets `ctx.state.clientAddress`. X-Forwarded-For is believed only from the `trustedProxy` addresses. */
export function clientAddress(trustedProxy: readonly string[]): Middleware {
  const isTrusted = addressSet(trustedProxy);
  return (ctx, next) => {
    ctx.state.clientAddress = clientAddressOf(ctx.req, isTrusted);
    return next();
  };
}

const FOREIGN: Failure = {
  status: 403,
  message: 'This request came from another website and was refused',
  code: 'foreign_origin',
};

/**
 * Detects a request that another website made the browser send; null when there is no sign of one.
 * Browsers tell the source in Origin and Sec-Fetch-Site. Programs and the payment provider send neither
 * header, and carry no cookies of other people.
 */
export function crossSiteFailure(headers: IncomingHttpHeaders, publicUrl: string): Failure | null {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return FOREIGN;
  const { origin } = headers;
  return origin !== undefined && origin !== new URL(publicUrl).origin ? FOREIGN : null;
}

/**
 * Answers 404 to everyone except this machine and its private network. A request through an unknown proxy
 * may come from anywhere, so it is refused too.
 */
export function privateOnly(inner: Middleware): Middleware {
  return (ctx, next) => {
    const throughStranger =
      ctx.get('X-Forwarded-For') !== '' && ctx.state.clientAddress === peerOf(ctx.req);
    if (isPrivate(ctx.state.clientAddress) && !throughStranger) return inner(ctx, next);
    answerFailure(ctx, { status: 404, message: 'There is nothing here' });
    return Promise.resolve();
  };
}

/**
 * Redirects a page requested by a private IP address (`http://127.0.0.1:8080`) to the public URL, because
 * cookies and the payment provider's return URL belong to that host. API calls are answered as they are.
 */
export function redirectToPublicHost(publicUrl: string): Middleware {
  const { host } = new URL(publicUrl);
  return (ctx, next) => {
    const asked = ctx.host;
    const name = asked.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
    const isPage = ctx.method === 'GET' && ctx.get('Accept').includes('text/html');
    if (!isPage || asked === host || !isPrivate(name)) return next();
    ctx.status = 307;
    ctx.set('Cache-Control', 'no-store');
    ctx.redirect(new URL(`.${ctx.url}`, `${publicUrl}/`).href);
    return Promise.resolve();
  };
}

/** Two years, in seconds. */
const HSTS_SECONDS = 63_072_000;

interface SecurityOptions {
  /** The address under which browsers reach the market. */
  readonly publicUrl: string;
  /** Other origins that pages load pictures from and upload them to. */
  readonly imageOrigins?: readonly string[];
}

/**
 * The Content-Security-Policy of our pages: no inline scripts, and nothing from other origins except
 * pictures. Inline styles are allowed, because they run nothing and libraries set them.
 */
export function contentSecurityPolicy({ publicUrl, imageOrigins = [] }: SecurityOptions): string {
  const { host, protocol } = new URL(publicUrl);
  const socket = `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`;
  return [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data: blob:", ...imageOrigins].join(' '),
    "font-src 'self'",
    ["connect-src 'self'", socket, ...imageOrigins].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Sets the security headers on every answer, also on failures. A handler may set a stricter value. */
export function securityHeaders(options: SecurityOptions): Middleware {
  const headers: Record<string, string> = {
    'Content-Security-Policy': contentSecurityPolicy(options),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    ...(options.publicUrl.startsWith('https:')
      ? { 'Strict-Transport-Security': `max-age=${HSTS_SECONDS}; includeSubDomains` }
      : {}),
  };
  return (ctx, next) => {
    ctx.set(headers);
    return next();
  };
}
