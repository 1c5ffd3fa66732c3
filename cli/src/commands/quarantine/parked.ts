import type { ParkedStream } from '@oja/platform';
import { type Projection, projections, type StoredGeneration, storedStatus } from '@oja/projector';
import { Exit, exitCodes } from '../../market/exit.js';
import type { Ground } from '../../market/part.js';
import { nearestOf } from '../../terminal/nearest.js';
import { projectionNamed } from '../shared/projections.js';

export interface Parked {
  readonly projection: Projection;
  readonly generation: number;
  readonly role: StoredGeneration['role'];
  readonly stream: ParkedStream;
}

/** All that waits, in every generation that is fed. */
export async function allParked(
  { engines, clock }: Ground,
  of: readonly Projection[] = projections,
): Promise<readonly Parked[]> {
  const generations = await storedStatus(engines, of, clock.now());
  return generations.flatMap(({ projection, generation, role, parked }) =>
    parked.map((stream) => ({ projection: projectionNamed(projection), generation, role, stream })),
  );
}

/** What waits of one stream in one projection. @throws Exit 2 naming the nearest one. */
export async function parkedStream(
  ground: Ground,
  projectionName: string,
  stream: string,
): Promise<readonly Parked[]> {
  const projection = projectionNamed(projectionName);
  const all = await allParked(ground, [projection]);
  const found = all.filter((parked) => parked.stream.stream === stream);
  if (found.length > 0) return found;
  const hint = nearestOf(
    stream,
    all.map((parked) => parked.stream.stream),
  );
  throw new Exit(exitCodes.usage, `${projection.name} has not parked a stream '${stream}'${hint}.`);
}
