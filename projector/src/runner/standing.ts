import {
  type Checkpoint,
  type Documents,
  type EventStore,
  type ParkedStream,
  QUARANTINE,
} from '@oja/platform';
import { findAll } from './find-all.js';

/** Every stream of a generation that waits, by name. */
export async function parkedStreams(
  documents: Documents,
  model: string,
): Promise<Map<string, ParkedStream>> {
  const waiting = await findAll<ParkedStream>(documents, QUARANTINE, {
    field: 'model',
    value: model,
  });
  return new Map(waiting.map(({ document }) => [document.stream, document]));
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
