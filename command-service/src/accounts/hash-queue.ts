import { Overloaded } from '@oja/http';
import { addressBlock } from '@oja/platform';

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
export function createHashQueue() {
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
