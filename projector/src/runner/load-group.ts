import type { EventStore, Position } from '@oja/platform';

/**
 * Keeps the read models that are loaded at once close together in the log, so that a page of it is read and decoded
 * once for all of them. Nobody can read any of them meanwhile, so nothing is won if some are whole earlier.
 */
export interface LoadGroup {
  /** Tells how far one of them has come; null: nowhere yet. */
  report(one: object, position: Position | null): void;
  /** To be called when one is loaded, or stops for any reason: nobody waits for it. */
  leave(one: object): void;
  /** Resolves when all of them have come to the position, or the signal aborts. The hindmost never waits. */
  waitForOthers(position: Position | null, signal: AbortSignal): Promise<void>;
}

const loadGroups = new WeakMap<EventStore, LoadGroup>();

/** The pace of everything that this process loads from a log. */
export function loadGroupOf(eventStore: EventStore): LoadGroup {
  const known = loadGroups.get(eventStore) ?? createLoadGroup();
  loadGroups.set(eventStore, known);
  return known;
}

function createLoadGroup(): LoadGroup {
  const positions = new Map<object, Position | null>();
  let waiting: (() => void)[] = [];

  function wake(): void {
    const woken = waiting;
    waiting = [];
    for (const resolve of woken) resolve();
  }

  function isBefore(position: Position): boolean {
    for (const at of positions.values()) if (at === null || at < position) return true;
    return false;
  }

  return {
    report(one, position) {
      positions.set(one, position);
      wake();
    },
    leave(one) {
      positions.delete(one);
      wake();
    },
    async waitForOthers(position, signal) {
      signal.addEventListener('abort', wake);
      while (position !== null && !signal.aborted && isBefore(position))
        await new Promise<void>((resolve) => waiting.push(resolve));
      signal.removeEventListener('abort', wake);
    },
  };
}
