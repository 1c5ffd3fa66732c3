import { OPERATIONS_STREAM, type OperationsEvent, operations } from '@oja/domain';
import {
  type Clock,
  type EventStore,
  eventsOf,
  type Position,
  type RecordedEvent,
} from '@oja/platform';

const TRIES = 20;

export interface RecordOptions {
  readonly actor: string;
  /** With the same one it is recorded once, however often a killed process tries again. */
  readonly commandId: string;
}

/** Where the stream stands then, null when it is empty; 'contended' where others wrote in every try. */
export type RecordResult = Position | null | 'contended';

/** Appends what was done to the market itself. @throws StoreUnavailable */
export async function recordOperation(
  { eventStore, clock }: { readonly eventStore: EventStore; readonly clock: Clock },
  event: OperationsEvent,
  { actor, commandId }: RecordOptions,
): Promise<RecordResult> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    let state = operations.initial;
    let revision: number | 'no-stream' = 'no-stream';
    let position: Position | null = null;
    let done = false;
    for await (const recorded of eventStore.readStream(OPERATIONS_STREAM)) {
      const known = operations.parse(recorded.type, recorded.data);
      if (known !== null) state = operations.evolve(state, known);
      ({ revision, position } = recorded);
      done ||= recorded.metadata.commandId === commandId;
    }
    const decision = operations.decide({ type: 'RecordOperation', event }, state);
    if (done || !decision.ok || decision.events.length === 0) return position;
    const events = eventsOf(decision.events, {
      actor,
      commandId,
      correlationId: commandId,
      causationId: commandId,
      time: new Date(clock.now()).toISOString(),
      schemaVersion: operations.schemaVersion,
    });
    const appended = await eventStore.append(OPERATIONS_STREAM, revision, events);
    if (appended.ok) return appended.position;
  }
  return 'contended';
}

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
