import { v7 as uuidv7 } from 'uuid';
import { withCorrelation } from '../logging/correlation.js';
import type { Middleware } from './types.js';

export const CORRELATION_HEADER = 'X-Correlation-Id';

/** Ids of others go into logs and events: short, and of characters that mean nothing anywhere. */
const acceptable = /^[A-Za-z0-9_-]{8,64}$/;

/** Takes the caller's correlation id or makes one; logs and the answer carry it. */
export function correlation(): Middleware {
  return (ctx, next) => {
    const given = ctx.get(CORRELATION_HEADER);
    const id = acceptable.test(given) ? given : uuidv7();
    ctx.state.correlationId = id;
    ctx.set(CORRELATION_HEADER, id);
    return withCorrelation(id, next);
  };
}
