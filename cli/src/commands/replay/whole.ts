import { type Projection, pointerOf } from '@oja/projector';
import type { ReplayAnswer } from '../../answers/index.js';
import type { AppContext } from '../../runtime/context.js';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { aboutSpan, plural } from '../../terminal/output.js';
import { followed } from '../shared/followed.js';
import { linesOfDifferences } from '../verify/model.js';
import { build, replayFactId } from './build.js';
import { differenceOf, generationsOf } from './difference.js';
import { planReplay } from './plan.js';
import { cleaned, makeLive, pendingReplay } from './switch.js';

export type Replayed = ReplayAnswer<'whole'>;

/** The generation of a replay that was killed after its build; null when there is none to continue. */
async function builtBefore(
  context: AppContext,
  projection: Projection,
  pending: number | null,
): Promise<number | null> {
  const pointer = await pointerOf(context.engines.documents, projection);
  return pending !== null && pointer?.fed.includes(pending) ? pending : null;
}

/**
 * Builds, compares, switches and cleans up. After a kill at any point the next run continues.
 * @throws Exit 1 when the generations differ: both stay, and the operator decides.
 */
export async function replayWhole(
  context: AppContext,
  projection: Projection,
  options: { readonly force?: boolean; readonly signal: AbortSignal },
  sayProgress: (line: string) => void,
): Promise<Replayed> {
  const { signal } = options;
  const { documents } = context.engines;
  const { name, version } = projection;
  await followed(context, [projection], signal);
  const live = (await pointerOf(documents, projection))?.live ?? 1;
  const before = await builtBefore(context, projection, await pendingReplay(context, projection));
  if (before === live) sayProgress(`Generation ${live} is already live; only the cleanup is left.`);
  const next = before ?? (await planAndBuild(context, projection, options, sayProgress));
  const documentsCompared =
    next === live ? null : await proved(context, projection, next, signal, sayProgress);
  signal.throwIfAborted();
  if (next !== live) sayProgress('Switching …');
  // Called even when it is live already: a kill may have come between the switch and its record.
  const commandId = replayFactId(context, 'ReplaySwitched', name, version, next);
  await makeLive(context, projection, next, signal, commandId);
  signal.throwIfAborted();
  sayProgress('Cleaning …');
  await cleaned(context, projection);
  sayProgress(`${name} is read from generation ${next}.`);
  return { projection: name, generation: next, documents: documentsCompared };
}

async function planAndBuild(
  context: AppContext,
  projection: Projection,
  options: { readonly force?: boolean; readonly signal: AbortSignal },
  sayProgress: (line: string) => void,
): Promise<number> {
  const { events, read, seconds } = await planReplay(context, projection, options.signal);
  const much = `${read} of ${plural(events, 'event')}`;
  sayProgress(`${projection.name} reads ${much}; that takes ${aboutSpan(seconds)}.`);
  sayProgress('Building …');
  return build(context, projection, options);
}

/** Compares the next generation with the live one; returns the number of documents. @throws Exit 1 when one differs. */
async function proved(
  context: AppContext,
  projection: Projection,
  next: number,
  signal: AbortSignal,
  sayProgress: (line: string) => void,
): Promise<number> {
  const { name } = projection;
  sayProgress('Comparing …');
  const generations = await generationsOf(context, projection);
  const found = await differenceOf(context, projection, { ...generations, next }, signal);
  const { documents, differences } = found;
  if (differences.length === 0) return documents;
  for (const line of linesOfDifferences(differences)) sayProgress(line);
  throw new Exit(
    exitCodes.failed,
    `Generation ${next} of ${name} differs from the live one in ${plural(differences.length, 'document')}; nothing was switched. If that is what you want: oja replay switch ${name}; if not: oja replay clean ${name}.`,
  );
}
