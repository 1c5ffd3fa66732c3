import { businessNameKey, sellerActor } from '@oja/domain';
import { DAY_MS, MINUTE_MS } from '@oja/domain/rules';
import { type Cookie, createRateLimiter, Overloaded, type RateRule, refuse } from '@oja/http';
import {
  type Attempts,
  addressBlock,
  createAttempts,
  createSecurityLog,
  SESSION_IDLE_MS,
  type StartedSession,
} from '@oja/platform';
import { contextFor } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { nameId, type RegisteredSeller, sellerByName } from './names.js';
import { finishReplaced, replacePassword } from './password.js';
import { clientOf, guessRule, tooManyGuesses } from './passwords.js';
import { userDetailsOf } from './seller-facts.js';

/** Holds the refresh token. Scripts cannot read it. */
const REFRESH_COOKIE = 'oja-refresh';

const noRefreshCookie: Cookie = { name: REFRESH_COOKIE, value: null };

/** The tokens that keep a browser signed in. */
export interface SignedIn {
  readonly accessToken: string;
  readonly cookies: readonly Cookie[];
}

async function issueTokens(
  { accessTokens, clock }: Pick<Deps, 'accessTokens' | 'clock'>,
  { subject, session, refreshToken }: StartedSession,
): Promise<SignedIn> {
  const maxAgeSeconds = SESSION_IDLE_MS / 1000;
  return {
    accessToken: await accessTokens.issue({ subject, session }, clock.now()),
    cookies: [{ name: REFRESH_COOKIE, value: refreshToken, maxAgeSeconds }],
  };
}

/** Starts a session: one login with one family of refresh tokens. */
export const signIn = async (
  deps: Pick<Deps, 'accessTokens' | 'clock' | 'sessions'>,
  sellerId: string,
): Promise<SignedIn> => issueTokens(deps, await deps.sessions.start(sellerId, deps.clock.now()));

/**
 * The same for somebody whose password was judged right when its stored version was `version`. Null
 * when it has been replaced since: that ended all sessions, and must end this one too. The version
 * is read after the session has begun, so that either this sees the new password, or whoever
 * replaced it finds the session.
 */
export async function signInUnlessReplaced(
  deps: Pick<Deps, 'accessTokens' | 'clock' | 'sessions' | 'passwords'>,
  sellerId: string,
  version: number | null,
): Promise<SignedIn | null> {
  const started = await deps.sessions.start(sellerId, deps.clock.now());
  if ((await deps.passwords.versionOf(sellerId, deps.clock.now())) === version)
    return issueTokens(deps, started);
  await deps.sessions.endByToken(started.refreshToken);
  return null;
}

/** Rotates the refresh token. When the session has ended, the cookie is removed too. */
export const refreshToken = (deps: Deps): Handler<'refreshToken'> => {
  const log = createSecurityLog(deps.logger);
  return async ({ cookie, clientAddress: from }) => {
    const token = cookie(REFRESH_COOKIE);
    if (token === undefined) return refuse(401, 'Please log in', { code: 'not_logged_in' });
    const next = await deps.sessions.refresh(token, deps.clock.now(), (subject, reason) =>
      log({ event: 'session-ended', outcome: 'refused', actor: null, subject, from, reason }),
    );
    if (next === null) {
      const ended = refuse(401, 'Your session has ended. Please log in again.', {
        code: 'session_ended',
      });
      return { ...ended, cookies: [noRefreshCookie] };
    }
    const { accessToken, cookies } = await issueTokens(deps, next);
    return { status: 200, body: { success: true, accessToken }, cookies };
  };
};

/** Ends the session, including its access tokens. Without a session it succeeds all the same. */
export const logout = (deps: Pick<Deps, 'sessions' | 'logger'>): Handler<'logout'> => {
  const log = createSecurityLog(deps.logger);
  return async ({ cookie, clientAddress: from }) => {
    const token = cookie(REFRESH_COOKIE);
    const actor = token === undefined ? null : await deps.sessions.endByToken(token);
    if (actor !== null)
      log({ event: 'session-ended', outcome: 'granted', actor, from, reason: 'logout' });
    return {
      status: 200,
      body: { success: true, message: 'logged out!' },
      cookies: [noRefreshCookie],
    };
  };
};

/**
 * Slows many addresses that guess passwords for one name. It applies to everyone who has not signed in by that
 * name from their address lately. So the owner is never slowed at home, and never for long elsewhere.
 */
const perName = {
  free: 20,
  firstWaitMs: 1_000,
  longestWaitMs: 30_000,
  forgetMs: 15 * MINUTE_MS,
};

/**
 * Slows one address that tries many names, each with a few common passwords. Thousands of phones
 * share one address of a Nigerian mobile network, so only failures count, never sign-ins: a network
 * with a thousand sellers who sign in once a day and mistype one time in ten has one failure in a
 * quarter of an hour. Names that have signed in from the address lately are exempt (the first rule
 * covers them), so an attacker behind the same address does not lock them out.
 */
const perAddress: RateRule = { name: 'login-failures', limit: 30, windowMs: 10 * MINUTE_MS };
/**
 * Bounds what one address costs that signs in again and again by a name whose password it knows:
 * each time is a hash, and a session that is kept for a month. Only sign-ins count, so nobody else
 * can keep the owner out.
 */
const perSignedIn: RateRule = { name: 'logins', limit: 60, windowMs: MINUTE_MS };
const KNOWN_SPACE = 'login-known';
const KNOWN_MS = 30 * DAY_MS;

interface LoginThrottle {
  /**
   * Returns the seconds to wait before the next try; 0 allows this one, at `now` (epoch milliseconds), which then
   * counts as a failure until `succeeded` is called.
   */
  begin(address: string, name: string, now: number): Promise<number>;
  succeeded(address: string, name: string): Promise<void>;
  /** Takes back a try that `begin` allowed at `now`, but whose password nobody looked at. */
  giveBack(address: string, name: string, now: number): Promise<void>;
}

/** Slows down password guessing without locking anyone out. */
function createLoginThrottle({
  state,
  clock,
  settings,
}: Pick<Deps, 'state' | 'clock' | 'settings'>): LoginThrottle {
  const limiter = createRateLimiter(state);
  const one: Attempts = createAttempts(state, guessRule);
  const all: Attempts = createAttempts(state, perName);
  const keysOf = (address: string, name: string) => {
    const id = nameId(businessNameKey(name));
    const block = addressBlock(address);
    return { pair: `login/${id}/${block}`, name: `login/${id}`, block };
  };
  return {
    async begin(address, name, now) {
      const keys = keysOf(address, name);
      const seconds = await limiter.waitFor(perSignedIn, keys.pair, now);
      if (seconds > 0) return seconds;
      const isKnown = (await state.get(KNOWN_SPACE, keys.pair, now)) !== null;
      if (!isKnown) {
        const counted = await limiter.hit(perAddress, keys.block, now);
        if (!counted.allowed) return counted.retryAfterSeconds;
      }
      const pairMs = await one.begin(keys.pair, now);
      const nameMs = pairMs > 0 || isKnown ? 0 : await all.begin(keys.name, now);
      // Whoever is told to wait has failed at nothing yet, however often they press.
      if (nameMs > 0) await one.giveBack(keys.pair, now);
      if (pairMs + nameMs > 0 && !isKnown) await limiter.giveBack(perAddress, keys.block, now);
      return Math.ceil((pairMs + nameMs) / 1000);
    },
    async succeeded(address, name) {
      const keys = keysOf(address, name);
      const now = clock.now();
      const wasKnown = (await state.get(KNOWN_SPACE, keys.pair, now)) !== null;
      await Promise.all([
        one.succeeded(keys.pair),
        // Only what was counted is given back: other people's failures stay counted.
        wasKnown ? null : all.succeeded(keys.name),
        wasKnown ? null : limiter.giveBack(perAddress, keys.block, now),
        // One hurried person, or a test, uses a demo.
        settings.demo ? null : limiter.hit(perSignedIn, keys.pair, now),
        state.put(KNOWN_SPACE, keys.pair, {}, now, { expiresAt: now + KNOWN_MS }),
      ]);
    },
    async giveBack(address, name, now) {
      const keys = keysOf(address, name);
      const isKnown = (await state.get(KNOWN_SPACE, keys.pair, now)) !== null;
      await Promise.all([
        one.giveBack(keys.pair, now),
        isKnown ? null : all.giveBack(keys.name, now),
        isKnown ? null : limiter.giveBack(perAddress, keys.block, now),
      ]);
    },
  };
}

type LoginRequest = Parameters<Handler<'login'>>[0];

interface Credentials {
  readonly businessName: string;
  readonly password: string;
}

const wrongLogin = () => refuse(401, 'Wrong business name or password', { code: 'wrong_login' });

/** A seller whose password was right. `version`: of their stored password, read before it was judged. */
interface RecognisedSeller {
  readonly own: RegisteredSeller;
  readonly version: number | null;
}

/**
 * Checks name and password. The answer and the time it takes are the same whether the name or the
 * password is wrong.
 */
function createCredentialCheck(deps: Deps) {
  const throttle = createLoginThrottle(deps);
  return async (
    { businessName, password }: Credentials,
    request: Pick<LoginRequest, 'clientAddress' | 'disconnected'>,
  ): Promise<RecognisedSeller | ReturnType<typeof refuse>> => {
    const { clientAddress, disconnected } = request;
    const now = deps.clock.now();
    const waitSeconds = await throttle.begin(clientAddress, businessName, now);
    if (waitSeconds > 0) return tooManyGuesses(waitSeconds);
    const look = async () => {
      const own = await sellerByName(deps, businessName);
      const sellerId = own?.facts.state.sellerId ?? null;
      const version = await deps.passwords.versionOf(sellerId ?? 'nobody', now);
      const right = await deps.passwords.matches(sellerId, password, now, clientOf(request));
      return { own, version, right };
    };
    const { own, version, right } = await look().catch(async (error: unknown) => {
      // The queue was full or an engine away, so nothing was guessed. Whoever hangs up gets no tries back: they could
      // fill the queue again and again.
      if (!(error instanceof Overloaded && disconnected.aborted))
        await throttle.giveBack(clientAddress, businessName, now);
      throw error;
    });
    if (!right || own === null) return wrongLogin();
    await throttle.succeeded(clientAddress, businessName);
    return { own, version };
  };
}

async function loginAnswer(deps: Deps, { own: { facts }, version }: RecognisedSeller) {
  const signedIn = await signInUnlessReplaced(deps, facts.state.sellerId, version);
  if (signedIn === null) return wrongLogin();
  const { accessToken, cookies } = signedIn;
  const userDetails = await userDetailsOf(deps, facts);
  return { status: 200, body: { success: true, userDetails, accessToken }, cookies } as const;
}

/** Signs a seller in. 401: wrong name or password; 403: a one-time password; 429: too many tries. */
export function login(deps: Deps): Handler<'login'> {
  const recognise = createCredentialCheck(deps);
  return async (request) => {
    const { body } = request;
    const recognised = await recognise(body, request);
    if ('failed' in recognised) return recognised;
    const { sellerId } = recognised.own.facts.state;
    if (await deps.passwords.isOneTime(sellerId, deps.clock.now()))
      return refuse(403, 'This password was given to you for one time: choose your own now', {
        code: 'choose_password',
      });
    return loginAnswer(deps, recognised);
  };
}

/** Like `login`, but also replaces the password. All other sessions end. */
export function loginWithNewPassword(deps: Deps): Handler<'loginWithNewPassword'> {
  const recognise = createCredentialCheck(deps);
  return async (request) => {
    const { body, clientAddress: from } = request;
    const { password: old, new_password: wanted } = body;
    const client = clientOf(request);
    const endingOf = (actor: string) => ({ actor, from, reason: 'password-changed' });
    const recognised = await recognise(body, request);
    if ('failed' in recognised) {
      // The new password, too, is a guess of somebody whom nobody has recognised.
      if (recognised.failed.status === 429) return recognised;
      const own = await sellerByName(deps, body.businessName);
      if (own === null) return recognised;
      const { sellerId } = own.facts.state;
      const version = await deps.passwords.versionOf(sellerId, deps.clock.now());
      const context = contextFor(request, sellerActor(sellerId));
      const finishing = { wanted, client, context, ending: endingOf(sellerId) };
      if (!(await finishReplaced(deps, own, finishing))) return recognised;
      return loginAnswer(deps, { own, version });
    }
    const { own, version: before } = recognised;
    const { sellerId } = own.facts.state;
    const context = contextFor(request, sellerActor(sellerId));
    const ending = endingOf(sellerId);
    const replacing = { old, before, wanted, client, context, ending };
    const replaced = await replacePassword(deps, own, replacing);
    if ('failed' in replaced) return replaced;
    return loginAnswer(deps, { own, version: replaced.version });
  };
}
