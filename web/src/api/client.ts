import { IDEMPOTENCY_HEADER, POSITION_HEADER } from '@oja/contracts/wire';
import { ApiError, failureOf } from './error.js';
import { clickKey } from './key.js';
import { knownPosition, rememberPosition } from './position.js';
import { accessToken, setAccessToken } from './token.js';
import { request } from './transport.js';
import type { Answer } from './types.js';

/** As the product's rules have it: 100 minutes, for slow networks. In ms. */
export const REQUEST_TIMEOUT_MS = 6_000_000;
/** Waits before a write is sent again after no answer came, in ms. */
const RETRY_AFTER_MS = [1_000, 3_000] as const;

export type WriteMethod = 'POST' | 'PUT' | 'DELETE';
type Query = Readonly<Record<string, string | number | undefined>>;

export interface ReadOptions {
  readonly query?: Query;
  readonly signal?: AbortSignal;
}

export interface WriteOptions extends ReadOptions {
  readonly body?: unknown;
  /** One a click: give the same again when the same click is tried again. Made afresh when left out. */
  readonly key?: string;
  /** Sent as `Oja-Position` in place of the tab's own. */
  readonly position?: string;
}

interface Attempt extends WriteOptions {
  readonly method: 'GET' | WriteMethod;
  readonly path: string;
}

let sessionEnded: () => void = () => {};

/** Called when the server says that the session is over. */
export function onSessionEnded(then: () => void): void {
  sessionEnded = then;
}

/** Reads. @throws ApiError */
export function get<T>(path: string, options: ReadOptions = {}): Promise<T> {
  return answered<T>({ ...options, method: 'GET', path });
}

/**
 * Writes, with one Idempotency-Key for all its tries, so that a lost answer never makes a toggle flip back.
 * @throws ApiError
 */
export async function send<T>(
  method: WriteMethod,
  path: string,
  options: WriteOptions = {},
): Promise<T> {
  const attempt = { ...options, method, path, key: options.key ?? clickKey() };
  for (const wait of RETRY_AFTER_MS) {
    try {
      return await answered<T>(attempt);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.unanswered || !navigator.onLine) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  return answered<T>(attempt);
}

/** On 403 the token is refreshed once and the call made again; if that fails, the 403 is passed on. */
async function answered<T>(attempt: Attempt): Promise<T> {
  const used = accessToken();
  try {
    return await once<T>(attempt);
  } catch (error) {
    if (!(error instanceof ApiError) || used === undefined) throw error;
    if (error.status === 401) sessionEnded();
    if (error.status !== 403 || !(await refreshToken(used))) throw error;
    return once<T>(attempt);
  }
}

let refreshing: Promise<boolean> | undefined;

/**
 * Gets a fresh access token by the cookie: once for all calls of this tab that wait for it, and in turn with other
 * tabs, since each refresh turns the cookie over.
 * @param stale the token found wanting
 * @returns whether there is a fresh one now
 */
export function refreshToken(stale: string | undefined): Promise<boolean> {
  if (accessToken() !== stale) return Promise.resolve(accessToken() !== undefined);
  refreshing ??= inTurn(refreshOnce).finally(() => {
    refreshing = undefined;
  });
  return refreshing;
}

/** Locks are absent where the page is not served securely. */
function inTurn(work: () => Promise<boolean>): Promise<boolean> {
  const locks: LockManager | null | undefined = navigator.locks;
  return locks ? locks.request('oja-refresh', work) : work();
}

async function refreshOnce(): Promise<boolean> {
  try {
    const answer = await once<Answer<'refreshToken'>>({ method: 'GET', path: '/v1/refresh-token' });
    setAccessToken(answer.accessToken);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) sessionEnded();
    return false;
  }
}

async function once<T>({ method, path, query, body, key, position, signal }: Attempt): Promise<T> {
  const headers = new Headers({ Accept: 'application/json' });
  const token = accessToken();
  const known = position ?? (method === 'GET' ? knownPosition() : undefined);
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  if (known !== undefined) headers.set(POSITION_HEADER, known);
  if (key !== undefined) headers.set(IDEMPOTENCY_HEADER, key);
  if (body !== undefined) headers.set('Content-Type', 'application/json');

  const timer = new AbortController();
  const stop = setTimeout(
    () => timer.abort(new DOMException('', 'TimeoutError')),
    REQUEST_TIMEOUT_MS,
  );
  const follow = () => timer.abort(signal?.reason);
  if (signal?.aborted) follow();
  signal?.addEventListener('abort', follow);
  try {
    const response = await request(withQuery(path, query), {
      method,
      headers,
      credentials: 'include',
      signal: timer.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    rememberPosition(response.headers.get(POSITION_HEADER));
    if (response.status < 200 || response.status >= 400) throw await failureOf(response);
    return await parsed<T>(response);
  } catch (error) {
    throw error instanceof ApiError ? error : unanswered(error, signal);
  } finally {
    clearTimeout(stop);
    signal?.removeEventListener('abort', follow);
  }
}

/** The one parsed boundary: what a call answers with 2xx is what contracts say it does. */
async function parsed<T>(response: Response): Promise<T> {
  const text = await response.text();
  return (text === '' ? {} : JSON.parse(text)) as T;
}

function unanswered(error: unknown, signal: AbortSignal | undefined): ApiError {
  if (signal?.aborted) return new ApiError({ status: 0, code: 'aborted', message: 'Stopped.' });
  if (!navigator.onLine)
    return new ApiError({ status: 0, code: 'offline', message: 'You are offline.' });
  const late = error instanceof DOMException && error.name === 'TimeoutError';
  return new ApiError({
    status: 0,
    code: late ? 'timeout' : 'network',
    message: 'The market could not be reached. Try again.',
  });
}

/** A path with what is set of the query, in the order given. */
export function withQuery(path: string, query: Query = {}): string {
  const set = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`;
}
