/**
 * A radial light: `lit` at the upper left, `dim` away from it, and the colour of the shade things
 * throw on it.
 */
export interface Ground {
  readonly lit: string;
  readonly dim: string;
  readonly shade: string;
  readonly motif: boolean;
}

const pale = (lit: string, dim: string): Ground => ({
  lit,
  dim,
  shade: 'rgb(60,44,20)',
  motif: false,
});

const PALE: readonly Ground[] = [
  pale('#F3E4D6', '#DDC3AC'),
  pale('#F7EFDB', '#E4D3AE'),
  pale('#E9EFE0', '#C6D2B6'),
  pale('#E6EDF4', '#BFCFDF'),
  pale('#F8E6DF', '#E5C3B7'),
  pale('#FBF0CF', '#EBD595'),
  pale('#F1EDE5', '#D6CFC1'),
];

const NIGHT: Ground = { lit: '#33437F', dim: '#1A2450', shade: 'rgb(6,9,30)', motif: true };

/** One title picture in ten stands on the night. */
const NIGHT_EVERY = 10;
const STEP = 2;

/**
 * The ground of one of a product's pictures. All but the night ones differ from each other: they lie
 * two steps apart on a ring of seven, so the first comes back only after all of them.
 */
export function groundFor(seed: number, which: number | 'night'): Ground {
  if (which === 'night' || (which === 0 && seed % NIGHT_EVERY === 0)) return NIGHT;
  return PALE[(seed + which * STEP) % PALE.length] ?? NIGHT;
}
