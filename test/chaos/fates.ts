import { createRandom, type Random } from './random.js';

/** How a buyer pays, and which news of it arrives; the numbers are weights. */
const PAYING = {
  prompt: 46,
  /** The browser never returns: the webhook or the re-check has to report the payment. */
  'no-return': 16,
  /** The webhook does not come either: only the re-check is left. */
  'no-news': 7,
  'declined-first': 6,
  /** The provider says 'pending' for a while. */
  late: 6,
  /** Pays again under a second reference. */
  twice: 5,
  /** Pays too little under a second reference first. */
  short: 4,
  /** Twenty verifications and three placings at once. */
  stampede: 4,
  /** Webhooks with a wrong signature, and no payment. */
  forged: 2,
  never: 4,
} as const;

/** What the buyer reports about the goods. */
const RECEIVING = {
  confirmed: 56,
  silent: 18,
  'not-yet': 6,
  /** A reported problem, settled for the buyer or for the seller. */
  refunded: 10,
  released: 6,
  /** The cardholder's bank takes the payment back. */
  'charged-back': 4,
} as const;

export type Paying = keyof typeof PAYING;
export type Receiving = keyof typeof RECEIVING;

/** What will happen to one order; the same for the same seed and number. */
export interface Fate {
  readonly number: number;
  readonly paying: Paying;
  readonly receiving: Receiving;
  /** How many different products. */
  readonly lines: number;
  /** How often the webhook of the payment is sent. */
  readonly copies: number;
  readonly news: 'in-order' | 'delayed' | 'reordered';
  readonly random: Random;
}

/** The first orders take one rare fate each, so that even the smallest run has all of them. */
export function fateOf(seed: number, number: number): Fate {
  const random = createRandom(seed * 1_000_003 + number);
  const rare = Object.keys(PAYING) as Paying[];
  const rareReceiving = Object.keys(RECEIVING) as Receiving[];
  const first = rare[number];
  const receivingFirst = rareReceiving[number - rare.length];
  const paying =
    receivingFirst === undefined ? (first ?? random.weighted(PAYING)) : ('prompt' as const);
  return {
    number,
    paying,
    receiving: receivingFirst ?? random.weighted(RECEIVING),
    lines: random.between(1, 3),
    copies: random.between(10, 12),
    news: random.weighted({ 'in-order': 6, delayed: 2, reordered: 2 }),
    random,
  };
}

/** Paid, notified twice and received: for tests about which process does the work. */
export const smoothFate = (number: number): Fate => ({
  ...fateOf(1, number),
  paying: 'prompt',
  receiving: 'confirmed',
  news: 'in-order',
  copies: 2,
});
