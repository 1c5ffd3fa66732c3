/**
 * The dyes a picture can be given, by the word a seller would use. `hue` is an angle in CIE LCh,
 * the space in which sharp turns hues; `saturation` stays between 0.6 and 1.3 so that nothing
 * glares on a pale ground.
 */
export const DYES = {
  red: { hue: 28, saturation: 1 },
  rust: { hue: 52, saturation: 0.85 },
  orange: { hue: 64, saturation: 1.1 },
  honey: { hue: 76, saturation: 0.6 },
  gold: { hue: 88, saturation: 1 },
  olive: { hue: 112, saturation: 0.6 },
  green: { hue: 145, saturation: 0.8 },
  teal: { hue: 200, saturation: 0.75 },
  blue: { hue: 278, saturation: 0.95 },
  purple: { hue: 312, saturation: 0.85 },
  plum: { hue: 335, saturation: 0.65 },
  pink: { hue: 358, saturation: 0.85 },
} as const satisfies Record<string, { readonly hue: number; readonly saturation: number }>;

export type Dye = keyof typeof DYES;

/** `plain` is the object as it was drawn. */
export type Colourway = Dye | 'plain';

export const isDye = (word: string): word is Dye => Object.hasOwn(DYES, word);
