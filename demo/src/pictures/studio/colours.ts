/** Colours by the word a seller would use, without its spaces: 'royal blue' is `royalblue`. */
export const COLOURS = {
  black: '#23252b',
  white: '#f1f2f3',
  cream: '#efe3c8',
  silver: '#c5cad1',
  grey: '#868c95',
  darkgrey: '#484d57',
  graphite: '#3a3e46',
  midnight: '#232c45',
  navy: '#253560',
  blue: '#2f5fb3',
  royalblue: '#2a49b0',
  skyblue: '#7fb3df',
  denimblue: '#41618f',
  indigo: '#2b3579',
  teal: '#1f7f83',
  mint: '#a9d8c2',
  green: '#2f7d4f',
  lime: '#9cc63f',
  olive: '#75783c',
  gold: '#cfa14a',
  honey: '#d9a85c',
  amber: '#d98a2b',
  orange: '#e57d2e',
  rust: '#b4552d',
  coral: '#e26a54',
  red: '#c22f33',
  wine: '#7b2438',
  pink: '#e58fae',
  rose: '#d4687f',
  peach: '#f0b795',
  lilac: '#b7a3d8',
  purple: '#6d4aa3',
  plum: '#6f3560',
  brown: '#7a4a2c',
  tan: '#b98556',
  camel: '#c49a66',
  wood: '#8a5a34',
  clear: '#cfe3ea',
} as const satisfies Record<string, `#${string}`>;

export type ColourName = keyof typeof COLOURS;

const plainWord = (word: string): string => word.replace(/[^a-z]/g, '');

const isColourName = (word: string): word is ColourName => Object.hasOwn(COLOURS, word);

/** The colour that a seller's word stands for; null when the word is no known colour. */
export function colourNamed(word: string): ColourName | null {
  const name = plainWord(word);
  return isColourName(name) ? name : null;
}

const channels = (hex: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));

/** Blends two colours: `share` 0 gives the first, 1 the second. */
export function mix(from: string, to: string, share: number): string {
  const target = channels(to);
  const mixed = channels(from).map((value, at) =>
    Math.round(value + ((target[at] ?? 0) - value) * share),
  );
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Lighter, as if more light fell on it. */
export const lit = (hex: string, share: number): string => mix(hex, '#fffdf8', share);

/** Darker, as if it lay in the shade, which is never quite black. */
export const shaded = (hex: string, share: number): string => mix(hex, '#0d0f1c', share);

/** Whether a colour is so light that only dark lettering can be read on it. */
export function isLight(hex: string): boolean {
  const [red = 0, green = 0, blue = 0] = channels(hex);
  return red * 0.3 + green * 0.59 + blue * 0.11 > 150;
}
