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

/**
 * Creates a lease that one process holds at a time. If its holder dies, another may take it after `forMs`, also if the
 * holder's clock was ahead: it then ends once nobody has renewed it for so long by ours.
 */
export function createLease(
  { state, clock }: LeaseDeps,
  { space, name, forMs }: LeaseOptions,
): Lease {
  const holder = randomUUID();
  type Seen = { readonly version: number; readonly since: number };
  let held: Seen | null = null;
  /** What another holder wrote last, and since when we have seen that. */
  let theirs: Seen | null = null;

  async function hold(): Promise<boolean> {
    const now = clock.now();
    const put = (expected: number | 'absent') =>
      state.put(space, name, { holder }, now, { if: expected, expiresAt: now + forMs });
    const version = (await put(held?.version ?? 'absent')) ?? (await takeLeft(now, put));
    held = version === null ? null : { version, since: now };
    return held !== null;
  }

  /** Takes the lease if nobody has renewed it for its whole time, or if the last to do so were we ourselves. */
  async function takeLeft(
    now: number,
    put: (expected: number) => Promise<number | null>,
  ): Promise<number | null> {
    const found = await state.get<{ readonly holder: string }>(space, name, now);
    if (found === null) return null;
    // A put whose answer was lost has been made all the same.
    if (found.value.holder === holder) return put(found.version);
    // Not of a time to come, if our own clock was set back meanwhile.
    const since = theirs?.version === found.version ? Math.min(theirs.since, now) : now;
    if (now - since >= forMs) return put(found.version);
    theirs = { version: found.version, since };
    return null;
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
