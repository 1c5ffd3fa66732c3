import { isPrivate } from './client-address.js';
import { answerFailure } from './failure.js';
import type { Middleware } from './types.js';

/**
 * Answers 404 to everyone but this machine and its own network. A request that came through a proxy we
 * do not know may be from anywhere, so it is refused too.
 */
export function privateOnly(inner: Middleware): Middleware {
  return (ctx, next) => {
    const throughStranger =
      ctx.get('X-Forwarded-For') !== '' &&
      ctx.state.clientAddress === ctx.req.socket.remoteAddress?.replace(/^::ffff:/i, '');
    if (isPrivate(ctx.state.clientAddress) && !throughStranger) return inner(ctx, next);
    answerFailure(ctx, { status: 404, message: 'There is nothing here' });
    return Promise.resolve();
  };
}
