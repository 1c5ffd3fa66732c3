import type { Clock, State } from '@oja/platform';

const SPACE = 'lease';

interface LeaseDeps {
  readonly state: State;
  readonly clock: Clock;
}

export type Leased<T> = { readonly held: true; readonly value: T } | { readonly held: false };

/**
 * Does some work alone, among all processes: whoever asks while the lease is held is told so and does
 * nothing. A lease whose holder died ends by itself after `forMs` milliseconds.
 */
export async function withLease<T>(
  { state, clock }: LeaseDeps,
  name: string,
  forMs: number,
  work: () => Promise<T>,
): Promise<Leased<T>> {
  const now = clock.now();
  const taken = await state.put(SPACE, name, {}, now, { if: 'absent', expiresAt: now + forMs });
  if (taken === null) return { held: false };
  try {
    return { held: true, value: await work() };
  } finally {
    // Only this taking of it: it may have run out and be somebody else's by now.
    await state.delete(SPACE, name, taken);
  }
}
