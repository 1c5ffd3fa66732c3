import { createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { isWithinAllowingSkew } from '../clock.js';
import type { State } from '../state/port.js';

/** A session that was not refreshed for this long is over. */
export const SESSION_IDLE_MS = 30 * 24 * 3_600_000;
/** A session ends at this age, however often it was refreshed. */
export const SESSION_MAX_AGE_MS = 90 * 24 * 3_600_000;
/**
 * For this long after a rotation, the previous token still works, for a client that never got the answer. Not for as
 * long as nobody uses the next one: a thief could take one after the other, keep still, and share the session for ever.
 */
export const REUSE_GRACE_MS = 60_000;

const SPACE = 'session';
const RACE_TRIES = 5;

/** A family is one login: all refresh tokens that followed from it. Only one is current. */
type Family = {
  readonly seed: string;
  readonly generation: number;
  readonly startedAt: number;
  /** When the current token was first issued; absent in families of earlier versions. */
  readonly rotatedAt?: number;
};

export interface StartedSession {
  readonly subject: string;
  readonly session: string;
  /** The value of the cookie; opaque to clients. */
  readonly refreshToken: string;
}

/** Why a session ended: two clients used its cookie, or it reached its maximum age. */
export type SessionEnd = 'cookie-used-twice' | 'greatest-age';

export interface Sessions {
  start(subject: string, now: number): Promise<StartedSession>;
  /**
   * Exchanges a refresh token for its successor; null means that the session is not valid, and leads to a
   * 401. For a minute, the previous token is answered with the same current token, because its answer may
   * have been lost or two tabs may have asked at once. After that minute, or for any older token, two
   * clients hold the cookie and one of them stole it, so the family ends. `ended` is called with the
   * subject and the reason when this call ends a family.
   */
  refresh(
    token: string,
    now: number,
    ended?: (subject: string, why: SessionEnd) => void,
  ): Promise<StartedSession | null>;
  isOpen(subject: string, session: string, now: number): Promise<boolean>;
  /** Ends the session of any refresh token of its family. Returns its subject; null when the token was invalid. */
  endByToken(token: string): Promise<string | null>;
  /** Ends all sessions of a person except `kept`. Returns how many ended. */
  endAll(subject: string, now: number, kept?: string): Promise<number>;
}

interface ParsedToken {
  readonly subject: string;
  readonly session: string;
  /** Null in a token of an earlier version, which does not contain it. */
  readonly generation: number | null;
  readonly mac: Buffer;
}

/** How many past generations are tried for a token that does not contain its generation. */
const LOOK_BACK = 64;

const endOf = ({ startedAt }: Family, now: number): number =>
  Math.min(now + SESSION_IDLE_MS, startedAt + SESSION_MAX_AGE_MS);

const keyOf = (subject: string, session: string) => `${subject}/${session}`;

/**
 * Digits for the generation that base64 does not use. Release 0.1.0 decodes a token's last part as base64
 * and ignores other characters, so a session works with both releases while both are deployed.
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
 * Refresh tokens are HMACs of (the family's random seed, the generation) under the token secret. What is
 * stored cannot be used as a token, and a successor can be issued again without storing it. A token
 * contains its generation, so checking it costs the same however often its session was refreshed. Tokens
 * under the fallback (the previous or next secret during a rotation) are accepted but never issued.
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

  /** Whether the token ever belonged to the family: one HMAC, or a bounded number for earlier versions. */
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
        const mayBeLost = isWithinAllowingSkew(REUSE_GRACE_MS, rotatedAt, now);
        if (!isOld && mayBeLost && generation > 0 && isOfGeneration(t, seed, generation - 1))
          return token(t.subject, t.session, entry.value);
        if (!isOfGeneration(t, seed, generation)) {
          // Only a token that we once issued ends the family. A forged one must not log anybody out.
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
