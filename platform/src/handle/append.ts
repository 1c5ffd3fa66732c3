import { setTimeout as waitFor } from 'node:timers/promises';
import { v5 } from 'uuid';
import { StoreUnavailable } from '../eventstore/errors.js';
import type {
  AppendResult,
  EventMetadata,
  EventStore,
  EventToAppend,
  ExpectedRevision,
  StreamName,
} from '../eventstore/port.js';
import type { DomainEvent } from './aggregate.js';

/** Waits between tries when the outcome of an append is unknown, in milliseconds. */
const unknownOutcomeWaits = [50, 200, 800, 2_000];

/** The events a command decided on, with ids that are the same on every try. */
export function eventsOf(
  decided: readonly DomainEvent[],
  metadata: EventMetadata,
): readonly EventToAppend[] {
  return decided.map(({ type, data }, index) => ({
    id: v5(String(index), metadata.commandId),
    type,
    data,
    metadata,
  }));
}

/**
 * Appends, and asks again with the same ids as long as the store does not say what became of it: a
 * lost answer is answered as the first time, an append that never arrived happens now.
 *
 * @throws StoreUnavailable when it is permanent, or the store stayed silent through all tries.
 */
export async function appendSurely(
  eventStore: EventStore,
  stream: StreamName,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): Promise<AppendResult> {
  for (const wait of unknownOutcomeWaits) {
    try {
      return await eventStore.append(stream, expected, events);
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || error.permanent) throw error;
      await waitFor(wait);
    }
  }
  return eventStore.append(stream, expected, events);
}
