import {
  type Colourway,
  isDye,
  isObjectName,
  type ObjectName,
  SHELVES,
  sampleObject,
} from './objects.js';

/** Everything needed to draw one picture again. */
export interface SamplePicture {
  readonly subcategoryId: number;
  readonly object: ObjectName;
  readonly colourway: Colourway;
  readonly kind: KindName;
  /**
   * 0 to 255: chooses the grounds. Kept small so that the number of different pictures stays
   * bounded.
   */
  readonly seed: number;
}

const NAME = /^sample-([1-9]\d?)-([a-z]+)-([a-z]+)-([a-z]+)-([0-9a-f]{2})\.webp$/;

/**
 * `sample-<subcategory>-<object>-<colourway>-<kind>-<seed>.webp`, the seed as two hexadecimal
 * digits.
 */
export function pictureName(picture: SamplePicture): string {
  const seed = picture.seed.toString(16).padStart(2, '0');
  const { subcategoryId, object, colourway, kind } = picture;
  return `sample-${subcategoryId}-${object}-${colourway}-${kind}-${seed}.webp`;
}

/** The picture a name stands for; null unless `pictureName` could have made exactly this name. */
export function parsePictureName(name: string): SamplePicture | null {
  const [, id = '', object = '', colourway = '', kind = '', seed = ''] = NAME.exec(name) ?? [];
  if (!isObjectName(object) || !isKindName(kind)) return null;
  const subcategoryId = Number(id);
  if (!SHELVES[subcategoryId]?.includes(object)) return null;
  const picture = { subcategoryId, object, kind, seed: Number.parseInt(seed, 16) };
  if (colourway === 'plain') return { ...picture, colourway };
  if (!isDye(colourway) || !sampleObject(object).dyes.includes(colourway)) return null;
  return { ...picture, colourway };
}

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

type KindName = keyof typeof KINDS;

export const isKindName = (word: string): word is KindName => Object.hasOwn(KINDS, word);

/** How the copies of an object stand in a kind of picture. */
export function layout(kind: KindName, flat: boolean): Kind {
  const plan: Kind = KINDS[kind];
  if (!flat) return plan;
  const widened = (copy: Copy) => (copy.width === WIDTH ? { ...copy, width: FLAT_WIDTH } : copy);
  return { ...plan, copies: plan.copies.map(widened) };
}
