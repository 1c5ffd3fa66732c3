import { type Position, positionOf } from '@oja/platform';
import type { Line } from './export.js';

/** Before every event of a log. */
const NOWHERE = positionOf(0);

/** Which event names a place of its log, and in which field. */
const NAMES_A_PLACE: Readonly<Record<string, string>> = { NotificationsCleared: 'upTo' };

/** The place of its log that an event names; null: none. */
export function placeNamed({ type, data }: Pick<Line, 'type' | 'data'>): string | null {
  const place = data[NAMES_A_PLACE[type] ?? ''];
  return typeof place === 'string' ? place : null;
}

/**
 * Whether a batch of an export ends before an event: what stands before a place that is named and what
 * stands after it must not change places. Asked of each event, in their order.
 */
export async function cutsOf(events: AsyncIterable<Line>): Promise<(event: Line) => boolean> {
  const places: string[] = [];
  for await (const event of events) {
    const place = placeNamed(event);
    if (place !== null) places.push(place);
  }
  places.sort();
  let next = 0;
  return (event) => {
    const from = next;
    while ((places[next] ?? event.position ?? '') < (event.position ?? '')) next += 1;
    return next > from || placeNamed(event) !== null;
  };
}

/** Where the events of an export stand in the log they are imported into. */
export interface Places {
  /** The next event of the export, in their order, stands there now. */
  add(event: Pick<Line, 'position'>, position: Position): void;
  /** An event that names a place of the log it came from, with the place of the same event here. */
  moved(event: Line): Line;
}

/**
 * What came from there is looked up by its old position. An export of an earlier release has none: an
 * embedded log counts its events from one, so there the place is which event it is; one of EventStoreDB
 * counts bytes, and then everything before the event that names it counts as seen.
 */
export function createPlaces(): Places {
  const [before, here]: [string[], Position[]] = [[], []];
  return {
    add({ position }, now) {
      before.push(position ?? positionOf(before.length + 1));
      const last = here.at(-1);
      here.push(last !== undefined && last > now ? last : now);
    },
    moved(event) {
      const [field, place] = [NAMES_A_PLACE[event.type], placeNamed(event)];
      if (field === undefined || place === null) return event;
      const found = here[lastUpTo(before, place)] ?? NOWHERE;
      return { ...event, data: { ...event.data, [field]: found } };
    },
  };
}

/** The index of the last that is not after `place`; -1: there is none. They are in order. */
function lastUpTo(ordered: readonly string[], place: string): number {
  let [low, high] = [0, ordered.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ordered[middle] ?? '') <= place) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
