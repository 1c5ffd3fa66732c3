import { hash, verify } from '@node-rs/argon2';
import type { State } from '@oja/platform';
import { type Asker, createHashQueue } from './hash-queue.js';

/** OWASP's second choice for argon2id, the library's default: 19 MiB (in KiB), two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const SPACE = 'password';

/** Hashes live in `State` and never in the log: what is in the log is there for ever. */
export interface Passwords {
  /** What `keep` keeps. @throws Overloaded, as `matches` does, where an asker is named. */
  hash(password: string, asker?: Asker): Promise<string>;
  /** The version under which it is kept, by which `forget` knows it. */
  keep(sellerId: string, hashed: string, now: number): Promise<number | null>;
  /** The version of what is kept; null: nothing is. */
  versionOf(sellerId: string, now: number): Promise<number | null>;
  /**
   * Both at once. `oneTime`: somebody else knows it too, so that its owner must choose another before
   * anything else.
   */
  set(
    sellerId: string,
    password: string,
    now: number,
    options?: { readonly oneTime: boolean },
  ): Promise<void>;
  /** Whether it is the seller's password; for null (nobody by that name) as slow as for somebody, and false. */
  matches(sellerId: string | null, password: string, now: number, asker?: Asker): Promise<boolean>;
  /** Whether the seller's password was given for one time. */
  isOneTime(sellerId: string, now: number): Promise<boolean>;
  /** `version`: only this one, not what was kept since. */
  forget(sellerId: string, version?: number): Promise<void>;
}

type Kept = { readonly hash: string; readonly oneTime?: boolean };

/** How a password becomes what is kept of it, and how it is compared with that. */
export interface Hashing {
  hash(password: string): Promise<string>;
  verify(hashed: string, password: string): Promise<boolean>;
}

const argon2id: Hashing = { hash: (password) => hash(password, COST), verify };

export function createPasswords(state: State, hashing: Hashing = argon2id): Passwords {
  const turn = createHashQueue();
  // Verified against where there is no such seller, so that both answers take the same time.
  const nobodys = turn(() => hashing.hash('nobody has this password'));
  const hashOf = (password: string, asker?: Asker) =>
    turn(() => hashing.hash(password.normalize('NFKC')), asker);
  const keep = async (
    sellerId: string,
    hashed: string,
    now: number,
    options?: { readonly oneTime: boolean },
  ) => {
    const kept: Kept = { hash: hashed, ...(options?.oneTime && { oneTime: true }) };
    return state.put(SPACE, sellerId, kept, now);
  };
  return {
    hash: hashOf,
    keep,
    versionOf: async (sellerId, now) => (await state.get(SPACE, sellerId, now))?.version ?? null,
    set: async (sellerId, password, now, options) => {
      await keep(sellerId, await hashOf(password), now, options);
    },
    matches: async (sellerId, password, now, asker) => {
      const entry = sellerId ? await state.get<Kept>(SPACE, sellerId, now) : null;
      const against = entry?.value.hash ?? (await nobodys);
      const right = await turn(() => hashing.verify(against, password.normalize('NFKC')), asker);
      return right && entry !== null;
    },
    isOneTime: async (sellerId, now) =>
      (await state.get<Kept>(SPACE, sellerId, now))?.value.oneTime === true,
    forget: async (sellerId, version) => {
      await state.delete(SPACE, sellerId, version);
    },
  };
}
