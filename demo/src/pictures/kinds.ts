/**
 * One copy of the object: where its middle stands and how wide its drawing is, both as parts of the
 * picture's side.
 */
export interface Copy {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly mirrored: boolean;
  /** Degrees clockwise. */
  readonly turn: number;
}

export interface Kind {
  /** From the back to the front. */
  readonly copies: readonly Copy[];
  /** Which of the product's grounds it stands on; the night is one of its own. */
  readonly ground: number | 'night';
}

/** Slightly above the middle, so that the shadow has room: 6 px of a 320 px picture. */
const RAISED = 0.5 - 6 / 320;
const WIDTH = 0.64;
/** Flat things fill less of their drawing. */
const FLAT_WIDTH = 0.74;

const centred: Copy = { x: 0.5, y: RAISED, width: WIDTH, mirrored: false, turn: 0 };

export const KINDS = {
  title: { ground: 0, copies: [centred] },
  mirrored: { ground: 1, copies: [{ ...centred, mirrored: true }] },
  close: { ground: 2, copies: [{ ...centred, x: 0.44, y: 0.56, width: 1.24 }] },
  pair: {
    ground: 'night',
    copies: [
      { ...centred, x: 0.605, y: 0.42, width: 0.5 },
      { ...centred, x: 0.385, y: 0.52, width: 0.5 },
    ],
  },
  turned: { ground: 3, copies: [{ ...centred, turn: 12 }] },
  small: { ground: 4, copies: [{ ...centred, width: 0.45 }] },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;

export const isKindName = (word: string): word is KindName => Object.hasOwn(KINDS, word);

/** How the copies of an object stand in a kind of picture. */
export function layout(kind: KindName, flat: boolean): Kind {
  const plan: Kind = KINDS[kind];
  if (!flat) return plan;
  const widened = (copy: Copy) => (copy.width === WIDTH ? { ...copy, width: FLAT_WIDTH } : copy);
  return { ...plan, copies: plan.copies.map(widened) };
}
