import { createHash } from 'node:crypto';
import type { Middleware } from './types.js';

/** Names what a GET answers by its content, and answers 304 to a client that has it already. */
export function etag(): Middleware {
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
