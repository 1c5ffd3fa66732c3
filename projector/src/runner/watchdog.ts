import type { Logger, Position } from '@oja/platform';

interface Watched {
  readonly name: string;
  readonly position: Position | null;
  restart(): void;
}

/** For how many rounds a checkpoint may stay the same behind the head. */
const PATIENCE = 3;

export interface Watchdog {
  look(head: Position | null, watched: readonly Watched[]): void;
}

/**
 * Subscriptions have been seen to die without an error. One whose checkpoint stays the same behind
 * the head is restarted from there; if it was only slow, this costs nothing.
 */
export function createWatchdog(logger: Pick<Logger, 'warn'>): Watchdog {
  const seen = new Map<string, { readonly position: Position | null; readonly rounds: number }>();
  return {
    look(head, watched) {
      for (const { name, position, restart } of watched) {
        const before = seen.get(name);
        const behind = head !== null && (position === null || position < head);
        const rounds = behind && before?.position === position ? before.rounds + 1 : 0;
        seen.set(name, { position, rounds });
        if (rounds < PATIENCE) continue;
        logger.warn(
          { subscription: name, position, head },
          'a subscription made no progress and was restarted',
        );
        seen.delete(name);
        restart();
      }
    },
  };
}
