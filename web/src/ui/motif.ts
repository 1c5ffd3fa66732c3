import { motifNumber } from '@oja/domain/rules';

/** The eight motifs, in the order of their numbers. */
export const motifs = [
  'moon',
  'comb',
  'leaf',
  'lozenge',
  'water',
  'seeds',
  'drum',
  'steps',
] as const;
export type Motif = (typeof motifs)[number];

/** The cloth by which a shopper knows this seller again. */
export function motifOf(sellerId: string): Motif {
  return motifs[motifNumber(sellerId)] ?? 'moon';
}
