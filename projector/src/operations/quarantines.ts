import type { Clock, EventStore, ParkedStream } from '@oja/platform';
import { v5 } from 'uuid';
import { recordOperation } from './records.js';

/** Of the ids under which a parked stream is recorded. */
const NAMESPACE = '5d3b0c56-8a0e-4c58-9d54-6f7f0a2b7f11';

export interface ParkedIn {
  readonly projection: string;
  readonly version: number;
  readonly parked: readonly ParkedStream[];
}

export interface Quarantines {
  /** Records each that is not yet. @throws StoreUnavailable; what is left is recorded the next time. */
  record(projections: readonly ParkedIn[]): Promise<void>;
}

/**
 * Tells the log which streams live read models have set aside. It looks at what is parked, not at the
 * moment of parking, so a projector that is killed in between forgets nothing; the id comes from the
 * event that stopped the stream, so several projectors record it once.
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
