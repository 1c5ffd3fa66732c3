import { IDEMPOTENCY_HEADER, POSITION_HEADER } from '@oja/contracts/wire';
import { ApiError, failureOf } from './error.js';
import type { Answer, Body, CallName, PathParams, Query } from './types.js';

/** As the product's rules have it: 100 minutes, for slow networks. In ms. */
export const REQUEST_TIMEOUT_MS = 6_000_000;
/** Waits before a write is sent again after no answer came, in ms. */
const RETRY_AFTER_MS = [1_000, 3_000] as const;

/** What may be said with a call, beside what the table says it takes. */
interface CallOptions {
  readonly signal?: AbortSignal;
  /** One a click: give the same again when the same click is tried again. Made afresh when left out. */
  readonly key?: string;
  /** Sent as `Oja-Position` in place of the tab's own. */
  readonly position?: string;
}

/** Says `params` and `body` where the call has them, and any of its query. */
type Asked<Name extends CallName> = CallOptions &
  (keyof PathParams<Name> extends never ? unknown : { readonly params: PathParams<Name> }) &
  (Body<Name> extends undefined ? unknown : { readonly body: Body<Name> }) &
  (Query<Name> extends undefined ? unknown : { readonly query?: Query<Name> });

/** What can be left out altogether: a call that needs neither parameters nor a body. */
type Arguments<Name extends CallName> =
  Record<never, never> extends Asked<Name> ? [asked?: Asked<Name>] : [asked: Asked<Name>];

interface Attempt extends CallOptions {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
}

let sessionEnded: () => void = () => {};

/** Called when the server says that the session is over. */
export function onSessionEnded(then: () => void): void {
  sessionEnded = then;
}

interface LooselyAsked extends CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: unknown;
}

/**
 * Makes a call of the table in `contracts`, by its name. A read is made once. A write is sent again when no answer
 * came, with one Idempotency-Key for all its tries, so that a lost answer never makes a toggle flip back.
 * @throws ApiError
 */
export function call<Name extends CallName>(
  name: Name,
  ...[asked]: Arguments<Name>
): Promise<Answer<Name>> {
  const { params = {}, query = {}, ...options }: LooselyAsked = asked ?? {};
  const [method, template] = addressOf(name);
  const path = template.replace(/:(\w+)/g, (_, param: string) =>
    encodeURIComponent(params[param] ?? ''),
  );
  const attempt = { ...options, method, path: withQuery(path, query) };
  return method === 'GET' ? answered(attempt) : persisted(attempt);
}

/**
 * Method and path of a call. Where a call is named in the source, `scripts/call-addresses.mjs` puts them in the place
 * of its name, so that each part of the app carries the addresses of its own calls and no schemas.
 */
function addressOf(name: CallName): readonly [method: string, path: string] {
  const [method = '', path] = name.split(' ');
  if (path === undefined) throw new Error(`${name} has to be named where it is called`);
  return [method, path];
}

/** Tries a write again until an answer comes or the last wait is over. */
async function persisted<T>(write: Attempt): Promise<T> {
  const attempt = { ...write, key: write.key ?? clickKey() };
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
    const [method, path] = addressOf('refreshToken');
    const answer = await once<Answer<'refreshToken'>>({ method, path });
    setAccessToken(answer.accessToken);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) sessionEnded();
    else console.error(error);
    return false;
  }
}

async function once<T>({ method, path, body, key, position, signal }: Attempt): Promise<T> {
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
    const response = await request(path, {
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
function withQuery(path: string, query: NonNullable<LooselyAsked['query']>): string {
  const set = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`;
}

type Transport = (path: string, init: RequestInit) => Promise<Response>;

let transport: Transport = (path, init) => fetch(path, init);

/** How calls leave: by the browser's own fetch, or by what took its place. */
const request: Transport = (path, init) => transport(path, init);

/** A server that renders pages answers their calls itself. */
export function answerCallsBy(own: Transport): void {
  transport = own;
}

/** The access token lives in the tab's memory only: nothing that runs later can read it from a disk. */
let token: string | undefined;

export function accessToken(): string | undefined {
  return token;
}

export function setAccessToken(next: string | undefined): void {
  token = next;
}

/** How far the log had come when this tab last wrote: given back with each read, so people see what they just did. */
let position: string | undefined;

function knownPosition(): string | undefined {
  return position;
}

/** Remembers what an answer says; one that says nothing changes nothing. */
function rememberPosition(said: string | null): void {
  if (said !== null) position = said;
}

/** A key for one click. `randomUUID` is missing where the page is not served securely. */
export function clickKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
