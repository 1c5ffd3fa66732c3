import { type Projection, projections } from '@oja/projector';
import { unknownName } from '../../terminal/usage.js';

/** @throws Exit 2 naming the nearest projection when there is none of this name. */
export function projectionNamed(name: string): Projection {
  const found = projections.find((projection) => projection.name === name);
  if (found) return found;
  const names = projections.map((projection) => projection.name);
  throw unknownName('projection', name, names);
}

/** The named projections in the given order, each once; all when no name is given. */
export function projectionsNamed(names: readonly string[]): readonly Projection[] {
  return names.length === 0 ? projections : [...new Set(names)].map(projectionNamed);
}
