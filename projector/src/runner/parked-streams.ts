import {
  type Checkpoint,
  type Documents,
  documentsWith,
  type EventStore,
  type ParkedStream,
  type Position,
  QUARANTINE,
} from '@oja/platform';

/** What in a generation waits for an operator. */
export interface GenerationBlocks {
  /** Parked streams, by name. All other streams go on. */
  readonly parked: ReadonlyMap<string, ParkedStream>;
  /** The stream whose event holds up the whole generation; null: it follows the log. */
  readonly held: ParkedStream | null;
}

/** All that waits for an operator, the stream that holds the generation last. */
export const blockedStreams = ({ parked, held }: GenerationBlocks): readonly ParkedStream[] => [
  ...parked.values(),
  ...(held === null ? [] : [held]),
];

/** The parked streams of a generation, and the one that holds it up. `model`: the generation key. */
export async function readParkedStreams(
  documents: Documents,
  model: string,
): Promise<GenerationBlocks> {
  const filed = await documentsWith<ParkedStream>(documents, QUARANTINE, {
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
 * Whether the log was restored: it ends before a checkpoint, or is another log.
 * @param head read after the checkpoint, so that a log that grows meanwhile is not taken for a restored one
 */
export async function isAheadOfLog(
  eventStore: Pick<EventStore, 'logId'>,
  checkpoint: Checkpoint,
  head: Position | null,
): Promise<boolean> {
  if (checkpoint.logId !== (await eventStore.logId())) return true;
  if (checkpoint.position === null) return false;
  return head === null || checkpoint.position > head;
}
