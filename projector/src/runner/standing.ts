import {
  type Checkpoint,
  type Documents,
  type EventStore,
  type ParkedStream,
  QUARANTINE,
} from '@oja/platform';
import { findAll } from './find-all.js';

/** What of a generation waits for a person. */
export interface Waiting {
  /** Streams that wait while the others go on, by name. */
  readonly parked: Map<string, ParkedStream>;
  /** The stream whose event all of it stands still before; null: it follows the log. */
  readonly held: ParkedStream | null;
}

export async function waitingStreams(documents: Documents, model: string): Promise<Waiting> {
  const filed = await findAll<ParkedStream>(documents, QUARANTINE, {
    field: 'model',
    value: model,
  });
  const all = filed.map(({ document }) => document);
  const parked = all.filter(({ holdsAll }) => !holdsAll);
  return {
    parked: new Map(parked.map((stream) => [stream.stream, stream])),
    held: all.find(({ holdsAll }) => holdsAll) ?? null,
  };
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
