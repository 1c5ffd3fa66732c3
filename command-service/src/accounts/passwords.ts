import { hash, verify } from '@node-rs/argon2';
import type { State } from '@oja/platform';

/** OWASP's second choice for argon2id, the library's default: 19 MiB (in KiB), two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Hashes at once: each takes 19 MiB and a core, so a flood of logins queues instead of swapping. */
const AT_ONCE = 2;
const SPACE = 'password';

/** Hashes live in `State` and never in the log: what is in the log is there for ever. */
export interface Passwords {
  set(sellerId: string, password: string, now: number): Promise<void>;
  /** Whether it is the seller's password; for null (nobody by that name) as slow as for somebody, and false. */
  matches(sellerId: string | null, password: string, now: number): Promise<boolean>;
  forget(sellerId: string): Promise<void>;
}

/** How a password becomes what is kept of it, and how it is compared with that. */
export interface Hashing {
  hash(password: string): Promise<string>;
  verify(hashed: string, password: string): Promise<boolean>;
}

const argon2id: Hashing = { hash: (password) => hash(password, COST), verify };

function bounded(limit: number) {
  let running = 0;
  const queue: (() => void)[] = [];
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= limit) await new Promise<void>((resolve) => queue.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

export function createPasswords(state: State, hashing: Hashing = argon2id): Passwords {
  const turn = bounded(AT_ONCE);
  // Verified against where there is no such seller, so that both answers take the same time.
  const nobodys = turn(() => hashing.hash('nobody has this password'));
  return {
    set: async (sellerId, password, now) => {
      const made = await turn(() => hashing.hash(password.normalize('NFKC')));
      await state.put(SPACE, sellerId, { hash: made }, now);
    },
    matches: async (sellerId, password, now) => {
      const entry = sellerId ? await state.get<{ hash: string }>(SPACE, sellerId, now) : null;
      const against = entry?.value.hash ?? (await nobodys);
      const right = await turn(() => hashing.verify(against, password.normalize('NFKC')));
      return right && entry !== null;
    },
    forget: async (sellerId) => {
      await state.delete(SPACE, sellerId);
    },
  };
}
