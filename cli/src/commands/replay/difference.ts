import { allOf } from '@oja/platform';
import { type Comparison, compare, comparedGeneration, type Projection } from '@oja/projector';
import type { AppContext } from '../../runtime/context.js';
import { failedExit } from '../../terminal/exit.js';
import { withProgress } from '../../terminal/progress.js';
import { requirePointer, requireUnreplaced, waitForGeneration } from '../shared/wait-for-models.js';

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
