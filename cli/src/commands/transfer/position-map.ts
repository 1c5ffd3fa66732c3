import { type Position, partitionPoint, positionOf } from '@oja/platform';
import type { Line } from './export.js';

/** The position before the first event of a log. */
const BEFORE_FIRST = positionOf(0);

/** The event types that refer to a position in their log, with the field that holds it. */
const POSITION_FIELDS: Readonly<Record<string, string>> = { NotificationsCleared: 'upTo' };

/** The position that an event refers to, or null. */
function referencedPosition({ type, data }: Pick<Line, 'type' | 'data'>): string | null {
  const position = data[POSITION_FIELDS[type] ?? ''];
  return typeof position === 'string' ? position : null;
}

/**
 * Returns a function that says whether a new import batch must begin with an event. Events inside a batch may be
 * appended in another order, so no batch may cross a position that some event refers to. Call it once for each event,
 * in order.
 */
export async function batchBoundaries(
  events: AsyncIterable<Line>,
): Promise<(event: Line) => boolean> {
  const positions: string[] = [];
  for await (const event of events) {
    const position = referencedPosition(event);
    if (position !== null) positions.push(position);
  }
  positions.sort();
  let next = 0;
  return (event) => {
    const from = next;
    while ((positions[next] ?? event.position ?? '') < (event.position ?? '')) next += 1;
    return next > from || referencedPosition(event) !== null;
  };
}

/** Translates positions of an export's log into positions of the log that it is imported into. */
export interface PositionMap {
  /** Records the new position of the next event of the export; called in order. */
  add(event: Pick<Line, 'position'>, position: Position): void;
  /** The event, with a position that it refers to translated to the new log. */
  translate(event: Line): Line;
}

/**
 * Looks events up by their old positions. Exports of earlier releases have none: a position of an embedded log is then
 * the number of the event, counted from one; a position of EventStoreDB is a byte offset, and then stands for all
 * events before the one that refers to it.
 */
export function createPositionMap(): PositionMap {
  const [before, here]: [string[], Position[]] = [[], []];
  return {
    add({ position }, now) {
      before.push(position ?? positionOf(before.length + 1));
      const last = here.at(-1);
      here.push(last !== undefined && last > now ? last : now);
    },
    translate(event) {
      const [field, position] = [POSITION_FIELDS[event.type], referencedPosition(event)];
      if (field === undefined || position === null) return event;
      const found = here[partitionPoint(before, (each) => each <= position) - 1] ?? BEFORE_FIRST;
      return { ...event, data: { ...event.data, [field]: found } };
    },
  };
}
