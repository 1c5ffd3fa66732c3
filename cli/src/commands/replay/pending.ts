import { modelKey } from '@oja/platform';
import type { Projection } from '@oja/projector';
import type { Ground } from '../../market/part.js';

const SPACE = 'replay';

/** The generation that a replay was begun for and that is not cleaned up after yet. */
type Pending = { readonly generation: number };

/** Null where no replay is under way. Kept outside the read models: it is about replacing them. */
export async function pendingReplay(
  { engines, clock }: Ground,
  projection: Projection,
): Promise<number | null> {
  const entry = await engines.state.get<Pending>(SPACE, modelKey(projection), clock.now());
  return entry?.value.generation ?? null;
}

export async function replayBegun(
  { engines, clock }: Ground,
  projection: Projection,
  generation: number,
): Promise<void> {
  await engines.state.put(SPACE, modelKey(projection), { generation }, clock.now());
}

export async function replayEnded({ engines }: Ground, projection: Projection): Promise<void> {
  await engines.state.delete(SPACE, modelKey(projection));
}
