import { hash, verify } from '@node-rs/argon2';
import { Overloaded } from '@oja/http';
import { addressBlock, type State } from '@oja/platform';

/** Hashes at once: each takes 19 MiB and a core, so a flood of logins queues instead of swapping. */
const AT_ONCE = 2;
/**
 * So many may wait for their turn, together and of one address. A hash takes some 50 ms, so the last in the
 * queue waits for less than a second and a half; one address, which may be that of a whole mobile network,
 * never fills it for all others.
 */
const LONGEST = 48;
const LONGEST_OF_ADDRESS = 24;
/** For whoever finds the queue full. */
const RETRY_AFTER_SECONDS = 2;

/** For whom a password is hashed; nobody: the operator, who always waits. */
export interface Asker {
  readonly address: string;
  /** Aborts when they have gone. */
  readonly left: AbortSignal;
}

interface Waiting {
  readonly block: string;
  begin(): void;
}

/**
 * Lets a bounded number of hashes run at once and a bounded number wait, first come first served. Who has
 * left is taken out of the queue, so that a flood that was given up costs nothing.
 *
 * @throws Overloaded where the queue is full, or the asker has gone.
 */
function createHashQueue() {
  let running = 0;
  let queue: readonly Waiting[] = [];

  async function turnOf(asker: Asker | undefined): Promise<void> {
    if (asker?.left.aborted) throw new Overloaded(RETRY_AFTER_SECONDS);
    if (running < AT_ONCE) {
      running += 1;
      return;
    }
    const block = asker === undefined ? '' : addressBlock(asker.address);
    const ofBlock = queue.filter((one) => one.block === block).length;
    if (asker !== undefined && (queue.length >= LONGEST || ofBlock >= LONGEST_OF_ADDRESS))
      throw new Overloaded(RETRY_AFTER_SECONDS);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        queue = queue.filter((one) => one !== waiting);
        reject(new Overloaded(RETRY_AFTER_SECONDS));
      };
      const waiting: Waiting = {
        block,
        begin() {
          asker?.left.removeEventListener('abort', leave);
          resolve();
        },
      };
      asker?.left.addEventListener('abort', leave, { once: true });
      queue = [...queue, waiting];
    });
  }

  return async <T>(work: () => Promise<T>, asker?: Asker): Promise<T> => {
    await turnOf(asker);
    try {
      return await work();
    } finally {
      // A place is handed to the first in line, so nobody slips in between.
      const [next, ...others] = queue;
      queue = others;
      if (next === undefined) running -= 1;
      else next.begin();
    }
  };
}

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

/** Passwords of sellers, hashed in `state`; `hashing` is Argon2id unless a test wants it quick. */
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
