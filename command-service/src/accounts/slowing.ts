import { businessNameKey } from '@oja/domain';
import { type Attempts, addressBlock, createAttempts } from '@oja/platform';
import type { Deps } from '../deps.js';
import { nameId } from './names.js';

/** One address that guesses at one name is slowed soon and much. */
const perAddressAndName = {
  free: 5,
  firstWaitMs: 1_000,
  longestWaitMs: 5 * 60_000,
  forgetMs: 60 * 60_000,
};
/** Many addresses that guess at one name slow it down for its owner too, so never for long. */
const perName = {
  free: 20,
  firstWaitMs: 1_000,
  longestWaitMs: 30_000,
  forgetMs: 15 * 60_000,
};

export interface Slowing {
  /** Seconds to wait before the next try; 0: go on. */
  begin(address: string, name: string): Promise<number>;
  succeeded(address: string, name: string): Promise<void>;
}

/** Slows down whoever guesses passwords, without locking anybody out. */
export function createSlowing({ state, clock }: Pick<Deps, 'state' | 'clock'>): Slowing {
  const one: Attempts = createAttempts(state, perAddressAndName);
  const all: Attempts = createAttempts(state, perName);
  const keysOf = (address: string, name: string) => {
    const id = nameId(businessNameKey(name));
    return { pair: `login/${id}/${addressBlock(address)}`, name: `login/${id}` };
  };
  return {
    async begin(address, name) {
      const keys = keysOf(address, name);
      const now = clock.now();
      const waitMs = (await one.begin(keys.pair, now)) || (await all.begin(keys.name, now));
      return Math.ceil(waitMs / 1000);
    },
    async succeeded(address, name) {
      const keys = keysOf(address, name);
      await Promise.all([one.succeeded(keys.pair), all.succeeded(keys.name)]);
    },
  };
}
