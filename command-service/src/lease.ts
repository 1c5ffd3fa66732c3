import { randomUUID } from 'node:crypto';
import type { Clock, State } from '@oja/platform';

const TASK_SPACE = 'lease';

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
  const taken = await state.put(TASK_SPACE, name, {}, now, {
    if: 'absent',
    expiresAt: now + forMs,
  });
  if (taken === null) return { held: false };
  try {
    return { held: true, value: await work() };
  } finally {
    // Only this taking of it: it may have run out and be somebody else's by now.
    await state.delete(TASK_SPACE, name, taken);
  }
}

const HELD_SPACE = 'sweep-lease';

/** A turn among processes that one of them keeps for as long as it lives. */
interface Lease {
  /** Takes or renews it; whether it is ours now. */
  hold(): Promise<boolean>;
  /** Gives it up, so that another need not wait for its end. */
  release(): Promise<void>;
}

/** `forMs`: how long it stays with a process that no longer renews it, in milliseconds. */
export function createLease(
  { state, clock }: { readonly state: State; readonly clock: Clock },
  name: string,
  forMs: number,
): Lease {
  const holder = randomUUID();
  let version: number | null = null;
  return {
    async hold() {
      const now = clock.now();
      const options = { if: version ?? ('absent' as const), expiresAt: now + forMs };
      version = await state.put(HELD_SPACE, name, { holder }, now, options);
      return version !== null;
    },
    async release() {
      if (version !== null) await state.delete(HELD_SPACE, name, version);
      version = null;
    },
  };
}
