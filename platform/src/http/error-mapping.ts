import { StoreUnavailable } from '../eventstore/errors.js';
import type { Logger } from '../logging/logger.js';
import { ReadModelMissing } from '../readmodels/reader.js';
import { answerFailure, type Failed, Overloaded } from './failure.js';
import type { Middleware } from './types.js';

const BROKEN: Failed = {
  status: 500,
  message: 'Something went wrong on our side. Please try again.',
};
const BUSY: Failed = {
  status: 503,
  message: 'Oja is catching its breath. Please try again in a moment.',
  headers: { 'Retry-After': '2' },
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
  return error instanceof StoreUnavailable || error instanceof ReadModelMissing ? BUSY : BROKEN;
}

/** An exception is a bug or a broken engine: it is logged whole, and the client learns nothing of it. */
export function errorMapping(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const failed = failedBy(error);
      if (failed.status >= 500) {
        logger.error({ err: error, method: ctx.method, route: ctx.state.route }, 'request failed');
      }
      answerFailure(ctx, failed);
    }
  };
}
