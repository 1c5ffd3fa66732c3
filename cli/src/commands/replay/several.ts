import { withContext } from '../../runtime/context.js';
import { Exit } from '../../terminal/exit.js';
import { interruptSignal } from '../../terminal/interrupt.js';
import { outcomeOf } from '../../terminal/outcome.js';
import { type Output, plural, say, show } from '../../terminal/output.js';
import { projectionNamed } from '../shared/projections.js';
import { type Replayed, replayWhole } from './whole.js';

/** Says which replays are done, and the command for the rest, so that nothing is built twice. */
function stoppedAt(names: readonly string[], done: readonly Replayed[]): string {
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
  const sayProgress = options.json ? () => {} : say;
  await withContext(async (context) => {
    const done: Replayed[] = [];
    try {
      for (const [index, projection] of projections.entries()) {
        signal.throwIfAborted();
        sayProgress(`${projection.name} (${index + 1} of ${projections.length})`);
        done.push(await replayWhole(context, projection, { ...options, signal }, sayProgress));
      }
    } catch (error) {
      const { sentence, code } = outcomeOf(error);
      throw new Exit(code, `${sentence} ${stoppedAt(names, done)}`);
    }
    show<'replay'>(options, done, () => [
      `${plural(done.length, 'read model')} rebuilt: ${names.join(', ')}.`,
    ]);
  });
}
