import { IDEMPOTENCY_HEADER, POSITION_HEADER, REFRESH_LOCK } from '@oja/contracts/wire';
import { syncStores, useAuthStorage } from '../stores/persistent-store.js';
import { endpointOf } from './call-address.js';
import { ApiError, toApiError } from './error.js';
import type { Answer, Body, CallName, PathParams, Query } from './types.js';

/** Required by the product rules: 100 minutes, for slow networks. In ms. */
export const REQUEST_TIMEOUT_MS = 6_000_000;
/** Delays in ms before a write that got no answer is sent again. */
const RETRY_AFTER_MS = [1_000, 3_000] as const;

/** Options of a call beyond what the contract says it takes. */
interface CallOptions {
  readonly signal?: AbortSignal;
  /** Idempotency key: one per click. Pass the same key when the same click is retried; generated when left out. */
  readonly key?: string;
  /** Sent as `Oja-Position` instead of the position this tab remembers. */
  readonly position?: string;
  /** Sent without the access token: who is signed in makes no difference, also to the Idempotency-Key. */
  readonly anonymous?: true;
}

/** Requires `params` and `body` where the call has them; its query is optional. */
type CallArguments<Name extends CallName> = CallOptions &
  (keyof PathParams<Name> extends never ? unknown : { readonly params: PathParams<Name> }) &
  (Body<Name> extends undefined ? unknown : { readonly body: Body<Name> }) &
  (Query<Name> extends undefined ? unknown : { readonly query?: Query<Name> });

/** Makes the whole argument optional for a call that needs neither parameters nor a body. */
type Arguments<Name extends CallName> =
  Record<never, never> extends CallArguments<Name>
    ? [asked?: CallArguments<Name>]
    : [asked: CallArguments<Name>];

interface Attempt extends CallOptions {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** See `ApiError`. */
  readonly isRepeat?: boolean;
}

let sessionEnded: () => void = () => {};

/** Registers the function that is called when the server says that the session is over. */
export function onSessionEnded(then: () => void): void {
  sessionEnded = then;
}

interface UntypedArguments extends CallOptions {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | undefined>> | undefined;
  readonly body?: unknown;
}

/**
 * Makes a call of the table in `contracts`, by its name. A read is sent once. A write is sent again when no
 * answer came, with the same Idempotency-Key for all attempts, so that a lost answer never flips a toggle
 * back.
 * @throws ApiError
 */
export function call<Name extends CallName>(
  name: Name,
  ...[args]: Arguments<Name>
): Promise<Answer<Name>> {
  const { params = {}, query = {}, ...options }: UntypedArguments = args ?? {};
  const [method, template] = endpointOf(name);
  const path = template.replace(/:(\w+)/g, (_, param: string) =>
    encodeURIComponent(params[param] ?? ''),
  );
  const attempt = { ...options, method, path: appendQuery(path, query) };
  return method === 'GET' ? withRefresh(attempt) : withRetries(attempt);
}

/** Retries a write until an answer comes, the delays are used up, or somebody else is logged in. */
async function withRetries<T>(write: Attempt): Promise<T> {
  const attempt = { ...write, key: write.key ?? newIdempotencyKey(), isRepeat: false };
  const began = session;
  for (const wait of RETRY_AFTER_MS) {
    try {
      return await withRefresh<T>(attempt);
    } catch (error) {
      if (!(error instanceof ApiError) || !error.isUnanswered || !navigator.onLine) throw error;
      await new Promise((resolve) => setTimeout(resolve, wait));
      if (session !== began) throw error;
      attempt.isRepeat = true;
    }
  }
  return withRefresh<T>(attempt);
}

/**
 * On 401 and 403 the token is refreshed once and the call is repeated; if the refresh fails, the first answer is
 * thrown. The same person may have logged in again in another tab, so that only the cookie tells whether the
 * session is over. An answer to the session before must neither end the one that began meanwhile nor be
 * repeated in its name.
 */
async function withRefresh<T>(attempt: Attempt, isRetry = false): Promise<T> {
  const used = accessToken();
  const began = session;
  try {
    return await send<T>(attempt);
  } catch (error) {
    if (!(error instanceof ApiError) || used === undefined) throw error;
    // A wrong password typed into the login says nothing about whoever is signed in meanwhile.
    const isSignedOut = error.status === 401 && error.code !== 'wrong_login';
    const isRefused = isSignedOut || error.status === 403;
    if (isRefused && !isRetry && (await refreshToken(used)) && session === began)
      return withRefresh<T>(attempt, true);
    if (isSignedOut && isRetry && session === began) sessionEnded();
    throw error;
  }
}

let refreshing: Promise<boolean> | undefined;

/**
 * Gets a fresh access token with the refresh cookie. All calls of this tab share one refresh, and tabs take
 * turns, since each refresh rotates the cookie.
 * @param stale the token that the server refused
 * @returns whether there is a fresh token now
 */
export function refreshToken(stale: string | undefined): Promise<boolean> {
  if (accessToken() !== stale) return Promise.resolve(Boolean(accessToken()));
  if (refreshing === undefined) {
    const began = session;
    const mine = withRefreshLock(() => refreshOnce(began)).finally(() => {
      if (refreshing === mine) refreshing = undefined;
    });
    refreshing = mine;
  }
  return refreshing;
}

/** The Web Locks API is missing on pages that are not served over HTTPS. */
function withRefreshLock(work: () => Promise<boolean>): Promise<boolean> {
  const locks: LockManager | null | undefined = navigator.locks;
  return locks ? locks.request(REFRESH_LOCK, work) : work();
}

/**
 * When somebody has logged in or out since it began, the answer is for the session before, and changes nothing. A login
 * changes the cookie before it is stored who that is: if the page was closed in between, the session ends here.
 */
async function refreshOnce(began: number): Promise<boolean> {
  try {
    const [method, path] = endpointOf('refreshToken');
    const answer = await send<Answer<'refreshToken'>>({ method, path });
    syncStores();
    // Tokens name whom they are for.
    const [, subject] = /"sub":"(.*?)"/.exec(atob(answer.accessToken.split('.')[1] ?? '')) ?? [];
    const isOther = subject !== undefined && subject !== useAuthStorage.getState().user?.user_id;
    if (session === began)
      if (isOther) sessionEnded();
      else token = answer.accessToken;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) console.error(error);
    else if (session === began) sessionEnded();
    if (session === began) return false;
  }
  return Boolean(accessToken());
}

async function send<T>(attempt: Attempt): Promise<T> {
  const { method, path, body, key, position, signal, anonymous, isRepeat } = attempt;
  const headers = new Headers({ Accept: 'application/json' });
  const token = anonymous ? undefined : accessToken();
  const known = position ?? (method === 'GET' ? lastPosition : undefined);
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
  if (known !== undefined) headers.set(POSITION_HEADER, known);
  if (key !== undefined) headers.set(IDEMPOTENCY_HEADER, key);
  if (body !== undefined) headers.set('Content-Type', 'application/json');

  const timer = new AbortController();
  const timeout = setTimeout(
    () => timer.abort(new DOMException('', 'TimeoutError')),
    REQUEST_TIMEOUT_MS,
  );
  const forwardAbort = () => timer.abort(signal?.reason);
  if (signal?.aborted) forwardAbort();
  signal?.addEventListener('abort', forwardAbort);
  try {
    const response = await transport(path, {
      method,
      headers,
      credentials: 'include',
      signal: timer.signal,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    rememberPosition(response.headers.get(POSITION_HEADER));
    if (response.status < 200 || response.status >= 400) throw await toApiError(response, isRepeat);
    return await parseBody<T>(response);
  } catch (error) {
    throw error instanceof ApiError ? error : toUnansweredError(error, signal);
  } finally {
    clearTimeout(timeout);
    signal?.removeEventListener('abort', forwardAbort);
  }
}

/** The one unchecked cast: the body of a 2xx answer is trusted to be what the contracts describe. */
async function parseBody<T>(response: Response): Promise<T> {
  return JSON.parse((await response.text()) || '{}') as T;
}

function toUnansweredError(error: unknown, signal: AbortSignal | undefined): ApiError {
  const failed = (code: string, message: string) => new ApiError({ status: 0, code, message });
  if (signal?.aborted) return failed('aborted', 'Stopped.');
  if (!navigator.onLine) return failed('offline', 'You are offline.');
  const late = error instanceof DOMException && error.name === 'TimeoutError';
  return failed(late ? 'timeout' : 'network', 'The market could not be reached. Try again.');
}

/** The path with the query parameters that are set, in the given order. */
function appendQuery(path: string, query: NonNullable<UntypedArguments['query']>): string {
  const set = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return set.length === 0 ? path : `${path}?${new URLSearchParams(set)}`;
}

type Transport = (path: string, init: RequestInit) => Promise<Response>;

/** The browser's `fetch`, or what replaced it. */
let transport: Transport = (path, init) => fetch(path, init);

/** Replaces `fetch`, for a server that renders pages and answers their calls in its own process. */
export function setTransport(own: Transport): void {
  transport = own;
}

/** The access token is kept in memory only, so that it can never be read from disk. */
let token: string | undefined;
/** The number of log-ins and log-outs so far, which tells the sessions of this tab apart. */
let session = 0;

export function accessToken(): string | undefined {
  return token;
}

/** Begins a session, or ends one. */
export function setAccessToken(next: string | undefined): void {
  token = next;
  session += 1;
  refreshing = undefined;
}

/** The log position after this tab's last write. Reads send it, so that people see what they just did. */
let lastPosition: string | undefined;

/**
 * Remembers the position from an answer: log id, dot, 20 digits. Answers may come out of order, so that an
 * earlier position of the same log changes nothing.
 */
function rememberPosition(received: string | null): void {
  if (
    received === null ||
    (lastPosition?.startsWith(received.slice(0, -20)) && received < lastPosition)
  )
    return;
  lastPosition = received;
}

/** A new idempotency key. No UUID: `crypto.randomUUID` is missing on pages that are not served over HTTPS. */
export const newIdempotencyKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join();
