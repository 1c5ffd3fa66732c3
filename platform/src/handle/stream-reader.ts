import type { Decider } from '@oja/domain';
import { LRUCache } from 'lru-cache';
import type { EventStore, StreamName } from '../eventstore/port.js';
import { type History, type Loaded, readHistory, streamOf } from './stream.js';

/**
 * Streams with fewer events are read in full each time. Products that sell by the thousand have long
 * streams, and every order reads them.
 */
const LONG_STREAM = 100;
/** The most events of long streams in the cache; each takes about 0.2 kB. */
const MOST_REMEMBERED = 100_000;

interface Remembered {
  readonly decider: unknown;
  readonly loaded: Loaded<unknown>;
}

/** Caches long streams as they were last read. An entry may be old, so callers read on from there. */
function createMemory() {
  const streams = new LRUCache<StreamName, Remembered>({
    maxSize: MOST_REMEMBERED,
    sizeCalculation: ({ loaded }) => lengthOf(loaded),
  });
  return {
    of<S, C, E>(decider: Decider<S, C, E>, id: string): Loaded<S> | undefined {
      const found = streams.get(streamOf(decider, id));
      // The state belongs to the decider that computed it.
      return found?.decider === decider ? (found.loaded as Loaded<S>) : undefined;
    },
    keep<S, C, E>(decider: Decider<S, C, E>, id: string, loaded: Loaded<S>): void {
      if (lengthOf(loaded) >= LONG_STREAM) streams.set(streamOf(decider, id), { decider, loaded });
    },
  };
}

const lengthOf = ({ revision }: Loaded<unknown>) => (revision === 'no-stream' ? 0 : revision + 1);

export interface StreamReader {
  /** Reads a stream to its end, and picks out what `commandId` has written. */
  read<S, C, E>(
    decider: Decider<S, C, E>,
    id: string,
    commandId?: string | null,
  ): Promise<History<S>>;
  /** Takes note of a stream that was read or written to otherwise. */
  keep<S, C, E>(decider: Decider<S, C, E>, id: string, loaded: Loaded<S>): void;
  /** The current instance; the initial state when it has no stream. */
  load<S, C, E>(decider: Decider<S, C, E>, id: string): Promise<Loaded<S>>;
}

/**
 * Reads streams, and of a long one that it has read before only what is new.
 * @throws StoreUnavailable; whatever `parse` throws when a stored event of a known type is malformed.
 */
export function createStreamReader(eventStore: Pick<EventStore, 'readStream'>): StreamReader {
  const memory = createMemory();
  const read: StreamReader['read'] = async (decider, id, commandId = null) => {
    const history = await readHistory(eventStore, decider, id, commandId, memory.of(decider, id));
    const { earlier: _, ...loaded } = history;
    memory.keep(decider, id, loaded);
    return history;
  };
  return {
    read,
    keep: memory.keep,
    async load(decider, id) {
      const { earlier: _, ...loaded } = await read(decider, id);
      return loaded;
    },
  };
}
