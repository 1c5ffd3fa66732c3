import { operations } from '@oja/domain';
import type { EventStore, RecordedEvent } from '@oja/platform';
import { OPERATIONS_STREAM } from './stream.js';

type Which = Pick<RecordedEvent, 'stream' | 'revision'>;

/** Events that operators have passed over for ever in one projection. */
export interface Skips {
  has(event: Which): boolean;
  /** Asks the log anew first: for an event that cannot be projected, which is rare. */
  hasNow(event: Which): Promise<boolean>;
}

const keyOf = ({ stream, revision }: Which) => `${stream}@${revision}`;

/** A malformed fact of an operator's is no reason to stop every projection. */
function released(recorded: RecordedEvent) {
  try {
    const event = operations.parse(recorded.type, recorded.data);
    return event?.type === 'StreamReleased' ? event.data : null;
  } catch {
    return null;
  }
}

async function read(eventStore: EventStore, projection: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const recorded of eventStore.readStream(OPERATIONS_STREAM)) {
    const data = released(recorded);
    if (data === null || data.projection !== projection) continue;
    for (const revision of data.skipped ?? []) keys.add(keyOf({ stream: data.stream, revision }));
  }
  return keys;
}

/**
 * What was passed over is a fact of the log, so whoever builds a read model from the first event passes
 * over the same events, and ends with the same documents.
 */
export async function readSkips(eventStore: EventStore, projection: string): Promise<Skips> {
  let known = await read(eventStore, projection);
  return {
    has: (event) => known.has(keyOf(event)),
    async hasNow(event) {
      known = await read(eventStore, projection);
      return known.has(keyOf(event));
    },
  };
}
