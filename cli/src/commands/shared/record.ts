import { type OperationsEvent, operations } from '@oja/domain';
import type { Position } from '@oja/platform';
import { v5, v7 } from 'uuid';
import { Exit, exitCodes } from '../../market/exit.js';
import type { Ground } from '../../market/part.js';

/** Of all that operators do to the market itself. */
const STREAM = 'operations';
const TRIES = 20;

/**
 * Records what an operator did. With the same `commandId` it is recorded once, however often a killed
 * command is run again. Answers where the stream stands then.
 */
export async function record(
  { engines, clock }: Pick<Ground, 'engines' | 'clock'>,
  event: OperationsEvent,
  commandId: string = v7(),
): Promise<Position | null> {
  const { eventStore } = engines;
  for (let tries = 0; tries < TRIES; tries += 1) {
    let state = operations.initial;
    let revision: number | 'no-stream' = 'no-stream';
    let position: Position | null = null;
    let done = false;
    for await (const recorded of eventStore.readStream(STREAM)) {
      const known = operations.parse(recorded.type, recorded.data);
      if (known !== null) state = operations.evolve(state, known);
      ({ revision, position } = recorded);
      done ||= recorded.metadata.commandId === commandId;
    }
    const decision = operations.decide({ type: 'RecordOperation', event }, state);
    if (done || !decision.ok || decision.events.length === 0) return position;
    const metadata = {
      actor: 'operator',
      commandId,
      correlationId: commandId,
      causationId: commandId,
      time: new Date(clock.now()).toISOString(),
      schemaVersion: operations.schemaVersion,
    };
    const events = decision.events.map(({ type, data }, i) => ({
      id: v5(String(i), commandId),
      type,
      data,
      metadata,
    }));
    const appended = await eventStore.append(STREAM, revision, events);
    if (appended.ok) return appended.position;
  }
  throw new Exit(
    exitCodes.failed,
    'Others wrote to the operations stream in every try; try again.',
  );
}
