import type { CategoryName } from '@oja/domain/rules';
import type { Motif } from './motif.js';

/** The cloth of each category. */
export const categoryMotif: Readonly<Record<CategoryName, Motif>> = {
  Electronics: 'comb',
  Fashion: 'moon',
  'Beauty and Skincare': 'leaf',
  'Phones and Laptop': 'lozenge',
};
