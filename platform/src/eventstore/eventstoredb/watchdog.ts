import type { Position } from '../port.js';

/** Whether a subscription that has passed `seen` has missed what the log's head says is there. */
export function isBehind(seen: Position | null, head: Position | null): boolean {
  return head !== null && (seen === null || head > seen);
}

export interface WatchdogTimes {
  /** How long a subscription may be silent before its position is compared with the head, in ms. */
  readonly silenceMs: number;
  /** How long an event that is in the log may take to arrive, in ms. */
  readonly graceMs: number;
}
