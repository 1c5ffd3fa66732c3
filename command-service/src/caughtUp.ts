import type { ReadModelName } from '@oja/platform';
import type { Deps } from './deps.js';

/**
 * Whether read models have once come as far as the log had: before, what is judged by them would be
 * judged by half of what is known. Later lags are waited for by each call that needs it.
 */
export function createCaughtUp(
  { eventStore, readModels }: Pick<Deps, 'eventStore' | 'readModels'>,
  models: readonly ReadModelName[],
): () => Promise<boolean> {
  let done = false;
  return async () => {
    if (done) return true;
    const head = await eventStore.head();
    done = head === null || (await readModels.waitFor(models, head, 0));
    return done;
  };
}
