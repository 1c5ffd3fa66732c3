import {
  type Documents,
  type EventStore,
  hasPassed,
  type Logger,
  type Position,
} from '@oja/platform';
import { beginModel, checkpointOf, ensureCollections } from './pointer.js';
import type { Projection } from './projection.js';
import { createProjectionWorker, type ProjectionWorkerEnd } from './projection-worker.js';

export interface CatchUpOptions {
  readonly eventStore: EventStore;
  readonly documents: Documents;
  readonly projection: Projection;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Default: the live one. */
  readonly generation?: number;
}

/**
 * Feeds a generation until it has passed the position, for a market whose projector is not running.
 * Next to a running projector it is safe, as the checkpoint is guarded, but each discards the
 * other's work.
 */
export async function catchUp(
  options: CatchUpOptions,
  position: Position,
): Promise<ProjectionWorkerEnd | { readonly kind: 'passed' }> {
  const { eventStore, documents, projection } = options;
  const pointer = await beginModel(documents, projection, await eventStore.logId());
  const generation = options.generation ?? pointer.live;
  await ensureCollections(documents, projection, generation);
  if (hasPassed(await checkpointOf(documents, projection, generation), position))
    return { kind: 'passed' };
  const passed = new AbortController();
  const worker = createProjectionWorker({
    ...options,
    generation,
    purpose: 'live',
    onProgress(checkpoint) {
      if (hasPassed(checkpoint, position)) passed.abort();
    },
  });
  const end = await worker.run(AbortSignal.any([options.signal, passed.signal]));
  return passed.signal.aborted ? { kind: 'passed' } : end;
}
