import { POSITION_HEADER } from '@oja/contracts/wire';
import { isLocal, type Position } from '@oja/platform';
import { positionToken } from './position.js';
import type { Context } from './types.js';

export interface Cookie {
  readonly name: string;
  /** Null: the browser forgets it. */
  readonly value: string | null;
  /** Without it the cookie goes with the browser's window. */
  readonly maxAgeSeconds?: number;
}

/** Our cookies are all alike: read by no script, sent to our own pages only, by no other site. */
export interface Cookies {
  /** The cookie's value in a Cookie header; undefined when it is not there. */
  read(header: string | undefined, name: string): string | undefined;
  /** A Set-Cookie header. @throws for a value that is no plain token. */
  write(cookie: Cookie): string;
}

const plainValue = /^[A-Za-z0-9._~!*-]*$/;

/** Over https the name says `__Host-`, so that no other host of the domain can plant one. */
export function createCookies(publicUrl: string): Cookies {
  const secure = publicUrl.startsWith('https:') || !isLocal(publicUrl);
  const fullName = (name: string) => (secure ? `__Host-${name}` : name);
  return {
    read(header, name) {
      const prefix = `${fullName(name)}=`;
      const pair = header?.split(';').find((part) => part.trim().startsWith(prefix));
      return pair?.trim().slice(prefix.length);
    },
    write({ name, value, maxAgeSeconds }) {
      if (!plainValue.test(value ?? ''))
        throw new Error(`the cookie ${name} has a value with signs`);
      const age = value === null ? 0 : maxAgeSeconds;
      return [
        `${fullName(name)}=${value ?? ''}`,
        'Path=/',
        'HttpOnly',
        'SameSite=Strict',
        ...(secure ? ['Secure'] : []),
        ...(age === undefined ? [] : [`Max-Age=${age}`]),
      ].join('; ');
    },
  };
}

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

/** Answers with the failure, which nobody may keep. */
export function answerFailure(ctx: Context, failed: Failed): void {
  ctx.status = failed.status;
  ctx.body = failureBody(failed);
  ctx.set('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(failed.headers ?? {})) ctx.set(name, value);
}

/** An answer that succeeded; a repetition of the call is given it again. */
export interface KeptAnswer {
  readonly status: number;
  /** The body as it was sent. */
  readonly json: string;
  readonly headers: Readonly<Record<string, string>>;
}

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

/** A handler's answer with its body as JSON, and its position as a token of this log. */
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

/** Writes the answer; `personal` says whether it is for one person only. */
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
