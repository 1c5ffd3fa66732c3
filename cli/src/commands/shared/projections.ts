import { type Projection, projections } from '@oja/projector';
import { Exit, exitCodes } from '../../terminal/exit.js';
import { nearestOf } from '../../terminal/usage.js';

export const projectionNames: readonly string[] = projections.map(({ name }) => name);

/** @throws Exit 2 naming the nearest one. */
export function projectionNamed(name: string): Projection {
  const found = projections.find((projection) => projection.name === name);
  if (found) return found;
  const hint = nearestOf(name, projectionNames);
  throw new Exit(exitCodes.usage, `There is no projection '${name}'${hint}.`);
}

/** Those named, in their own order; all where none is. */
export function projectionsNamed(names: readonly string[]): readonly Projection[] {
  return names.length === 0 ? projections : [...new Set(names)].map(projectionNamed);
}
