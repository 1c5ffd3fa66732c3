import { OPERATIONS_STREAM, type OperationsEvent, operations } from '@oja/domain';
import {
  type Clock,
  type EventStore,
  eventsOf,
  type ParkedStream,
  type Position,
  parseEvent,
  type RecordedEvent,
} from '@oja/platform';
import { v5 } from 'uuid';

const TRIES = 20;

interface RecordOptions {
  readonly actor: string;
  /** Idempotency key: with the same id the event is recorded once, even if a killed process tries again. */
  readonly commandId: string;
}

/** The position of the stream's last event (null: none); 'contended' when others wrote during every try. */
type RecordResult = Position | null | 'contended';

/** Appends an event about the operation of the market itself. @throws StoreUnavailable */
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
      const known = parseEvent(operations, recorded);
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

type EventAddress = Pick<RecordedEvent, 'stream' | 'revision'>;

/** Events that operators have skipped for ever in one projection. */
export interface Skips {
  has(event: EventAddress): boolean;
  /** Reads the log again first. For an event that cannot be projected, which is rare. */
  hasNow(event: EventAddress): Promise<boolean>;
}

const keyOf = ({ stream, revision }: EventAddress) => `${stream}@${revision}`;

/** Null for a malformed event: one bad record of an operator must not stop every projection. */
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
 * Reads the skipped events from the log. Because skips are part of the log, a rebuild from the
 * first event skips the same events and ends with the same documents.
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

/** UUID namespace of the command ids under which parked streams are recorded. */
const NAMESPACE = '5d3b0c56-8a0e-4c58-9d54-6f7f0a2b7f11';

interface ParkedIn {
  readonly projection: string;
  readonly version: number;
  readonly parked: readonly ParkedStream[];
}

interface Quarantines {
  /**
   * Records each parked stream that is not recorded yet. @throws StoreUnavailable; the next call
   * records the rest.
   */
  record(projections: readonly ParkedIn[]): Promise<void>;
}

/**
 * Records in the log which streams the live read models have parked. It looks at what is parked,
 * not at the moment of parking, so a projector that is killed in between loses nothing. The command
 * id comes from the event that stopped the stream, so several projectors record it once.
 */
export function createQuarantines(stores: {
  readonly eventStore: EventStore;
  readonly clock: Clock;
}): Quarantines {
  const recorded = new Set<string>();
  return {
    async record(projections) {
      for (const { projection, version, parked } of projections)
        for (const { stream, eventId, error } of parked) {
          const commandId = v5(JSON.stringify([projection, version, stream, eventId]), NAMESPACE);
          if (recorded.has(commandId)) continue;
          const at = new Date(stores.clock.now()).toISOString();
          const data = { projection, stream, reason: error, at };
          const result = await recordOperation(
            stores,
            { type: 'StreamQuarantined', data },
            { actor: 'projector', commandId },
          );
          if (result !== 'contended') recorded.add(commandId);
        }
    },
  };
}
