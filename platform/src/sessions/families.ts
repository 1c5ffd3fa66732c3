import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { State } from '../state/port.js';

/** A session nobody has refreshed for this long is over. */
export const SESSION_IDLE_MS = 30 * 24 * 3_600_000;
/** A session is over at this age, however often it was refreshed. */
export const SESSION_MAX_AGE_MS = 90 * 24 * 3_600_000;
/** For so long the token before the current one may be asked for by who never got the answer. */
export const LOST_ANSWER_MS = 60_000;

const SPACE = 'session';
const RACE_TRIES = 5;

/** A family is one login: all the refresh tokens that followed from it, of which one is current. */
type Family = {
  readonly seed: string;
  readonly generation: number;
  readonly startedAt: number;
  /** When the current token was first given out; families of earlier versions do not say. */
  readonly rotatedAt?: number;
};

export interface StartedSession {
  readonly subject: string;
  readonly session: string;
  /** For the cookie: opaque to everyone. */
  readonly refreshToken: string;
}

/** Two held its cookie; or it had its greatest age. */
export type SessionEnd = 'cookie-used-twice' | 'greatest-age';

export interface Sessions {
  start(subject: string, now: number): Promise<StartedSession>;
  /**
   * Exchanges a refresh token for its successor; null ends in 401. The token before the current one is
   * answered with that same current one for a minute, because its answer may have been lost or asked
   * for by two tabs; later, or of anything older, two hold the cookie and one of them stole it: the
   * family ends. `ended` is told whose family this call has ended, and why.
   */
  refresh(
    token: string,
    now: number,
    ended?: (subject: string, why: SessionEnd) => void,
  ): Promise<StartedSession | null>;
  isOpen(subject: string, session: string, now: number): Promise<boolean>;
  /** Ends the session of a refresh token, whichever of its family it is; answers whose it was, null: it was none. */
  endByToken(token: string): Promise<string | null>;
  /** Ends all of a person's, or all but the one that is kept; answers how many. */
  endAll(subject: string, now: number, kept?: string): Promise<number>;
}

interface ParsedToken {
  readonly subject: string;
  readonly session: string;
  /** Null in a token of an earlier version, which did not say. */
  readonly generation: number | null;
  readonly mac: Buffer;
}

/** How far back a token that does not say its generation is looked for among those that were. */
const LOOK_BACK = 64;

const endOf = ({ startedAt }: Family, now: number): number =>
  Math.min(now + SESSION_IDLE_MS, startedAt + SESSION_MAX_AGE_MS);

const keyOf = (subject: string, session: string) => `${subject}/${session}`;

/**
 * Digits for a generation that no base64 has: release 0.1.0 reads a token's last part as base64 and passes over what
 * is none, so that a session goes on at either release while both serve.
 */
const DIGITS = '!*~';

const toDigits = (generation: number): string =>
  [...generation.toString(DIGITS.length)].map((digit) => DIGITS[Number(digit)]).join('');

const fromDigits = (digits: string): number =>
  Number.parseInt([...digits].map((digit) => DIGITS.indexOf(digit)).join(''), DIGITS.length);

const TOKEN = /^([^.]+)\.([^.]+)\.([\w-]+)([!*~]{0,25})$/;

function parse(token: string): ParsedToken | null {
  if (token.length > 300) return null;
  const [, subject, session, mac, digits = ''] = TOKEN.exec(token) ?? [];
  if (!subject || !session || !mac) return null;
  const generation = digits === '' ? null : fromDigits(digits);
  return { subject, session, generation, mac: Buffer.from(mac, 'base64url') };
}

/**
 * Refresh tokens are HMACs of (family's random seed, generation) under the token secret: what is
 * stored opens nothing by itself, and a successor can be given a second time without keeping it. A
 * token says its generation, so that checking one costs the same however often its session was refreshed.
 * Those under the fallback, the secret before or the one to come, are taken as well and never given out.
 */
export function createSessions(
  state: State,
  secret: string,
  fallback: string | null = null,
): Sessions {
  const secrets = fallback === null ? [secret] : [secret, fallback];
  const mac = (session: string, seed: string, generation: number, under = secret) =>
    createHmac('sha256', under).update(`refresh\0${session}\0${seed}\0${generation}`).digest();

  const token = (subject: string, session: string, family: Family): StartedSession => {
    const own = mac(session, family.seed, family.generation).toString('base64url');
    const last = `${own}${toDigits(family.generation)}`;
    return { subject, session, refreshToken: [subject, session, last].join('.') };
  };

  const isOfGeneration = (t: ParsedToken, seed: string, generation: number) => {
    if (t.generation !== null && t.generation !== generation) return false;
    return secrets.some((under) => {
      const expected = mac(t.session, seed, generation, under);
      return expected.length === t.mac.length && timingSafeEqual(expected, t.mac);
    });
  };

  /** Whether it is or was one of the family: one HMAC, or a bounded number for a token of an earlier version. */
  const isOfFamily = (t: ParsedToken, family: Family) => {
    const newest = family.generation;
    if (t.generation !== null)
      return t.generation <= newest && isOfGeneration(t, family.seed, t.generation);
    const oldest = Math.max(0, newest - LOOK_BACK);
    for (let generation = newest; generation >= oldest; generation -= 1)
      if (isOfGeneration(t, family.seed, generation)) return true;
    return false;
  };

  return {
    start: async (subject, now) => {
      const session = randomUUID();
      const family: Family = {
        seed: randomBytes(32).toString('base64url'),
        generation: 0,
        startedAt: now,
        rotatedAt: now,
      };
      await state.put(SPACE, keyOf(subject, session), family, now, {
        expiresAt: endOf(family, now),
      });
      return token(subject, session, family);
    },

    refresh: async (text, now, ended = () => {}) => {
      const t = parse(text);
      if (!t) return null;
      const key = keyOf(t.subject, t.session);
      for (let attempt = 0; attempt < RACE_TRIES; attempt += 1) {
        const entry = await state.get<Family>(SPACE, key, now);
        if (!entry) return null;
        const { seed, generation, startedAt, rotatedAt = startedAt } = entry.value;
        const isOld = now >= startedAt + SESSION_MAX_AGE_MS;
        const mayBeLost = now < rotatedAt + LOST_ANSWER_MS;
        if (!isOld && mayBeLost && generation > 0 && isOfGeneration(t, seed, generation - 1))
          return token(t.subject, t.session, entry.value);
        if (!isOfGeneration(t, seed, generation)) {
          // Only a token that once was ours ends the family; a made-up one must not log anybody out.
          if (isOfFamily(t, entry.value)) {
            await state.delete(SPACE, key);
            ended(t.subject, 'cookie-used-twice');
          }
          return null;
        }
        if (isOld) {
          await state.delete(SPACE, key);
          ended(t.subject, 'greatest-age');
          return null;
        }
        const next: Family = { ...entry.value, generation: generation + 1, rotatedAt: now };
        const put = await state.put(SPACE, key, next, now, {
          if: entry.version,
          expiresAt: endOf(next, now),
        });
        if (put !== null) return token(t.subject, t.session, next);
      }
      return null;
    },

    isOpen: async (subject, session, now) =>
      (await state.get(SPACE, keyOf(subject, session), now)) !== null,

    endByToken: async (text) => {
      const t = parse(text);
      if (!t) return null;
      const key = keyOf(t.subject, t.session);
      const entry = await state.get<Family>(SPACE, key, 0);
      if (!entry || !isOfFamily(t, entry.value)) return null;
      await state.delete(SPACE, key);
      return t.subject;
    },

    endAll: async (subject, now, kept) => {
      const isKept = (key: string) => kept !== undefined && key === keyOf(subject, kept);
      for (let ended = 0; ; ) {
        const open = await state.list(SPACE, `${subject}/`, now);
        const others = open.filter(({ key }) => !isKept(key));
        if (others.length === 0) return ended;
        for (const { key } of others) await state.delete(SPACE, key);
        ended += others.length;
      }
    },
  };
}
