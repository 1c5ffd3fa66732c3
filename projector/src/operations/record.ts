import { type OperationsEvent, operations } from '@oja/domain';
import { type Clock, type EventStore, eventsOf, type Position } from '@oja/platform';
import { OPERATIONS_STREAM } from './stream.js';

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
