import {
  type Checkpoint,
  type Documents,
  type EventStore,
  type ParkedStream,
  QUARANTINE,
} from '@oja/platform';
import { findAll } from './find-all.js';

async function waiting(documents: Documents, model: string): Promise<readonly ParkedStream[]> {
  const found = await findAll<ParkedStream>(documents, QUARANTINE, {
    field: 'model',
    value: model,
  });
  return found.map(({ document }) => document);
}

/** Every stream of a generation that waits while the others go on, by name. */
export async function parkedStreams(
  documents: Documents,
  model: string,
): Promise<Map<string, ParkedStream>> {
  const parked = (await waiting(documents, model)).filter(({ holdsAll }) => !holdsAll);
  return new Map(parked.map((stream) => [stream.stream, stream]));
}

/** The stream whose event the whole generation stands still before; null: it follows the log. */
export async function heldBy(documents: Documents, model: string): Promise<ParkedStream | null> {
  return (await waiting(documents, model)).find(({ holdsAll }) => holdsAll) ?? null;
}

/**
 * Whether the log ends before a checkpoint, or is another one: it was restored. The head is read after the
 * checkpoint was: a log that grows meanwhile has not ended before it.
 */
export async function isAheadOfLog(
  eventStore: EventStore,
  checkpoint: Checkpoint,
): Promise<boolean> {
  if (checkpoint.logId !== (await eventStore.logId())) return true;
  if (checkpoint.position === null) return false;
  const head = await eventStore.head();
  return head === null || checkpoint.position > head;
}
