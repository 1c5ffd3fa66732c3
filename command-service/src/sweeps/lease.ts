import { randomUUID } from 'node:crypto';
import type { Clock, State } from '@oja/platform';

const SPACE = 'sweep-lease';

/** A turn among processes that one of them keeps for as long as it lives. */
export interface Lease {
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
      version = await state.put(SPACE, name, { holder }, now, options);
      return version !== null;
    },
    async release() {
      if (version !== null) await state.delete(SPACE, name, version);
      version = null;
    },
  };
}
