import type { Position } from '../eventstore/port.js';
import type { KeptAnswer } from './answer-seal.js';
import type { Cookie, Cookies } from './cookies.js';
import { answerFailure, type Failed } from './failure.js';
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

/** Reads may be kept by their own browser as long as it asks whether they changed; the rest never. */
function cacheControl(method: string, signedIn: boolean, cookies: readonly Cookie[]): string {
  if ((method !== 'GET' && method !== 'HEAD') || cookies.length > 0) return 'no-store';
  return signedIn ? 'private, no-cache' : 'no-cache';
}

export function sendAnswer(
  ctx: Context,
  wire: WireAnswer,
  options: { readonly cookies: Cookies; readonly signedIn: boolean },
): void {
  for (const cookie of wire.cookies) ctx.append('Set-Cookie', options.cookies.write(cookie));
  if (!wire.ok) {
    answerFailure(ctx, wire.failed);
    return;
  }
  ctx.status = wire.answer.status;
  ctx.type = 'json';
  ctx.body = wire.answer.json;
  ctx.set('Cache-Control', cacheControl(ctx.method, options.signedIn, wire.cookies));
  ctx.set(wire.answer.headers);
}
