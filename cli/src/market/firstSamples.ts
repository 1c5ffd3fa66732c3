import { FIRST_SEED, seedGround, seedingOf } from '../seed/index.js';
import type { Ground } from './part.js';

/** Sample goods for a demo's first start, or the rest of them where that start was killed. */
export async function firstSamples(ground: Ground, say: (line: string) => void): Promise<void> {
  const { engines, clock } = ground;
  const seeding = await seedingOf(engines.state, FIRST_SEED, clock.now());
  // A market that has lived without samples gets none.
  const lived = seeding === 'none' && (await engines.eventStore.head()) !== null;
  if (seeding === 'done' || lived) return;
  say('Making sample goods …');
  await seedGround(ground, FIRST_SEED);
}
