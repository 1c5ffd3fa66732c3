import type { Logger, Position } from '@oja/platform';

/** A subscription to the log, and how far what it feeds has come. */
interface WatchedWorker {
  readonly name: string;
  readonly position: Position | null;
  /** How often it has committed a part of an event, without passing it. */
  readonly pages: number;
  restart(): void;
}

/** For how many rounds one may stand still behind the head. */
const MAX_STALLED_CHECKS = 3;

interface Watchdog {
  /** To be called once a round. */
  check(head: Position | null, watched: readonly WatchedWorker[]): void;
}

/**
 * Subscriptions have been seen to die without an error. One that stands still behind the head is restarted from its
 * checkpoint. An event whose changes take minutes is no standing still: a restart would begin it again, for ever.
 */
export function createWatchdog(logger: Pick<Logger, 'warn'>): Watchdog {
  const seen = new Map<string, { readonly at: string; readonly rounds: number }>();
  return {
    check(head, watched) {
      for (const { name, position, pages, restart } of watched) {
        const before = seen.get(name);
        const at = `${position} ${pages}`;
        const isBehind = head !== null && (position === null || position < head);
        const rounds = isBehind && before?.at === at ? before.rounds + 1 : 0;
        seen.set(name, { at, rounds });
        if (rounds < MAX_STALLED_CHECKS) continue;
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
