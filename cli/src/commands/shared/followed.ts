import { setTimeout as wait } from 'node:timers/promises';
import type { ReadModelName } from '@oja/platform';
import { catchUp, projections } from '@oja/projector';
import { Exit, exitCodes } from '../../market/exit.js';
import type { Ground } from '../../market/part.js';
import { isRunning } from './running.js';

/** How long a projector elsewhere may seem to stand still before its work is done here, in ms. */
const STANDSTILL_MS = 2_000;
const GLANCE_MS = 50;

/**
 * Resolves once the live read models have passed what the log holds now: a running market's projector
 * is waited for; where none runs, this process does its work.
 * @throws Exit 1 where one stands still at an event.
 */
export async function followed(
  ground: Ground,
  models: readonly ReadModelName[],
  signal: AbortSignal,
): Promise<void> {
  const { engines, readModels, logger } = ground;
  const { eventStore, documents } = engines;
  const head = await eventStore.head();
  if (head === null) return;
  let patience = isRunning(ground) ? STANDSTILL_MS : 0;
  let stood = '';
  while (!(await readModels.waitFor(models, head, GLANCE_MS, signal))) {
    signal.throwIfAborted();
    const checkpoints = await Promise.all(models.map((model) => readModels.checkpointOf(model)));
    const now = checkpoints.map((checkpoint) => checkpoint?.position ?? '').join();
    patience = now === stood ? patience - GLANCE_MS : Math.max(patience, GLANCE_MS);
    stood = now;
    if (patience > 0) await wait(GLANCE_MS);
    else break;
  }
  for (const { name } of models) {
    const projection = projections.find((known) => known.name === name);
    if (!projection) throw new Error(`nothing projects ${name}`);
    const end = await catchUp({ eventStore, documents, projection, logger, signal }, head);
    signal.throwIfAborted();
    if (end.kind === 'passed') continue;
    const why = end.kind === 'poisoned' ? `: ${end.poison.error}` : '';
    throw new Exit(
      exitCodes.failed,
      `${name} cannot follow the log (${end.kind})${why}; see oja status and oja replay ${name}.`,
    );
  }
}
