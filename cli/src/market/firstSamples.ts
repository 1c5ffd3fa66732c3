import { createPasswords } from '@oja/command-service';
import { createSealer } from '@oja/platform';
import { skipReactionsTo } from '@oja/projector';
import { FIRST_SEED, seedingOf, seedMarket } from '../seed/index.js';
import type { Ground } from './part.js';

/** Sample goods for a demo's first start, or the rest of them where that start was killed. */
export async function firstSamples(ground: Ground, say: (line: string) => void): Promise<void> {
  const { engines, clock } = ground;
  const { eventStore, state, keys } = engines;
  const seeding = await seedingOf(state, FIRST_SEED, clock.now());
  // A market that has lived without samples gets none.
  const lived = seeding === 'none' && (await eventStore.head()) !== null;
  if (seeding === 'done' || lived) return;
  const passwords = createPasswords(state);
  say('Making sample goods …');
  const position = await seedMarket(
    {
      eventStore,
      state,
      sealer: createSealer(keys),
      clock,
      setPassword: (sellerId, password) => passwords.set(sellerId, password, clock.now()),
    },
    FIRST_SEED,
  );
  if (position !== null) await skipReactionsTo(eventStore, state, position, clock.now());
}
