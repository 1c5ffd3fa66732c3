import { hash, verify } from '@node-rs/argon2';
import { HOUR_MS, MINUTE_MS } from '@oja/domain/rules';
import { Overloaded, refuse } from '@oja/http';
import { type AttemptRule, addressBlock, type State } from '@oja/platform';

/**
 * Concurrent hashes. Each needs 19 MiB and a core, so a flood of logins must queue instead of
 * making the machine swap.
 */
const MAX_CONCURRENT = 2;
/**
 * The longest queue, in total and for one address. A hash takes about 50 ms, so the last in the queue waits less
 * than 1.5 seconds. One address, which may be a whole mobile network, cannot fill the queue for all others.
 */
const MAX_QUEUE = 48;
const MAX_QUEUE_OF_ADDRESS = 24;
/** The Retry-After for a request that finds the queue full. */
const RETRY_AFTER_SECONDS = 2;

/**
 * The client that a password is hashed for. Work without a client, which an operator does, always waits and is
 * never refused.
 */
export interface Client {
  readonly address: string;
  /** Aborts when the client has disconnected. */
  readonly disconnected: AbortSignal;
}

/** Slows down somebody who guesses the password of one seller at one place, soon and strongly. */
export const guessRule: AttemptRule = {
  free: 5,
  firstWaitMs: 1_000,
  longestWaitMs: 5 * MINUTE_MS,
  forgetMs: HOUR_MS,
};

/** The answer to a guess that came too soon. */
export const tooManyGuesses = (seconds: number) =>
  refuse(
    429,
    `That was tried too often. Please wait ${seconds === 1 ? 'a second' : `${seconds} seconds`} and try again`,
    { headers: { 'Retry-After': String(seconds) } },
  );

/** The client of a request. */
export const clientOf = (request: {
  readonly clientAddress: string;
  readonly disconnected: AbortSignal;
}): Client => ({ address: request.clientAddress, disconnected: request.disconnected });

interface Waiting {
  readonly block: string;
  begin(): void;
}

/**
 * Runs a bounded number of hashes at once and lets a bounded number wait, first come, first served.
 * A client that disconnects leaves the queue, so an abandoned flood costs nothing.
 */
function createHashQueue() {
  let running = 0;
  let queue: readonly Waiting[] = [];

  async function takeSlot(client: Client | undefined): Promise<void> {
    if (client?.disconnected.aborted) throw new Overloaded(RETRY_AFTER_SECONDS);
    if (running < MAX_CONCURRENT) {
      running += 1;
      return;
    }
    const block = client === undefined ? '' : addressBlock(client.address);
    const ofBlock = queue.filter((one) => one.block === block).length;
    if (client !== undefined && (queue.length >= MAX_QUEUE || ofBlock >= MAX_QUEUE_OF_ADDRESS))
      throw new Overloaded(RETRY_AFTER_SECONDS);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        queue = queue.filter((one) => one !== waiting);
        reject(new Overloaded(RETRY_AFTER_SECONDS));
      };
      const waiting: Waiting = {
        block,
        begin() {
          client?.disconnected.removeEventListener('abort', leave);
          resolve();
        },
      };
      client?.disconnected.addEventListener('abort', leave, { once: true });
      queue = [...queue, waiting];
    });
  }

  return async <T>(work: () => Promise<T>, client?: Client): Promise<T> => {
    await takeSlot(client);
    try {
      return await work();
    } finally {
      // Hand the slot to the first in the queue, so that nobody can take it in between.
      const [next, ...others] = queue;
      queue = others;
      if (next === undefined) running -= 1;
      else next.begin();
    }
  };
}

/** OWASP's second choice for argon2id, and the library's default: 19 MiB (in KiB), two passes, one lane. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const SPACE = 'password';

/** The version of a password that is replaced, and the id of the command that chooses another. */
interface Replacing {
  readonly version: number | null;
  readonly commandId: string;
}

/** Stores password hashes in `State`, never in the log, because the log is permanent. */
export interface Passwords {
  /**
   * The hash to pass to `keep`.
   * @throws Overloaded, like `matches`, when `client` is given.
   */
  hash(password: string, client?: Client): Promise<string>;
  /**
   * Stores a hash and returns its version. With `replacing`, only if that version is still stored:
   * null when another one is.
   */
  keep(
    sellerId: string,
    hashed: string,
    now: number,
    replacing?: Replacing,
  ): Promise<number | null>;
  /** The id of the command that chose the stored password in place of another; null when none did. */
  chosenBy(sellerId: string, now: number): Promise<string | null>;
  /** The version of the stored hash; null when there is none. */
  versionOf(sellerId: string, now: number): Promise<number | null>;
  /**
   * Hashes and stores a password, whatever was stored before. `oneTime`: someone else knows it too,
   * so its owner must choose another one before anything else.
   */
  set(
    sellerId: string,
    password: string,
    now: number,
    options?: { readonly oneTime?: boolean },
  ): Promise<void>;
  /**
   * Whether it is the seller's password. For a null id it takes as long as for a real seller, and returns false.
   * @throws Overloaded when `client` is given and too many wait already.
   */
  matches(
    sellerId: string | null,
    password: string,
    now: number,
    client?: Client,
  ): Promise<boolean>;
  /** Whether the seller's password is a one-time password. */
  isOneTime(sellerId: string, now: number): Promise<boolean>;
  /** Deletes the stored hash. With `version`, only if that version is still stored. */
  forget(sellerId: string, version?: number): Promise<void>;
}

/** `by`: see `chosenBy`; it is stored with the hash, so that a process that dies after that has left it. */
type StoredPassword = { readonly hash: string; readonly oneTime?: boolean; readonly by?: string };

/** The hashing algorithm. */
export interface Hashing {
  hash(password: string): Promise<string>;
  verify(hashed: string, password: string): Promise<boolean>;
}

/** Argon2id at the cost above. */
export const argon2id: Hashing = { hash: (password) => hash(password, COST), verify };

/** Creates the password store on `state`. `hashing` is Argon2id unless a test needs a faster one. */
export function createPasswords(state: State, hashing: Hashing = argon2id): Passwords {
  const inQueue = createHashQueue();
  // Verified when the seller does not exist, so that both answers take the same time.
  const nobodys = inQueue(() => hashing.hash('nobody has this password'));
  const hashOf = (password: string, client?: Client) =>
    inQueue(() => hashing.hash(password.normalize('NFKC')), client);
  return {
    hash: hashOf,
    keep: (sellerId, hashed, now, replacing) => {
      if (replacing === undefined) return state.put(SPACE, sellerId, { hash: hashed }, now);
      const kept: StoredPassword = { hash: hashed, by: replacing.commandId };
      return state.put(SPACE, sellerId, kept, now, { if: replacing.version ?? 'absent' });
    },
    chosenBy: async (sellerId, now) =>
      (await state.get<StoredPassword>(SPACE, sellerId, now))?.value.by ?? null,
    versionOf: async (sellerId, now) => (await state.get(SPACE, sellerId, now))?.version ?? null,
    set: async (sellerId, password, now, options) => {
      const hash = await hashOf(password);
      const kept: StoredPassword = { hash, ...(options?.oneTime && { oneTime: true }) };
      await state.put(SPACE, sellerId, kept, now);
    },
    matches: async (sellerId, password, now, client) => {
      const entry = sellerId ? await state.get<StoredPassword>(SPACE, sellerId, now) : null;
      const against = entry?.value.hash ?? (await nobodys);
      const right = await inQueue(
        () => hashing.verify(against, password.normalize('NFKC')),
        client,
      );
      return right && entry !== null;
    },
    isOneTime: async (sellerId, now) =>
      (await state.get<StoredPassword>(SPACE, sellerId, now))?.value.oneTime === true,
    forget: async (sellerId, version) => {
      await state.delete(SPACE, sellerId, version);
    },
  };
}
