import type { Difference } from '@oja/projector';

/** So many are named on a terminal; `--json` names all. */
const NAMED = 20;

const words: Readonly<Record<Difference['kind'], string>> = {
  missing: 'is missing in the live model',
  extra: 'is in the live model only',
  different: 'differs',
  moving: 'changed all the time and could not be judged',
};

export function linesOfDifferences(differences: readonly Difference[]): readonly string[] {
  const named = differences
    .slice(0, NAMED)
    .map(({ collection, id, kind }) => `  ${collection} ${id} ${words[kind]}`);
  const more = differences.length - NAMED;
  return more > 0 ? [...named, `  … and ${more} more (--json names them all)`] : named;
}
