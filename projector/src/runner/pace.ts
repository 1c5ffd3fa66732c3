/**
 * How long a batch may hold either thread while catching up, in milliseconds: readers and the sale wait
 * behind it on an engine with one writer.
 */
const BATCH_MS = 20;
/** Before anything is known. */
const FIRST = 100;
const SMALLEST = 64;
/** How much dearer an event may seem from one batch to the next. */
const DRIFT = 1.1;

/** Chooses the size of batches so that each is short. */
export interface Pace {
  size(): number;
  /** `ms`: the longer of working it out and committing it. */
  took(events: number, ms: number): void;
}

/**
 * What an event costs is taken from the quickest of the latest batches: most of the time of the others
 * was waiting for the writer or the machine, which smaller batches would only make more of.
 */
export function createPace(largest: number): Pace {
  let perEvent: number | null = null;
  return {
    size() {
      if (perEvent === null) return Math.min(largest, FIRST);
      return Math.min(largest, Math.max(SMALLEST, Math.floor(BATCH_MS / perEvent)));
    },
    took(events, ms) {
      if (events === 0) return;
      perEvent = Math.min(ms / events, perEvent === null ? Infinity : perEvent * DRIFT);
    },
  };
}
