import { setTimeout as waitFor } from 'node:timers/promises';
import type { Decider } from '@oja/domain';
import { LRUCache } from 'lru-cache';
import { v5 } from 'uuid';
import {
  type AppendResult,
  type EventMetadata,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type JsonObject,
  NoRoom,
  type Position,
  type RecordedEvent,
  type Revision,
  StoreUnavailable,
  type StreamName,
} from '../eventstore/port.js';
import { messageOf } from '../message-of.js';

/** An event as the domain sees it: a type and its data. */
export interface DomainEvent {
  readonly type: string;
  readonly data: JsonObject;
}

/** An instance folded from its stream. */
export interface Loaded<S> {
  readonly state: S;
  readonly revision: ExpectedRevision;
  readonly position: Position | null;
  /** Time of the last event in epoch milliseconds; null in an empty stream. */
  readonly lastTime: number | null;
  /** Correlation id of the first event; null in an empty stream. */
  readonly begunUnder: string | null;
  /** Ids of the commands that have written to the stream. */
  readonly commands: ReadonlySet<string>;
}

/** An event that a command has written. Only the last one's position is known, so these have none. */
export type Written = Omit<RecordedEvent, 'position'>;

/** The events of one command, and the state right after them. */
interface Outcome<S> {
  readonly events: readonly Written[];
  readonly state: S;
  readonly revision: Revision;
  readonly position: Position;
}

/** A stream read to its end. */
interface History<S> extends Loaded<S> {
  /** What the given command has already written; null when it has written nothing. */
  readonly earlier: Outcome<S> | null;
}

export function streamOf(decider: { readonly category: string }, id: string): StreamName {
  return `${decider.category}-${id}`;
}

/** A stored event whose data are not those of its type: its bytes are damaged, or a later release has written it. */
export class UnreadableEvent extends Error {
  override readonly name = 'UnreadableEvent';

  constructor({ stream, revision, type }: Written, cause: unknown) {
    super(`Event ${revision} of ${stream} is no ${type}: ${messageOf(cause)}`, { cause });
  }
}

/** What a decider makes of a stored event; null for a type that it does not know. @throws UnreadableEvent */
export function parseEvent<S, C, E>({ parse }: Decider<S, C, E>, recorded: Written): E | null {
  try {
    return parse(recorded.type, recorded.data);
  } catch (error) {
    throw new UnreadableEvent(recorded, error);
  }
}

/** The state after one more event. Event types that the decider does not know change nothing. @throws UnreadableEvent */
export function fold<S, C, E>(decider: Decider<S, C, E>, state: S, recorded: Written): S {
  const event = parseEvent(decider, recorded);
  return event === null ? state : decider.evolve(state, event);
}

/**
 * Reads and folds a stream, and picks out the events that `commandId` has written.
 * @param begun the stream as read before: only later events are read now, unless it contains `commandId`
 * @throws StoreUnavailable; UnreadableEvent
 */
async function readHistory<S, C, E>(
  eventStore: Pick<EventStore, 'readStream'>,
  decider: Decider<S, C, E>,
  id: string,
  commandId: string | null,
  begun: Loaded<S> = emptyStream(decider.initial),
): Promise<History<S>> {
  const isIn = commandId !== null && begun.commands.has(commandId);
  const before = isIn ? emptyStream(decider.initial) : begun;
  let { state } = before;
  let first: RecordedEvent | null = null;
  let last: RecordedEvent | null = null;
  let earlier: Outcome<S> | null = null;
  const events: Written[] = [];
  const commands = new Set(before.commands);
  const from = before.revision === 'no-stream' ? 0 : before.revision + 1;
  for await (const recorded of eventStore.readStream(streamOf(decider, id), { from })) {
    state = fold(decider, state, recorded);
    first ??= recorded;
    last = recorded;
    commands.add(recorded.metadata.commandId);
    if (recorded.metadata.commandId === commandId) {
      const { position: _, ...written } = recorded;
      events.push(written);
      earlier = { events, state, revision: recorded.revision, position: recorded.position };
    }
  }
  return {
    state,
    revision: last?.revision ?? before.revision,
    position: last?.position ?? before.position,
    lastTime: last ? Date.parse(last.metadata.time) : before.lastTime,
    begunUnder: before.begunUnder ?? first?.metadata.correlationId ?? null,
    commands,
    earlier,
  };
}

/** The instance of a stream without events. */
export const emptyStream = <S>(initial: S): Loaded<S> => ({
  state: initial,
  revision: 'no-stream',
  position: null,
  lastTime: null,
  begunUnder: null,
  commands: new Set(),
});

/**
 * Streams with fewer events are read in full each time. Products that sell by the thousand have long
 * streams, and every order reads them.
 */
const LONG_STREAM = 100;
/** The most events of long streams in the cache; each takes about 0.2 kB. */
const MAX_CACHED_EVENTS = 100_000;

interface CachedStream {
  readonly decider: unknown;
  readonly loaded: Loaded<unknown>;
}

/** Caches long streams as they were last read. An entry may be old, so callers read on from there. */
function createStreamCache() {
  const streams = new LRUCache<StreamName, CachedStream>({
    maxSize: MAX_CACHED_EVENTS,
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

interface StreamReader {
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
 * @throws StoreUnavailable; UnreadableEvent
 */
export function createStreamReader(eventStore: Pick<EventStore, 'readStream'>): StreamReader {
  const cache = createStreamCache();
  const read: StreamReader['read'] = async (decider, id, commandId = null) => {
    const history = await readHistory(eventStore, decider, id, commandId, cache.of(decider, id));
    const { earlier: _, ...loaded } = history;
    cache.keep(decider, id, loaded);
    return history;
  };
  return {
    read,
    keep: cache.keep,
    async load(decider, id) {
      const { earlier: _, ...loaded } = await read(decider, id);
      return loaded;
    },
  };
}

/** Pauses between tries while the outcome of an append is unknown, in milliseconds. */
const retryWaitsMs = [50, 200, 800, 2_000];

/**
 * Turns a decision into events to append. An event's id derives from the command id and the event's
 * content. A retry of the same decision has the same ids, so the log recognises it. Another process that
 * knew more or less may decide otherwise on the same command; its ids differ, the log reports a conflict,
 * and the stored events count.
 */
export function eventsOf(
  decided: readonly DomainEvent[],
  metadata: EventMetadata,
): readonly EventToAppend[] {
  return decided.map(({ type, data }, index) => ({
    id: v5(`${index} ${type} ${JSON.stringify(data)}`, metadata.commandId),
    type,
    data,
    metadata,
  }));
}

/**
 * Appends, and retries with the same ids while the outcome is unknown: the log repeats a lost answer, and
 * an append that never arrived happens now.
 * @throws StoreUnavailable when it is permanent, the disk is full, or all tries failed.
 */
export async function appendWithRetry(
  eventStore: EventStore,
  stream: StreamName,
  expected: ExpectedRevision,
  events: readonly EventToAppend[],
): Promise<AppendResult> {
  for (const wait of retryWaitsMs) {
    try {
      return await eventStore.append(stream, expected, events);
    } catch (error) {
      const isUnknown =
        error instanceof StoreUnavailable && !error.permanent && !(error instanceof NoRoom);
      if (!isUnknown) throw error;
      await waitFor(wait);
    }
  }
  return eventStore.append(stream, expected, events);
}
