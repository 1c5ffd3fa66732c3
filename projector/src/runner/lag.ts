import type { EventStore, Position } from '@oja/platform';

export interface Lag {
  /** Events of the log after the checkpoint; at most `LAG_COUNTED`. */
  readonly events: number;
  /** Age of the first of them, in seconds; 0 when there is none. */
  readonly seconds: number;
}

/** From here on a lag is only "at least so many". */
export const LAG_COUNTED = 10_000;

/** How far a checkpoint is behind the log. `now`: epoch milliseconds. */
export async function lagOf(
  eventStore: EventStore,
  position: Position | null,
  now: number,
): Promise<Lag> {
  let events = 0;
  let first: string | null = null;
  for await (const event of eventStore.readAll({ after: position, limit: LAG_COUNTED })) {
    events++;
    first ??= event.metadata.time;
  }
  const seconds = first === null ? 0 : Math.max(0, (now - Date.parse(first)) / 1000);
  return { events, seconds };
}
