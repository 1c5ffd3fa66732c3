import { type Projection, pointerOf } from '@oja/projector';
import { Exit, exitCodes } from '../../market/exit.js';
import type { Ground } from '../../market/part.js';
import { plural, span } from '../../terminal/output.js';
import { followed } from '../shared/followed.js';
import { linesOfDifferences } from '../verify/differences.js';
import { build, replayFactId } from './build.js';
import { differenceOf, generationsOf } from './difference.js';
import { pendingReplay } from './pending.js';
import { planReplay } from './plan.js';
import { cleaned, turnTo } from './turn.js';

export interface Replayed {
  readonly projection: string;
  readonly generation: number;
  /** How many documents were compared; null where a killed replay had done that before. */
  readonly documents: number | null;
}

/** The generation of a replay that was killed after its build; null: there is none to go on with. */
async function builtBefore(
  ground: Ground,
  projection: Projection,
  pending: number | null,
): Promise<number | null> {
  const pointer = await pointerOf(ground.engines.documents, projection);
  return pending !== null && pointer?.fed.includes(pending) ? pending : null;
}

/**
 * Builds, compares, switches and cleans up; killed anywhere, the next run goes on where this one
 * stopped. @throws Exit 1 at a difference, with everything left for the operator to decide.
 */
export async function replayWhole(
  ground: Ground,
  projection: Projection,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<Replayed> {
  const { documents } = ground.engines;
  const { name, version } = projection;
  await followed(ground, [projection], signal);
  const live = (await pointerOf(documents, projection))?.live ?? 1;
  const before = await builtBefore(ground, projection, await pendingReplay(ground, projection));
  if (before === live) tell(`Generation ${live} is live already; what is left is to clean up.`);
  const next = before ?? (await planAndBuild(ground, projection, signal, tell));
  const documentsCompared =
    next === live ? null : await proved(ground, projection, next, signal, tell);
  signal.throwIfAborted();
  if (next !== live) tell('Switching …');
  // Also where it is live already: the switch may have been the last thing before the kill.
  const commandId = replayFactId(ground, 'ReplaySwitched', name, version, next);
  await turnTo(ground, projection, next, commandId);
  signal.throwIfAborted();
  tell('Cleaning …');
  await cleaned(ground, projection);
  tell(`${name} is read from generation ${next}.`);
  return { projection: name, generation: next, documents: documentsCompared };
}

async function planAndBuild(
  ground: Ground,
  projection: Projection,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<number> {
  const { events, read, seconds } = await planReplay(ground, projection, signal);
  const much = `${read} of ${plural(events, 'event')}`;
  tell(`${projection.name} reads ${much}; that takes about ${span(seconds)}.`);
  tell('Building …');
  return build(ground, projection, signal);
}

/** How many documents are the same. @throws Exit 1 where one is not. */
async function proved(
  ground: Ground,
  projection: Projection,
  next: number,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<number> {
  const { name } = projection;
  tell('Comparing …');
  const generations = await generationsOf(ground, projection);
  const found = await differenceOf(ground, projection, { ...generations, next }, signal);
  const { documents, differences } = found;
  if (differences.length === 0) return documents;
  for (const line of linesOfDifferences(differences)) tell(line);
  throw new Exit(
    exitCodes.failed,
    `Generation ${next} of ${name} differs from the live one in ${plural(differences.length, 'document')}; nothing was switched. If that is what you want: oja replay switch ${name}; if not: oja replay clean ${name}.`,
  );
}
