import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { type AddressSet, addressSet, isPrivate, unmapped } from '@oja/platform';
import { answerFailure, type Failed } from './answer.js';
import type { Middleware } from './types.js';

/** Who is at the other end of the connection: a client, or the last proxy on the way. */
export const peerOf = ({ socket }: Pick<IncomingMessage, 'socket'>): string =>
  unmapped(socket.remoteAddress ?? '');

/**
 * The address of the client. X-Forwarded-For is read from its end, where the nearest proxy wrote, for
 * as long as trusted proxies are speaking; what a client wrote itself is never believed.
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

/** Notes in `ctx.state` from which address a request comes; only proxies of these addresses are believed about it. */
export function clientAddress(trustedProxy: readonly string[]): Middleware {
  const isTrusted = addressSet(trustedProxy);
  return (ctx, next) => {
    ctx.state.clientAddress = clientAddressOf(ctx.req, isTrusted);
    return next();
  };
}

const FOREIGN: Failed = {
  status: 403,
  message: 'This request came from another website and was refused',
  code: 'foreign_origin',
};

/**
 * Refuses what another website made a browser send. Browsers say where a request comes from in Origin
 * and Sec-Fetch-Site; programs and the payment provider send neither, and carry no cookies of others.
 */
export function foreignOrigin(headers: IncomingHttpHeaders, publicUrl: string): Failed | null {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin') return FOREIGN;
  const { origin } = headers;
  return origin !== undefined && origin !== new URL(publicUrl).origin ? FOREIGN : null;
}

/**
 * Answers 404 to everyone but this machine and its own network. A request that came through a proxy we
 * do not know may be from anywhere, so it is refused too.
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
 * Sends a page asked for by a number of this machine (`http://127.0.0.1:8080`) to the public address:
 * cookies and the payment provider's way back belong to that one. Calls are answered where they come.
 */
export function publicHost(publicUrl: string): Middleware {
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
