import { setTimeout as wait } from 'node:timers/promises';
import { hasPassed, type ReadModelName } from '@oja/platform';
import { catchUp, checkpointOf, type Projection, pointerOf } from '@oja/projector';
import type { AppContext } from '../../runtime/context.js';
import { isRunning } from '../../runtime/running.js';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { projectionNamed } from './projections.js';

/** How long a projector elsewhere may seem to stand still before its work is done here, in ms. */
const STANDSTILL_MS = 3_000;
/** The same where the whole market does not run: a projector that runs alone is not seen otherwise. */
const CLOSED_STANDSTILL_MS = 250;
const GLANCE_MS = 25;

/**
 * Resolves once a generation has passed what the log holds now: a running market's projector is
 * waited for; where none runs, this process does its work.
 * @throws Exit 1 where it stands still at an event.
 */
export async function generationFollowed(
  context: AppContext,
  projection: Projection,
  generation: number,
  signal: AbortSignal,
): Promise<void> {
  const { engines, logger } = context;
  const { eventStore, documents } = engines;
  const head = await eventStore.head();
  if (head === null) return;
  const patience = (await isRunning(context)) ? STANDSTILL_MS : CLOSED_STANDSTILL_MS;
  let stoodSince = performance.now();
  for (let stood: string | null = null; ; ) {
    signal.throwIfAborted();
    const checkpoint = await checkpointOf(documents, projection, generation);
    if (hasPassed(checkpoint, head)) return;
    const position = checkpoint?.position ?? null;
    if (position !== stood) stoodSince = performance.now();
    stood = position;
    if (performance.now() - stoodSince >= patience) break;
    await wait(GLANCE_MS);
  }
  const options = { eventStore, documents, projection, generation, logger, signal };
  const end = await catchUp(options, head);
  signal.throwIfAborted();
  if (end.kind === 'passed') return;
  const { name } = projection;
  const why = end.kind === 'poisoned' ? `: ${end.poison.error}` : '';
  throw new Exit(
    exitCodes.failed,
    `${name} cannot follow the log (${end.kind})${why}; see oja status and oja replay ${name}.`,
  );
}

/** The same for the live generations of these read models, of all at once: each may have to be waited for. */
export async function followed(
  context: AppContext,
  models: readonly ReadModelName[],
  signal: AbortSignal,
): Promise<void> {
  const each = models.map(async ({ name }) => {
    const projection = projectionNamed(name);
    const pointer = await pointerOf(context.engines.documents, projection).catch(() => null);
    await generationFollowed(context, projection, pointer?.live ?? 1, signal);
  });
  await allOf(each);
}

/** Resolves once all have ended, so that nothing is under way when one fails. @throws what the first threw. */
export async function allOf(works: readonly Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}
