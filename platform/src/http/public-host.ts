import { isPrivate } from './client-address.js';
import type { Middleware } from './types.js';

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
