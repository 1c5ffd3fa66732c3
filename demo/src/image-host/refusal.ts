import type { Context } from 'koa';

/** Why an upload is not taken, in Cloudinary's words where it has some. */
export interface Refusal {
  readonly ok: false;
  readonly status: number;
  readonly message: string;
  readonly retryAfterSeconds?: number;
  /** The rest of the body is not worth reading: the connection ends with the answer. */
  readonly hangUp?: boolean;
}

export const refuse = (
  status: number,
  message: string,
  more: Pick<Refusal, 'retryAfterSeconds' | 'hangUp'> = {},
): Refusal => ({ ok: false, status, message, ...more });

/** Answers as Cloudinary does: the message in the body and in X-Cld-Error. */
export function answerRefusal(ctx: Context, refusal: Refusal): void {
  ctx.status = refusal.status;
  ctx.set('x-cld-error', refusal.message);
  ctx.set('cache-control', 'no-store');
  if (refusal.retryAfterSeconds !== undefined) {
    ctx.set('retry-after', String(refusal.retryAfterSeconds));
  }
  if (refusal.hangUp === true) ctx.set('connection', 'close');
  ctx.body = { error: { message: refusal.message } };
}
