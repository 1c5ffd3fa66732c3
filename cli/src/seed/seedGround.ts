import { createPasswords } from '@oja/command-service';
import { adoptPayment, createSealer } from '@oja/platform';
import { forgoLetters, skipReactionsTo } from '@oja/projector';
import type { Ground } from '../market/part.js';
import type { SampleSize } from '../samples/index.js';
import { type SeedDeps, seedMarket } from './seed.js';

/** Seeds an opened market; nobody is written to or pushed to about what was seeded. */
export async function seedGround(
  { config, engines, clock }: Ground,
  size: SampleSize,
  watched: Pick<SeedDeps, 'onProgress' | 'signal'> = {},
): Promise<void> {
  const { eventStore, state, keys } = engines;
  const passwords = createPasswords(state);
  const callbackUrl = `${config.publicUrl}/payment/verify`;
  const position = await seedMarket(
    {
      eventStore,
      state,
      sealer: createSealer(keys),
      makePayment: (payment) => adoptPayment(state, clock, { ...payment, callbackUrl }),
      clock,
      setPassword: (sellerId, password) => passwords.set(sellerId, password, clock.now()),
      forgoLetters: (transactionId) => forgoLetters(state, transactionId, clock.now()),
      ...watched,
    },
    size,
  );
  if (position !== null) await skipReactionsTo(eventStore, state, position, clock.now());
}
