import {
  type Documents,
  type EventStore,
  hasPassed,
  type Logger,
  type Position,
} from '@oja/platform';
import { beginModel, checkpointOf, endLoad, ensureCollections } from './pointer.js';
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
 * other's work. @throws when the disk is full, or a store is damaged or broken: somebody waits for the command.
 */
export async function catchUp(
  options: CatchUpOptions,
  position: Position,
): Promise<ProjectionWorkerEnd> {
  const { eventStore, documents, projection } = options;
  const logId = await eventStore.logId();
  const pointer = await beginModel(documents, projection, logId, async () => true);
  const generation = options.generation ?? pointer.live;
  const loading = pointer.loading === generation;
  await ensureCollections(documents, projection, generation, {
    loading: loading ? 'alone' : undefined,
  });
  const worker = createProjectionWorker({
    ...options,
    generation,
    purpose: 'live',
    failFast: true,
  });
  const isThere = hasPassed(await checkpointOf(documents, projection, generation), position);
  const end: ProjectionWorkerEnd = isThere
    ? { kind: 'passed' }
    : await worker.run(options.signal, { until: position, isLoadedAlone: loading });
  // Also where it was held by an event: readers shall have what came before.
  if (loading && !options.signal.aborted) await endLoad(documents, projection, generation);
  return end;
}
