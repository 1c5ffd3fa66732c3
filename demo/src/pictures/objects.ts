/**
 * The dyes of a picture, by the word a seller would use. `hue` is an angle in CIE LCh, the space in which
 * sharp rotates hues; `saturation` stays between 0.6 and 1.3 so that nothing glares on a pale background.
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

type Dye = keyof typeof DYES;

/** `plain` is the object as it was drawn. */
export type Colourway = Dye | 'plain';

export const isDye = (word: string): word is Dye => Object.hasOwn(DYES, word);

/**
 * An object that can stand in a picture: a 3D emoji, by its code point, or a part of `goods.svg`. `plain`
 * lists the colour words that are true of it undyed. `hue` is its main colour in CIE LCh, measured over its
 * opaque pixels; a dye rotates the hue from there. An object without `hue` is never dyed.
 */
export interface SampleObject {
  readonly source: { readonly emoji: string } | { readonly part: string };
  readonly plain: readonly [string, ...string[]];
  readonly flat: boolean;
  readonly hue?: number;
  readonly dyes: readonly Dye[];
}

const CLOTH: readonly Dye[] = [
  'red',
  'rust',
  'honey',
  'olive',
  'green',
  'teal',
  'blue',
  'purple',
  'plum',
  'pink',
];
const LEATHER: readonly Dye[] = ['rust', 'honey', 'olive', 'teal', 'blue', 'plum'];
const SHELL: readonly Dye[] = ['red', 'green', 'teal', 'blue', 'pink', 'purple'];
const LABEL: readonly Dye[] = ['rust', 'gold', 'green', 'teal', 'blue', 'plum', 'pink'];

type Plain = SampleObject['plain'];

const asDrawn = (emoji: string, ...plain: Plain): SampleObject => ({
  source: { emoji },
  plain,
  flat: false,
  dyes: [],
});

const dyed = (emoji: string, hue: number, dyes: readonly Dye[], ...plain: Plain): SampleObject => ({
  source: { emoji },
  plain,
  flat: false,
  hue,
  dyes,
});

const own = (part: string, flat: boolean, ...plain: Plain): SampleObject => ({
  source: { part },
  plain,
  flat,
  dyes: [],
});

const OBJECTS = {
  handbag: dyed('1f45c', 35, ['teal'], 'brown', 'two-tone brown'),
  clutch: dyed('1f45d', 15, ['red', 'teal', 'blue', 'purple', 'pink'], 'peach'),
  rucksack: dyed('1f392', 5, CLOTH, 'rose'),
  briefcase: dyed('1f4bc', 5, LEATHER, 'brown'),

  dress: dyed('1f457', 285, CLOTH, 'royal blue'),
  tshirt: dyed('1f455', 135, CLOTH, 'lime'),
  jeans: dyed('1f456', 275, CLOTH, 'denim blue'),
  coat: dyed('1f9e5', 65, ['honey', 'olive', 'teal', 'blue', 'pink', 'plum'], 'camel'),
  blouse: dyed('1f45a', 345, CLOTH, 'magenta'),

  watch: dyed('231a', 295, LEATHER, 'navy'),
  stopwatch: dyed('23f1-fe0f', 305, ['teal', 'blue', 'plum', 'rust'], 'black'),

  cap: dyed('1f9e2', 265, CLOTH, 'sky blue'),
  scarf: dyed('1f9e3', 25, CLOTH, 'scarlet'),
  gloves: dyed('1f9e4', 315, CLOTH, 'violet'),
  sunglasses: dyed('1f576-fe0f', 305, ['rust', 'teal', 'plum', 'olive'], 'dark blue'),
  socks: asDrawn('1f9e6', 'green', 'green and blue'),

  sneaker: dyed('1f45f', 305, [...CLOTH, 'orange'], 'lilac'),
  shoe: dyed('1f45e', 25, LEATHER, 'brown'),
  heels: dyed('1f460', 15, CLOTH, 'crimson'),
  slides: dyed('1f461', 5, CLOTH, 'raspberry'),
  slippers: dyed('1fa74', 285, CLOTH, 'royal blue'),

  ring: dyed('1f48d', 305, ['gold'], 'silver'),
  beads: dyed('1f4ff', 65, ['red', 'gold', 'green', 'blue', 'teal'], 'coral'),
  gem: dyed('1f48e', 275, ['red', 'green', 'purple', 'pink'], 'sapphire'),

  fabric: {
    source: { part: 'fabric' },
    plain: ['indigo'],
    flat: true,
    hue: 292,
    dyes: ['red', 'rust', 'honey', 'olive', 'green', 'teal', 'purple', 'plum'],
  },
  thread: dyed('1f9f5', 275, ['red', 'green', 'teal', 'purple', 'pink'], 'blue'),
  yarn: dyed('1f9f6', 285, CLOTH, 'royal blue'),

  stew: asDrawn('1f372', 'natural'),
  rice: asDrawn('1f35a', 'natural'),
  curry: asDrawn('1f35b', 'natural'),
  paella: asDrawn('1f958', 'natural'),
  popcorn: asDrawn('1f37f', 'natural'),
  biscuit: asDrawn('1f36a', 'natural'),
  groundnut: asDrawn('1f95c', 'natural'),
  doughnut: asDrawn('1f369', 'natural'),
  cake: asDrawn('1f382', 'natural'),
  slice: asDrawn('1f370', 'natural'),
  cupcake: asDrawn('1f9c1', 'natural'),
  carton: asDrawn('1f9c3', 'natural'),
  cup: asDrawn('1f964', 'natural'),
  cocktail: asDrawn('1f379', 'natural'),
  bubbletea: asDrawn('1f9cb', 'natural'),
  tomato: asDrawn('1f345', 'natural'),
  maize: asDrawn('1f33d', 'natural'),
  potato: asDrawn('1f360', 'natural'),
  beans: asDrawn('1fad8', 'natural'),
  grain: asDrawn('1f33e', 'natural'),

  soap: dyed('1f9fc', 335, ['honey', 'gold', 'olive', 'green', 'teal', 'blue', 'plum'], 'pink'),
  sponge: dyed('1f9fd', 65, ['gold', 'green', 'teal', 'pink', 'blue'], 'amber'),
  bottle: dyed('1f9f4', 15, LABEL, 'blush'),
  jar: dyed('1fad9', 215, ['honey', 'gold', 'green', 'pink', 'plum', 'rust'], 'clear'),
  perfume: {
    source: { part: 'perfume' },
    plain: ['amber'],
    flat: false,
    hue: 70,
    dyes: ['pink', 'plum', 'purple', 'blue', 'green', 'olive'],
  },
  pick: dyed('1faae', 315, ['rust', 'honey', 'teal', 'red', 'blue'], 'purple'),
  lipstick: dyed('1f484', 5, ['red', 'rust', 'plum', 'purple', 'orange'], 'rose'),
  mirror: dyed('1fa9e', 85, ['rust', 'pink', 'purple'], 'gold'),

  phone: dyed('1f4f1', 305, ['blue', 'teal', 'green', 'rust', 'plum'], 'midnight'),
  laptop: asDrawn('1f4bb', 'silver', 'grey'),
  headphones: asDrawn('1f3a7', 'silver', 'grey'),
  powerbank: dyed('1f50b', 125, ['honey', 'teal', 'blue', 'orange', 'pink'], 'lime'),
  charger: asDrawn('1f50c', 'black'),
  tablet: own('tablet', true, 'dark grey', 'black'),
  keyboard: asDrawn('2328-fe0f', 'grey', 'silver'),
  mouse: asDrawn('1f5b1-fe0f', 'grey', 'silver'),
  printer: dyed('1f5a8-fe0f', 305, ['teal', 'blue'], 'grey and indigo'),

  gamepad: dyed('1f3ae', 305, SHELL, 'dark purple'),
  joystick: asDrawn('1f579-fe0f', 'black', 'black and red'),
  tv: own('tv', true, 'black', 'dark grey'),
  monitor: asDrawn('1f5a5-fe0f', 'silver', 'grey'),
  television: dyed('1f4fa', 245, ['green'], 'grey'),
  dvd: asDrawn('1f4c0', 'gold'),
  disc: asDrawn('1f4bf', 'silver'),
  cassette: dyed('1f4fc', 305, ['teal', 'blue', 'plum'], 'grey'),
  dish: asDrawn('1f4e1', 'white', 'grey'),
  radio: asDrawn('1f4fb', 'grey', 'silver'),
  fan: {
    source: { part: 'fan' },
    plain: ['blue'],
    flat: false,
    hue: 285,
    dyes: ['teal', 'green', 'purple', 'red'],
  },
  fridge: own('fridge', false, 'white', 'silver'),
  handfan: dyed('1faad', 15, ['teal', 'blue', 'purple', 'green'], 'red'),
} as const satisfies Record<string, SampleObject>;

export type ObjectName = keyof typeof OBJECTS;

export const isObjectName = (word: string): word is ObjectName => Object.hasOwn(OBJECTS, word);

/** The facts about an object, typed as `SampleObject`. */
export const sampleObject = (name: ObjectName): SampleObject => OBJECTS[name];

/** The objects that may appear in the pictures of each subcategory, by subcategory id. */
export const SHELVES: Readonly<Record<number, readonly ObjectName[]>> = {
  1: ['handbag', 'clutch', 'rucksack', 'briefcase'],
  2: ['dress', 'tshirt', 'jeans', 'coat', 'blouse'],
  3: ['watch', 'stopwatch'],
  4: ['cap', 'scarf', 'gloves', 'sunglasses', 'socks'],
  5: ['sneaker', 'shoe', 'heels', 'slides', 'slippers'],
  6: ['ring', 'beads', 'gem'],
  7: ['fabric', 'thread', 'yarn'],
  8: ['stew', 'rice', 'curry', 'paella'],
  9: ['popcorn', 'biscuit', 'groundnut', 'doughnut'],
  10: ['cake', 'slice', 'cupcake'],
  11: ['carton', 'cup', 'cocktail', 'bubbletea'],
  12: ['tomato', 'maize', 'potato', 'beans', 'grain'],
  13: ['soap', 'sponge', 'bottle'],
  14: ['bottle', 'jar'],
  15: ['perfume'],
  16: ['pick', 'jar'],
  17: ['lipstick', 'mirror'],
  18: ['phone'],
  19: ['laptop'],
  20: ['headphones', 'powerbank', 'charger'],
  21: ['tablet'],
  22: ['keyboard', 'mouse', 'printer'],
  23: ['gamepad', 'joystick'],
  24: ['tv', 'monitor', 'television'],
  25: ['dvd', 'disc', 'cassette'],
  26: ['dish'],
  27: ['radio', 'headphones'],
  28: ['fan', 'fridge', 'handfan'],
};
