/**
 * How long one commit may take while catching up, in milliseconds: readers and the sale wait behind
 * it on an engine with one writer.
 */
const COMMIT_MS = 20;
const SMALLEST = 16;

/** Grows and shrinks batches so that a commit stays short. */
export interface Pace {
  size(): number;
  took(events: number, ms: number): void;
}

export function createPace(largest: number): Pace {
  let size = largest;
  return {
    size: () => size,
    took(events, ms) {
      if (ms > COMMIT_MS && events > SMALLEST) size = Math.max(SMALLEST, Math.floor(events / 2));
      else if (events >= size) size = Math.min(largest, size * 2);
    },
  };
}
