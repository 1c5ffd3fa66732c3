import type { EventStore, Position } from '../eventstore/port.js';
import { hasPassed, type ReadModelName } from './bookkeeping.js';
import type { ReadModels } from './reader.js';

interface CaughtUpDeps {
  readonly eventStore: Pick<EventStore, 'head'>;
  readonly readModels: Pick<ReadModels, 'checkpointOf'>;
}

/**
 * Tells whether a read model has once reached the log's head as it was at the first call. The goal stays fixed,
 * because while others keep writing the current head may never be reached. `ofEmptyLog`: whether a model of a log
 * without events has caught up at once, or when a projector has begun it.
 * @throws StoreUnavailable, and the next call asks again, when the log cannot be read.
 */
export function createCaughtUp(
  { eventStore, readModels }: CaughtUpDeps,
  ofEmptyLog: 'at-once' | 'when-begun',
): (model: ReadModelName) => Promise<boolean> {
  let goal: Promise<Position | null> | undefined;
  const done = new Set<string>();

  return async (model) => {
    if (done.has(model.name)) return true;
    goal ??= eventStore.head().catch((error: unknown) => {
      goal = undefined;
      throw error;
    });
    const [checkpoint, head] = await Promise.all([readModels.checkpointOf(model), goal]);
    const isThere =
      head === null ? ofEmptyLog === 'at-once' || checkpoint !== null : hasPassed(checkpoint, head);
    if (isThere) done.add(model.name);
    return isThere;
  };
}
