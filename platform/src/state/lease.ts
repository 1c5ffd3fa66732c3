import { randomUUID } from 'node:crypto';
import { type Clock, isWithin } from '../clock.js';
import type { State } from './port.js';

const TASK_SPACE = 'lease';

interface LeaseDeps {
  readonly state: State;
  readonly clock: Clock;
}

export type LeaseResult<T> = { readonly held: true; readonly value: T } | { readonly held: false };

/**
 * Runs `work` under a lease that all processes share. While another one holds the lease, it returns
 * `held: false` without running. If the holder dies, the lease ends after `forMs` milliseconds.
 */
export async function withLease<T>(
  { state, clock }: LeaseDeps,
  name: string,
  forMs: number,
  work: () => Promise<T>,
): Promise<LeaseResult<T>> {
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

/** Where a lease is stored, and the milliseconds until that of a process that no longer renews it expires. */
interface LeaseOptions {
  readonly space: string;
  readonly name: string;
  readonly forMs: number;
}

/** A lease that a process renews for as long as it lives. */
export interface Lease {
  /** Takes or renews the lease; returns whether it is ours now. */
  hold(): Promise<boolean>;
  /** Renews the lease once a quarter of its time has passed; returns whether it is ours now. */
  keep(): Promise<boolean>;
  /** Releases the lease, so that another process need not wait for it to expire. */
  release(): Promise<void>;
}

/** Creates a lease that one process holds at a time. If its holder dies, another may take it after `forMs`. */
export function createLease(
  { state, clock }: LeaseDeps,
  { space, name, forMs }: LeaseOptions,
): Lease {
  const holder = randomUUID();
  let held: { readonly version: number; readonly since: number } | null = null;

  async function hold(): Promise<boolean> {
    const now = clock.now();
    const options = { if: held?.version ?? ('absent' as const), expiresAt: now + forMs };
    const version = await state.put(space, name, { holder }, now, options);
    held = version === null ? null : { version, since: now };
    return held !== null;
  }

  return {
    hold,
    keep: async () =>
      held !== null && isWithin(forMs / 4, held.since, clock.now()) ? true : hold(),
    async release() {
      if (held !== null) await state.delete(space, name, held.version);
      held = null;
    },
  };
}
