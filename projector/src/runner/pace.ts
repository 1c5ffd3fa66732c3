import type { EventStore, Position } from '@oja/platform';

/**
 * Keeps the read models that are loaded at once close together in the log, so that a page of it is read and decoded
 * once for all of them. Nobody can read any of them meanwhile, so nothing is won if some are whole earlier.
 */
export interface Pace {
  /** Tells how far one of them has come; null: nowhere yet. */
  moved(one: object, position: Position | null): void;
  /** To be called when one is loaded, or stops for any reason: nobody waits for it. */
  left(one: object): void;
  /** Resolves when all of them have come to the position, or the signal aborts. The hindmost never waits. */
  reached(position: Position | null, signal: AbortSignal): Promise<void>;
}

const paces = new WeakMap<EventStore, Pace>();

/** The pace of everything that this process loads from a log. */
export function paceOf(eventStore: EventStore): Pace {
  const known = paces.get(eventStore) ?? createPace();
  paces.set(eventStore, known);
  return known;
}

function createPace(): Pace {
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
    moved(one, position) {
      positions.set(one, position);
      wake();
    },
    left(one) {
      positions.delete(one);
      wake();
    },
    async reached(position, signal) {
      signal.addEventListener('abort', wake);
      while (position !== null && !signal.aborted && isBefore(position))
        await new Promise<void>((resolve) => waiting.push(resolve));
      signal.removeEventListener('abort', wake);
    },
  };
}
