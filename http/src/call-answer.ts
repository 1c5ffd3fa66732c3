import type { Position } from '@oja/platform';
import type { Cookie, Cookies } from './cookies.js';
import { answerFailure, type Failed } from './failure.js';
import type { KeptAnswer } from './idempotency.js';
import { POSITION_HEADER, positionToken } from './position.js';
import type { Context } from './types.js';

/** What a handler answers once its types are forgotten: the schemas' types were checked where it was written. */
export type AnyAnswer = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly Cookie[];
  readonly position?: Position | null;
} & ({ readonly status: number; readonly body: unknown } | { readonly failed: Failed });

/** An answer as it goes over the wire. */
export type WireAnswer =
  | { readonly ok: true; readonly answer: KeptAnswer; readonly cookies: readonly Cookie[] }
  | { readonly ok: false; readonly failed: Failed; readonly cookies: readonly Cookie[] };

export function toWire(answer: AnyAnswer, logId: string): WireAnswer {
  const cookies = answer.cookies ?? [];
  const headers = {
    ...answer.headers,
    ...(answer.position == null
      ? {}
      : { [POSITION_HEADER]: positionToken(logId, answer.position) }),
  };
  if ('failed' in answer) {
    const failed = { ...answer.failed, headers: { ...answer.failed.headers, ...headers } };
    return { ok: false, failed, cookies };
  }
  const json = JSON.stringify(answer.body);
  return { ok: true, answer: { status: answer.status, json, headers }, cookies };
}

/**
 * What is for one person is kept nowhere: a browser's cache outlives the logout. What anybody may read
 * is kept as long as the browser asks whether it changed.
 */
function cacheControl(method: string, personal: boolean): string {
  if (personal) return 'private, no-store';
  return method === 'GET' || method === 'HEAD' ? 'no-cache' : 'no-store';
}

export function sendAnswer(
  ctx: Context,
  wire: WireAnswer,
  options: { readonly cookies: Cookies; readonly personal: boolean },
): void {
  for (const cookie of wire.cookies) ctx.append('Set-Cookie', options.cookies.write(cookie));
  if (!wire.ok) {
    answerFailure(ctx, wire.failed);
    return;
  }
  ctx.status = wire.answer.status;
  ctx.type = 'json';
  ctx.body = wire.answer.json;
  ctx.set('Cache-Control', cacheControl(ctx.method, options.personal));
  ctx.set(wire.answer.headers);
}
