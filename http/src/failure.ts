import type { Context } from './types.js';

/** A request that is answered with a 4xx or 5xx. The message is for a person. */
export interface Failed {
  readonly status: number;
  readonly message: string;
  /** Field → what is wrong with it. */
  readonly errors?: Readonly<Record<string, string>>;
  /** For a program, where the status does not say enough. */
  readonly code?: string;
  /** Further fields of the body. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** More was asked for at once than there is time for: answered with 429, and nothing was done. */
export class Overloaded extends Error {
  constructor(readonly retryAfterSeconds: number) {
    super('too much was asked for at once');
  }
}

/** The body that every failed call has. */
export function failureBody(failed: Failed): Record<string, unknown> {
  return {
    ...failed.details,
    success: false,
    message: failed.message,
    ...(failed.errors === undefined ? {} : { errors: failed.errors }),
    ...(failed.code === undefined ? {} : { code: failed.code }),
  };
}

export function answerFailure(ctx: Context, failed: Failed): void {
  ctx.status = failed.status;
  ctx.body = failureBody(failed);
  ctx.set('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(failed.headers ?? {})) ctx.set(name, value);
}
