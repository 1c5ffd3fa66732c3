import { setTimeout as wait } from 'node:timers/promises';
import { type Projection, type StoredGeneration, storedStatus } from '@oja/projector';
import type { Ground } from '../../market/part.js';
import { createProgress } from '../../terminal/progress.js';

const LOOK_MS = 500;

/** Shows how far the newest generation has come, until it has caught up with the log. */
export async function watchReplay(
  { engines, clock }: Ground,
  projection: Projection,
  signal: AbortSignal,
): Promise<readonly StoredGeneration[]> {
  const progress = createProgress(`${projection.name}: following`);
  let most = 1;
  for (;;) {
    const generations = await storedStatus(engines, [projection], clock.now());
    const newest = generations.at(-1);
    const left = newest?.lag.events ?? 0;
    most = Math.max(most, left);
    progress.at(most - left, most);
    if (newest === undefined || left === 0 || signal.aborted) {
      progress.end();
      return generations;
    }
    await wait(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}
