import type { Position } from '@oja/platform';
import { createCleanCopy, type Projection, pointerOf } from '@oja/projector';
import type { ReplayAnswer } from '../../answers/index.js';
import { type AppContext, withContext } from '../../runtime/context.js';
import { Exit, failedExit } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { toOutcome } from '../../terminal/outcome.js';
import {
  finishUnread,
  formatRoughly,
  type Output,
  plural,
  printAnswer,
  printLine,
} from '../../terminal/output.js';
import { projectionNamed } from '../shared/named.js';
import { waitForModels } from '../shared/wait-for-models.js';
import { linesOfDifferences } from '../verify/model.js';
import { build, differenceOf, generationsOf, replayFactId } from './next-generation.js';
import { cleanGenerations, makeLive, pendingReplay } from './switch.js';

type ReplayPlan = Omit<ReplayAnswer<'plan'>, 'room'>;

/** How many events are projected to measure how long one takes. */
const SAMPLE = 2_000;

/** Estimates the work and the time of a replay; only reads. */
export async function planReplay(
  { engines }: AppContext,
  projection: Projection,
  signal: AbortSignal,
): Promise<ReplayPlan> {
  const { eventStore } = engines;
  const wanted = new Set(projection.events);
  let [events, read, sample] = [0, 0, 0];
  let sampleEnd: Position | null = null;
  const began = performance.now();
  for await (const { type, position } of eventStore.readAll({ after: null })) {
    signal.throwIfAborted();
    events += 1;
    if (!wanted.has(type)) continue;
    read += 1;
    if (read <= SAMPLE) [sample, sampleEnd] = [read, position];
  }
  const reading = performance.now() - began;
  const copy = await createCleanCopy({ eventStore, projection, signal });
  const sampling = performance.now();
  try {
    await copy.advance(sampleEnd);
  } finally {
    await copy.close();
  }
  const each = sample === 0 ? 0 : (performance.now() - sampling) / sample;
  const seconds = (reading + each * read) / 1_000;
  return { projection: projection.name, version: projection.version, events, read, seconds };
}

type Replayed = ReplayAnswer<'whole'>;

/** The generation of a replay that was killed after its build; null when there is none to continue. */
async function findPendingBuild(
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
  await waitForModels(context, [projection], signal);
  const live = (await pointerOf(documents, projection))?.live ?? 1;
  const before = await findPendingBuild(
    context,
    projection,
    await pendingReplay(context, projection),
  );
  if (before === live) sayProgress(`Generation ${live} is already live; only the cleanup is left.`);
  const next = before ?? (await planAndBuild(context, projection, options, sayProgress));
  const documentsCompared =
    next === live ? null : await requireEqual(context, projection, next, signal, sayProgress);
  signal.throwIfAborted();
  if (next !== live) sayProgress('Switching …');
  // Called even when it is live already: a kill may have come between the switch and its record.
  const commandId = replayFactId(context, 'ReplaySwitched', name, version, next);
  await makeLive(context, projection, next, signal, commandId);
  signal.throwIfAborted();
  sayProgress('Cleaning …');
  await cleanGenerations(context, projection);
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
  sayProgress(`${projection.name} reads ${much}; that takes ${formatRoughly(seconds)}.`);
  sayProgress('Building …');
  return build(context, projection, options);
}

/** Compares the next generation with the live one; returns the number of documents. @throws Exit 1 when one differs. */
async function requireEqual(
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
  throw failedExit(
    `Generation ${next} of ${name} differs from the live one in ${plural(differences.length, 'document')}; nothing was switched. If that is what you want: oja replay switch ${name}; if not: oja replay clean ${name}.`,
  );
}

/** Says which replays are done, and the command for the rest, so that nothing is built twice. */
function stoppedMessage(names: readonly string[], done: readonly Replayed[]): string {
  const [before, left] = [names.slice(0, done.length), names.slice(done.length)];
  const doneSoFar = before.length === 0 ? 'None is done.' : `Done: ${before.join(', ')}.`;
  return `${doneSoFar} The rest: oja replay ${left.join(' ')}`;
}

/**
 * Rebuilds several read models one after the other, so that the disk holds only one extra generation at a time. Stops
 * at the first failure; those before it are switched and cleaned up. @throws Exit saying what is done and what is left.
 */
export async function replayAll(
  names: readonly string[],
  options: Output & { readonly force?: boolean },
): Promise<void> {
  const projections = names.map(projectionNamed);
  const signal = interruptSignal();
  const sayProgress = options.json ? () => {} : printLine;
  await withContext(async (context) => {
    const done: Replayed[] = [];
    await finishUnread(async () => {
      try {
        for (const [index, projection] of projections.entries()) {
          signal.throwIfAborted();
          sayProgress(`${projection.name} (${index + 1} of ${projections.length})`);
          done.push(await replayWhole(context, projection, { ...options, signal }, sayProgress));
        }
      } catch (error) {
        const { sentence, code } = toOutcome(error);
        throw new Exit(code, `${sentence} ${stoppedMessage(names, done)}`);
      }
    });
    printAnswer<'replay'>(options, done, () => [
      `${plural(done.length, 'read model')} rebuilt: ${names.join(', ')}.`,
    ]);
  });
}
