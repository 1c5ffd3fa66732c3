import type { Documents, EventStore, Logger, Position } from '@oja/platform';
import type { Poison } from './batch.js';
import { beginRebuild, startFeeding } from './generations.js';
import { checkpointOf, ensureCollections, pointerOf } from './pointer.js';
import type { Projection } from './projection.js';
import { createProjectionWorker, type ProjectionWorkerEnd } from './projection-worker.js';

export interface RebuildOptions {
  readonly eventStore: EventStore;
  readonly documents: Documents;
  readonly projection: Projection;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly batchSize?: number;
  /** As of a worker. */
  readonly failFast?: boolean;
}

export type RebuildResult =
  | { readonly ok: true; readonly generation: number }
  | { readonly ok: false; readonly reason: 'aborted'; readonly generation: number }
  /** The live generation is unchanged. Fix the code, then continue with the same call. */
  | {
      readonly ok: false;
      readonly reason: 'poisoned';
      readonly generation: number;
      readonly poison: Poison;
    }
  /** The generation was cleaned away, or the log restored, during the build. */
  | { readonly ok: false; readonly reason: 'lost'; readonly generation: number };

/**
 * Builds the next generation beside the live one, from the first event, until it has passed the
 * live checkpoint. From then on projectors feed both. Continues a rebuild that was killed. Readers
 * notice nothing before `switchTo`. Reactions never run here: they follow the log on their own.
 */
export async function runRebuild(options: RebuildOptions): Promise<RebuildResult> {
  const { eventStore, documents, projection } = options;
  const generation = await beginRebuild(eventStore, documents, projection);
  const target = await rebuildTarget(eventStore, documents, projection);
  const worker = createProjectionWorker({ ...options, generation, purpose: 'rebuild' });
  const end: ProjectionWorkerEnd =
    target === null ? { kind: 'passed' } : await worker.run(options.signal, { until: target });
  if (end.kind === 'passed') {
    // Create the indexes that the load could do without, before anybody reads.
    await ensureCollections(documents, projection, generation);
    const isFed = await startFeeding(documents, projection, generation);
    return isFed ? { ok: true, generation } : { ok: false, reason: 'lost', generation };
  }
  if (end.kind === 'poisoned') {
    return { ok: false, reason: 'poisoned', generation, poison: end.poison };
  }
  return { ok: false, reason: end.kind === 'stopped' ? 'aborted' : 'lost', generation };
}

/** The live checkpoint; instead the head when a restored log ends before it. Null: nothing to reach. */
async function rebuildTarget(
  eventStore: EventStore,
  documents: Documents,
  projection: Projection,
): Promise<Position | null> {
  const pointer = await pointerOf(documents, projection);
  const live = pointer === null ? null : await checkpointOf(documents, projection, pointer.live);
  const head = await eventStore.head();
  if (head === null || live === null || live.position === null) return null;
  const ofThisLog = live.logId === (await eventStore.logId());
  return ofThisLog && live.position <= head ? live.position : head;
}
