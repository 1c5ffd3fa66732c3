import { allOf, nowOf } from '@oja/platform';
import {
  beginRebuild,
  type Comparison,
  checkpointOf,
  compare,
  comparedGeneration,
  type Projection,
  runRebuild,
} from '@oja/projector';
import { v5 } from 'uuid';
import type { AppContext } from '../../runtime/context.js';
import { recordByOperator } from '../../runtime/operator.js';
import { failedExit } from '../../terminal/exit.js';
import { createProgress, withProgress } from '../../terminal/progress.js';
import { diskSpaceFor, requireDiskSpace } from '../shared/disk-space.js';
import { countEvents, withReadCount } from '../shared/event-progress.js';
import { requirePointer, requireUnreplaced, waitForGeneration } from '../shared/wait-for-models.js';
import { storePendingReplay } from './switch.js';

/** The command id of a fact that a replay records: the same when a killed replay runs again, so it is recorded once. */
export const replayFactId = (context: AppContext, ...facts: readonly (string | number)[]): string =>
  v5(JSON.stringify(facts), context.logId);

/**
 * Builds the next generation beside the live one, or continues a killed build. Returns its number. `force`: build
 * even when the disk seems too small. @throws Exit 1 when it is, or when an event cannot be projected; the live
 * generation stays as it was.
 */
export async function build(
  context: AppContext,
  projection: Projection,
  { force = false, signal }: { readonly force?: boolean; readonly signal: AbortSignal },
): Promise<number> {
  const { config, engines, logger, clock } = context;
  const { eventStore, documents } = engines;
  const { name } = projection;
  if (!force) {
    const room = await diskSpaceFor(context, projection, config.dataDir);
    requireDiskSpace(room, `Building ${name} anew`, ', or build it anyway with --force');
  }
  const generation = await beginRebuild(eventStore, documents, projection);
  await storePendingReplay(context, projection, generation);
  const at = nowOf({ clock });
  await recordByOperator(
    context,
    { type: 'ReplayRequested', data: { projection: name, generation, at } },
    replayFactId(context, 'ReplayRequested', name, projection.version, generation),
  );
  const progress = createProgress(`${name}: building generation ${generation}`);
  const begun = await checkpointOf(documents, projection, generation);
  const total = await countEvents(eventStore, begun?.position ?? null, signal, projection.events);
  const result = await runRebuild({
    eventStore: withReadCount(eventStore, (read) => progress.update(read, total)),
    documents,
    projection,
    logger,
    signal,
    failFast: true,
  }).finally(() => progress.end());
  if (result.ok) return result.generation;
  if (result.reason === 'aborted') signal.throwIfAborted();
  if (result.reason === 'poisoned') {
    const { event, error } = result.poison;
    throw failedExit(
      `${event.type} (revision ${event.revision} of ${event.stream}) cannot be projected: ${error}. The live model is unchanged. Fix the code and run the same command again, or delete the new generation with oja replay clean ${name} --building.`,
    );
  }
  throw failedExit(
    `Generation ${generation} of ${name} was deleted while it was being built; run the same command again.`,
  );
}

export interface Generations {
  readonly live: number;
  readonly next: number;
}

/** The live generation and the newest other one that is built. @throws Exit 1 when there is none. */
export async function generationsOf(
  context: AppContext,
  projection: Projection,
): Promise<Generations> {
  const { name } = projection;
  const pointer = await requirePointer(context.engines.documents, projection);
  const next = pointer.fed.filter((generation) => generation !== pointer.live).at(-1);
  if (next === undefined) {
    const what =
      pointer.building === null ? 'No other generation is' : 'The next one is still being';
    throw failedExit(`${what} built of ${name}: run oja replay start ${name}.`);
  }
  return { live: pointer.live, next };
}

/**
 * Compares the live generation with the next one, document by document, while both may be following the log.
 * @throws Exit 1 when one of them is cleaned away meanwhile.
 */
export async function differenceOf(
  context: AppContext,
  projection: Projection,
  { live, next }: Generations,
  signal: AbortSignal,
): Promise<Comparison> {
  const { documents } = context.engines;
  await allOf(
    [live, next].map((generation) => waitForGeneration(context, projection, generation, signal)),
  );
  return withProgress(`${projection.name}: comparing`, (onProgress) =>
    requireUnreplaced(documents, projection, [live, next], () =>
      compare(
        projection,
        comparedGeneration(documents, projection, live),
        comparedGeneration(documents, projection, next),
        { signal, onProgress },
      ),
    ),
  );
}
