import { businessNameKey } from '@oja/domain';
import { DAY_MS, MINUTE_MS } from '@oja/domain/rules';
import { type Cookie, createRateLimiter, type RateRule, refuse } from '@oja/http';
import {
  type Attempts,
  addressBlock,
  createAttempts,
  createSecurityLog,
  SESSION_IDLE_MS,
  type StartedSession,
} from '@oja/platform';
import type { Deps, Handler } from '../deps.js';
import { endSessions } from '../security-log.js';
import { nameId, sellerByName } from './names.js';
import { replacePassword } from './password.js';
import { type SellerFacts, userDetailsOf } from './seller-facts.js';

/** Holds the refresh token; no script can read it. */
const REFRESH_COOKIE = 'oja-refresh';

const noRefreshCookie: Cookie = { name: REFRESH_COOKIE, value: null };

/** What a browser needs to go on being somebody. */
interface SignedIn {
  readonly accessToken: string;
  readonly cookies: readonly Cookie[];
}

async function tokensOf(
  { accessTokens, clock }: Pick<Deps, 'accessTokens' | 'clock'>,
  { subject, session, refreshToken }: StartedSession,
): Promise<SignedIn> {
  const maxAgeSeconds = SESSION_IDLE_MS / 1000;
  return {
    accessToken: await accessTokens.issue({ subject, session }, clock.now()),
    cookies: [{ name: REFRESH_COOKIE, value: refreshToken, maxAgeSeconds }],
  };
}

/** Begins a session: one login, one family of refresh tokens. */
export const signIn = async (
  deps: Pick<Deps, 'accessTokens' | 'clock' | 'sessions'>,
  sellerId: string,
): Promise<SignedIn> => tokensOf(deps, await deps.sessions.start(sellerId, deps.clock.now()));

/** Rotates the refresh token; a session that has ended takes its cookie with it. */
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
    const { accessToken, cookies } = await tokensOf(deps, next);
    return { status: 200, body: { success: true, accessToken }, cookies };
  };
};

/** Ends the session, its access tokens included; whoever has none is logged out all the same. */
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

/** One address that guesses at one name is slowed soon and much. */
const perAddressAndName = {
  free: 5,
  firstWaitMs: 1_000,
  longestWaitMs: 5 * 60_000,
  forgetMs: 60 * 60_000,
};
/**
 * Many addresses that guess at one name slow it down for everybody who has not signed in by it from where they are
 * lately: its owner is let in at home, and elsewhere never waits for long.
 */
const perName = {
  free: 20,
  firstWaitMs: 1_000,
  longestWaitMs: 30_000,
  forgetMs: 15 * 60_000,
};

/**
 * One address that tries many names, each with the same few passwords. Thousands of phones share the address
 * of a Nigerian mobile network, so it is failures that count, never sign-ins: a network whose thousand sellers
 * sign in once a day and mistype one time in ten fails once in a quarter of an hour. Names that have signed in
 * from the address lately are left to the first rule above, so a guesser beside them does not shut them out.
 */
const perAddress: RateRule = { name: 'login-failures', limit: 30, windowMs: 10 * MINUTE_MS };
const KNOWN_SPACE = 'login-known';
const KNOWN_MS = 30 * DAY_MS;

interface LoginThrottle {
  /** Seconds to wait before the next try; 0: go on. */
  begin(address: string, name: string): Promise<number>;
  succeeded(address: string, name: string): Promise<void>;
}

/** Slows down whoever guesses passwords, without locking anybody out. */
function createLoginThrottle({ state, clock }: Pick<Deps, 'state' | 'clock'>): LoginThrottle {
  const failures = createRateLimiter(state);
  const one: Attempts = createAttempts(state, perAddressAndName);
  const all: Attempts = createAttempts(state, perName);
  const keysOf = (address: string, name: string) => {
    const id = nameId(businessNameKey(name));
    const block = addressBlock(address);
    return { pair: `login/${id}/${block}`, name: `login/${id}`, block };
  };
  return {
    async begin(address, name) {
      const keys = keysOf(address, name);
      const now = clock.now();
      const isKnown = (await state.get(KNOWN_SPACE, keys.pair, now)) !== null;
      if (!isKnown) {
        const counted = await failures.hit(perAddress, keys.block, now);
        if (!counted.allowed) return counted.retryAfterSeconds;
      }
      const pairMs = await one.begin(keys.pair, now);
      const waitMs = pairMs > 0 || isKnown ? pairMs : await all.begin(keys.name, now);
      return Math.ceil(waitMs / 1000);
    },
    async succeeded(address, name) {
      const keys = keysOf(address, name);
      const now = clock.now();
      const wasKnown = (await state.get(KNOWN_SPACE, keys.pair, now)) !== null;
      await Promise.all([
        one.succeeded(keys.pair),
        // What was not counted is not taken back: the guesses of others stay counted.
        wasKnown ? null : all.succeeded(keys.name),
        wasKnown ? null : failures.giveBack(perAddress, keys.block, now),
        state.put(KNOWN_SPACE, keys.pair, {}, now, { expiresAt: now + KNOWN_MS }),
      ]);
    },
  };
}

const tooOften = (seconds: number) =>
  refuse(429, `That was tried too often. Please wait ${seconds} seconds and try again`, {
    headers: { 'Retry-After': String(seconds) },
  });

type Asked = Parameters<Handler<'login'>>[0];

interface Credentials {
  readonly businessName: string;
  readonly password: string;
}

/** The same answer after the same work, whether the name or the password is wrong. */
function createRecognition(deps: Deps) {
  const throttle = createLoginThrottle(deps);
  return async (
    { businessName, password }: Credentials,
    { clientAddress, left }: Pick<Asked, 'clientAddress' | 'left'>,
  ) => {
    const waitSeconds = await throttle.begin(clientAddress, businessName);
    if (waitSeconds > 0) return tooOften(waitSeconds);
    const facts = (await sellerByName(deps, businessName))?.facts ?? null;
    const sellerId = facts?.state.sellerId ?? null;
    const right = await deps.passwords.matches(sellerId, password, deps.clock.now(), {
      address: clientAddress,
      left,
    });
    if (!right || facts === null)
      return refuse(401, 'Wrong business name or password', { code: 'wrong_login' });
    await throttle.succeeded(clientAddress, businessName);
    return facts;
  };
}

async function welcome(deps: Deps, facts: SellerFacts) {
  const { accessToken, cookies } = await signIn(deps, facts.state.sellerId);
  const userDetails = await userDetailsOf(deps, facts);
  return { status: 200, body: { success: true, userDetails, accessToken }, cookies } as const;
}

/** Signs a seller in. 401: wrong name or password; 403: a password for one time; 429: tried too often. */
export function login(deps: Deps): Handler<'login'> {
  const recognise = createRecognition(deps);
  return async (request) => {
    const { body } = request;
    const facts = await recognise(body, request);
    if ('failed' in facts) return facts;
    if (await deps.passwords.isOneTime(facts.state.sellerId, deps.clock.now()))
      return refuse(403, 'This password was given to you for one time: choose your own now', {
        code: 'choose_password',
      });
    return welcome(deps, facts);
  };
}

/** As `login`, with a new password in place of the one given; whoever else was signed in is signed out. */
export function loginWithNewPassword(deps: Deps): Handler<'loginWithNewPassword'> {
  const recognise = createRecognition(deps);
  return async (request) => {
    const { body } = request;
    const facts = await recognise(body, request);
    if ('failed' in facts) return facts;
    const refused = await replacePassword(deps, facts, body.password, body.new_password);
    if (refused !== null) return refused;
    const { sellerId } = facts.state;
    await endSessions(deps, sellerId, {
      actor: sellerId,
      from: request.clientAddress,
      reason: 'password-changed',
    });
    return welcome(deps, facts);
  };
}
