import { POSITION_HEADER } from '@oja/contracts/wire';
import { isLocal, POSITION_WAIT_MS, type Position } from '@oja/platform';
import type { Context } from './types.js';

export interface Cookie {
  readonly name: string;
  /** Null deletes the cookie. */
  readonly value: string | null;
  /** Undefined makes a session cookie, which ends when the browser is closed. */
  readonly maxAgeSeconds?: number;
}

/** Cookies that no script can read and that browsers send to our own pages only, never from another site. */
export interface Cookies {
  /** The value of a cookie in a Cookie header; undefined when the cookie is missing. */
  read(header: string | undefined, name: string): string | undefined;
  /** A Set-Cookie header. @throws Error when the value has characters that would need quoting. */
  write(cookie: Cookie): string;
}

const plainValue = /^[A-Za-z0-9._~!*-]*$/;

/** Over HTTPS, cookie names begin with `__Host-`, so that no other host of the domain can plant a cookie. */
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

/** The description of a 4xx or 5xx answer. `message` is shown to people. */
export interface Failure {
  readonly status: number;
  readonly message: string;
  /** Maps each invalid field to what is wrong with it. */
  readonly errors?: Readonly<Record<string, string>>;
  /** A machine-readable reason, where the status alone does not say enough. */
  readonly code?: string;
  /** Extra fields of the response body. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown when there are more concurrent requests than we have time for. The answer is a 429; nothing was done. */
export class Overloaded extends Error {
  constructor(readonly retryAfterSeconds: number) {
    super('too much was asked for at once');
  }
}

/** The response body of every failed call. */
export function failureBody(failed: Failure): Record<string, unknown> {
  return {
    ...failed.details,
    success: false,
    message: failed.message,
    ...(failed.errors === undefined ? {} : { errors: failed.errors }),
    ...(failed.code === undefined ? {} : { code: failed.code }),
  };
}

/** Answers with the failure. No cache may store it. */
export function answerFailure(ctx: Context, failed: Failure): void {
  ctx.status = failed.status;
  ctx.body = failureBody(failed);
  ctx.set('Cache-Control', 'no-store');
  for (const [name, value] of Object.entries(failed.headers ?? {})) ctx.set(name, value);
}

// A client reads its own writes: an answer names the position of what it wrote, and the client sends it with what it
// asks next.

const tokenForm = /^([A-Za-z0-9_-]{1,100})\.(\d{20})$/;

/** The log as this process sees it, with the read models that follow it. */
export interface Positions {
  readonly logId: string;
  head(): Promise<Position | null>;
  /** Waits until all these projections have passed the position; false when they have not in `timeoutMs`. */
  waitFor(projections: readonly string[], position: Position, timeoutMs: number): Promise<boolean>;
}

export const positionToken = (logId: string, position: Position): string => `${logId}.${position}`;

/** Reads the position from a token; null for a token of another log or any other text. */
export function readPosition(token: string | undefined, logId: string): Position | null {
  const match = tokenForm.exec(token ?? '');
  return match?.[1] === logId ? ((match[2] ?? '') as Position) : null;
}

/**
 * Waits until the projections have passed the position in the client's token; 'stale' after a time-out. A
 * token of another log, or beyond the head (after a restore from a backup), is ignored.
 */
export async function awaitPosition(
  token: string | undefined,
  projections: readonly string[],
  positions: Positions,
): Promise<'fresh' | 'stale'> {
  const position = readPosition(token, positions.logId);
  if (position === null || projections.length === 0) return 'fresh';
  if (await positions.waitFor(projections, position, 0)) return 'fresh';
  const head = await positions.head();
  if (head === null || position > head) return 'fresh';
  return (await positions.waitFor(projections, position, POSITION_WAIT_MS)) ? 'fresh' : 'stale';
}

/** A successful answer, stored so that a repeated request gets the same one. */
export interface StoredAnswer {
  readonly status: number;
  /** The body exactly as it was sent. */
  readonly json: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A handler's answer without its schema types, which the compiler checked where the handler was written. */
export type AnyAnswer = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly Cookie[];
  readonly position?: Position | null;
} & ({ readonly status: number; readonly body: unknown } | { readonly failed: Failure });

/** An answer ready to be sent. */
export type WireAnswer =
  | { readonly ok: true; readonly answer: StoredAnswer; readonly cookies: readonly Cookie[] }
  | { readonly ok: false; readonly failed: Failure; readonly cookies: readonly Cookie[] };

/** Converts a handler's answer: the body becomes JSON, and the position becomes a token of this log. */
export function serializeAnswer(answer: AnyAnswer, logId: string): WireAnswer {
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
 * Caches must not store personal answers: a browser's cache outlives the logout. Public answers may be
 * stored, but the browser must revalidate them each time.
 */
function cacheControl(method: string, personal: boolean): string {
  if (personal) return 'private, no-store';
  return method === 'GET' || method === 'HEAD' ? 'no-cache' : 'no-store';
}

/** Writes the answer. `personal`: it is for one person only and must not be cached. */
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
