/** Dimensions and features of the phones and tablets, which tell one model from another. */

/** A lens on the back, in the back's own coordinates. */
export type Lens = readonly [x: number, y: number, r: number];

/** A phone or tablet as a slab of glass. Lenses and plates are in the back's own coordinates. */
export interface Slate {
  readonly w: number;
  readonly h: number;
  readonly radius: number;
  readonly bezel: number;
  /** Bezel below the screen, or left and right of it with the `home` eye; default: `bezel`. */
  readonly chin?: number;
  readonly eye: 'punch' | 'notch' | 'drop' | 'corner' | 'home' | 'none';
  readonly plate?: readonly [x: number, y: number, w: number, h: number, r: number];
  readonly plateTone?: 'body' | 'dark' | 'metal';
  readonly lenses: readonly Lens[];
  readonly flash: readonly [number, number];
  readonly mark: string;
  /** The words on its box. */
  readonly words: string;
  readonly hue: string;
  readonly carton: string;
  /** Whether it has a rubber sleeve. */
  readonly bumper?: boolean;
  readonly pen?: boolean;
}

const PHONE = { w: 132, h: 278, radius: 17, bezel: 5.5, eye: 'punch', carton: '#f2f2ef' } as const;

export const PHONES = {
  spark: {
    ...PHONE,
    plate: [12, 12, 66, 66, 17],
    plateTone: 'dark',
    lenses: [
      [32, 32, 14],
      [60, 32, 9],
      [32, 61, 9],
    ],
    flash: [60, 60],
    mark: 'TECNO',
    words: 'SPARK 20 PRO',
    hue: '#3d5cc4',
    carton: '#1d56c9',
  },
  hot: {
    ...PHONE,
    chin: 10,
    lenses: [
      [33, 34, 17],
      [33, 78, 17],
    ],
    flash: [64, 34],
    mark: 'INFINIX',
    words: 'HOT 40I',
    hue: '#1f8f7a',
    carton: '#1fa05a',
  },
  galaxy: {
    ...PHONE,
    eye: 'drop',
    radius: 15,
    chin: 9,
    lenses: [
      [29, 30, 12],
      [29, 62, 12],
      [29, 94, 12],
    ],
    flash: [54, 30],
    mark: 'SAMSUNG',
    words: 'GALAXY A15',
    hue: '#5a4fc0',
    carton: '#f4f4f4',
  },
  itel: {
    ...PHONE,
    eye: 'drop',
    chin: 12,
    radius: 13,
    plate: [12, 12, 46, 96, 23],
    plateTone: 'body',
    lenses: [
      [35, 36, 15],
      [35, 76, 13],
    ],
    flash: [35, 99],
    mark: 'ITEL',
    words: 'ITEL A70',
    hue: '#c4473d',
    carton: '#d3252b',
  },
  redmi: {
    ...PHONE,
    radius: 12,
    bezel: 4.5,
    plate: [10, 10, 76, 82, 12],
    plateTone: 'body',
    lenses: [
      [31, 32, 15],
      [31, 71, 13],
      [66, 32, 10],
    ],
    flash: [66, 70],
    mark: 'REDMI',
    words: 'REDMI NOTE 13',
    hue: '#d0733a',
    carton: '#f6f6f3',
  },
  nokia: {
    ...PHONE,
    eye: 'drop',
    chin: 11,
    plate: [14, 14, 52, 92, 16],
    plateTone: 'body',
    lenses: [
      [33, 34, 12],
      [33, 66, 9],
      [51, 86, 8],
    ],
    flash: [52, 50],
    mark: 'NOKIA',
    words: 'NOKIA G42',
    hue: '#8a57c4',
    carton: '#1c3f94',
  },
  iphone: {
    ...PHONE,
    eye: 'notch',
    radius: 21,
    bezel: 6,
    h: 272,
    plate: [9, 9, 62, 62, 17],
    plateTone: 'body',
    lenses: [
      [28, 28, 13],
      [52, 52, 13],
    ],
    flash: [53, 25],
    mark: 'O',
    words: 'IPHONE 12',
    hue: '#2a6cc9',
    carton: '#fbfbfb',
  },
  camon: {
    ...PHONE,
    radius: 18,
    bezel: 4.5,
    plate: [21, 14, 90, 90, 45],
    plateTone: 'metal',
    lenses: [
      [66, 40, 15],
      [48, 72, 12],
      [84, 72, 12],
    ],
    flash: [66, 92],
    mark: 'TECNO',
    words: 'CAMON 30',
    hue: '#2f9aa6',
    carton: '#14171f',
  },
  pixel: {
    ...PHONE,
    h: 270,
    radius: 16,
    bezel: 6.5,
    plate: [0, 38, 132, 38, 0],
    plateTone: 'dark',
    lenses: [
      [30, 57, 12],
      [62, 57, 12],
    ],
    flash: [94, 57],
    mark: 'G',
    words: 'PIXEL 6A',
    hue: '#3f9a5f',
    carton: '#f7f7f5',
  },
} as const satisfies Record<string, Slate>;

const TABLET = { w: 262, h: 178, radius: 13, bezel: 12, eye: 'none', carton: '#f4f4f2' } as const;

export const TABLETS = {
  taba: {
    ...TABLET,
    w: 254,
    h: 158,
    lenses: [[236, 22, 8]],
    flash: [-20, 0],
    mark: 'SAMSUNG',
    words: 'GALAXY TAB A9',
    hue: '#4b57c9',
  },
  ipad: {
    ...TABLET,
    w: 250,
    h: 182,
    radius: 12,
    bezel: 10,
    chin: 25,
    eye: 'home',
    lenses: [[232, 20, 7]],
    flash: [-20, 0],
    mark: 'O',
    words: 'IPAD',
    hue: '#2f7cc9',
    carton: '#fcfcfc',
  },
  tabm: {
    ...TABLET,
    w: 266,
    h: 166,
    plate: [0, 0, 40, 166, 12],
    plateTone: 'body',
    lenses: [[22, 24, 10]],
    flash: [22, 48],
    mark: 'LENOVO',
    words: 'LENOVO TAB M10',
    hue: '#c95f34',
    carton: '#e4f1f4',
  },
  kids: {
    ...TABLET,
    w: 232,
    h: 150,
    radius: 10,
    bezel: 15,
    lenses: [[212, 22, 7]],
    flash: [-20, 0],
    mark: 'ATOUCH',
    words: 'ATOUCH KIDS',
    hue: '#e0893a',
    carton: '#ffd23f',
    bumper: true,
  },
  megapad: {
    ...TABLET,
    w: 268,
    h: 170,
    bezel: 9,
    plate: [212, 12, 44, 44, 14],
    plateTone: 'dark',
    lenses: [
      [228, 27, 9],
      [245, 44, 6],
    ],
    flash: [245, 24],
    mark: 'TECNO',
    words: 'MEGAPAD 10',
    hue: '#286fae',
    carton: '#1d56c9',
  },
  redmipad: {
    ...TABLET,
    w: 268,
    h: 176,
    bezel: 9,
    plate: [216, 12, 40, 40, 20],
    plateTone: 'body',
    lenses: [[236, 32, 13]],
    flash: [206, 32],
    mark: 'REDMI',
    words: 'REDMI PAD SE',
    hue: '#4b9a72',
    carton: '#f6f6f3',
  },
  fire: {
    ...TABLET,
    w: 246,
    h: 164,
    radius: 15,
    bezel: 19,
    lenses: [[228, 20, 6]],
    flash: [-20, 0],
    mark: 'FIRE',
    words: 'FIRE HD 8',
    hue: '#7a4bb0',
    carton: '#f08c1b',
  },
  tabs: {
    ...TABLET,
    w: 266,
    h: 172,
    radius: 11,
    bezel: 10,
    plate: [232, 10, 22, 42, 9],
    plateTone: 'dark',
    lenses: [[243, 24, 8]],
    flash: [243, 43],
    mark: 'SAMSUNG',
    words: 'TAB S6 LITE',
    hue: '#a0507e',
    pen: true,
  },
} as const satisfies Record<string, Slate>;
