import type { EventStore, Position } from '@oja/platform';

/**
 * Keeps read models that are loaded at the same time close together in the log, so that a page of it is read and decoded
 * once for all of them. None of them can be queried before it is complete, so it is no use if some are ahead.
 */
export interface LoadGroup {
  /** Reports the position of a member; null before its first event. */
  report(one: object, position: Position | null): void;
  /** Call it when a member is loaded, or stops for any reason: the others wait for it no longer. */
  leave(one: object): void;
  /** Resolves when all members have reached the position, or the signal aborts. The last one never waits. */
  waitForOthers(position: Position | null, signal: AbortSignal): Promise<void>;
}

const loadGroups = new WeakMap<EventStore, LoadGroup>();

/** The group of all read models that this process loads from a log. */
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
