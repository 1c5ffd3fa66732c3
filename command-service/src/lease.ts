import { randomUUID } from 'node:crypto';
import type { Clock, State } from '@oja/platform';

const TASK_SPACE = 'lease';

interface LeaseDeps {
  readonly state: State;
  readonly clock: Clock;
}

export type Leased<T> = { readonly held: true; readonly value: T } | { readonly held: false };

/**
 * Runs `work` under a lease that all processes share. While another one holds the lease, it returns
 * `held: false` without running. If the holder dies, the lease ends after `forMs` milliseconds.
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
    // Delete only our own lease: it may have expired and belong to another process by now.
    await state.delete(TASK_SPACE, name, taken);
  }
}

const HELD_SPACE = 'sweep-lease';

/** A lease that a process renews for as long as it lives. */
interface Lease {
  /** Takes or renews the lease; returns whether it is ours now. */
  hold(): Promise<boolean>;
  /** Releases the lease, so that another process need not wait for it to expire. */
  release(): Promise<void>;
}

/** `forMs`: milliseconds until the lease of a process that no longer renews it expires. */
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
