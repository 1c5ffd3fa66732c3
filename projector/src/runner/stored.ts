import type { Documents, EventStore, ParkedStream, Position } from '@oja/platform';
import { generationKey } from '@oja/platform';
import { type Lag, lagOf } from './lag.js';
import { checkpointOf, pointerOf } from './pointer.js';
import type { Projection } from './projection.js';
import { isAheadOfLog, parkedStreams } from './standing.js';

/** One generation as the store knows it, whoever feeds it. */
export interface StoredGeneration {
  readonly projection: string;
  readonly version: number;
  readonly generation: number;
  /** `live`: readers read it. `built`: fed beside it. `building`: not there yet. */
  readonly role: 'live' | 'built' | 'building';
  readonly checkpoint: Position | null;
  /** When the event at the checkpoint was recorded. */
  readonly checkpointTime: string | null;
  readonly lag: Lag;
  /** It stands beyond the end of the log, which was restored: it is to be built anew. */
  readonly aheadOfLog: boolean;
  readonly parked: readonly ParkedStream[];
}

/**
 * How far every read model has come, from the store alone: for a process that runs no projector.
 * A model that no projector has begun has no generation. `now`: epoch milliseconds.
 */
export async function storedStatus(
  { eventStore, documents }: { readonly eventStore: EventStore; readonly documents: Documents },
  projections: readonly Projection[],
  now: number,
): Promise<readonly StoredGeneration[]> {
  const measured = new Map<Position | null, Promise<Lag>>();
  const lag = (position: Position | null): Promise<Lag> => {
    const known = measured.get(position) ?? lagOf(eventStore, position, now);
    measured.set(position, known);
    return known;
  };

  async function generationsOf(projection: Projection): Promise<readonly StoredGeneration[]> {
    const pointer = await pointerOf(documents, projection);
    if (pointer === null) return [];
    const numbers = [...pointer.fed, ...(pointer.building === null ? [] : [pointer.building])];
    const all = numbers.map(async (generation): Promise<StoredGeneration | null> => {
      const checkpoint = await checkpointOf(documents, projection, generation);
      // Cleaned away between the two looks.
      if (checkpoint === null) return null;
      const parked = await parkedStreams(documents, generationKey(projection, generation));
      const beside = generation === pointer.building ? 'building' : 'built';
      return {
        projection: projection.name,
        version: projection.version,
        generation,
        role: generation === pointer.live ? 'live' : beside,
        checkpoint: checkpoint.position,
        checkpointTime: checkpoint.time,
        lag: await lag(checkpoint.position),
        aheadOfLog: await isAheadOfLog(eventStore, checkpoint),
        parked: [...parked.values()],
      };
    });
    return (await Promise.all(all)).filter((found) => found !== null);
  }
  return (await Promise.all(projections.map(generationsOf))).flat();
}
