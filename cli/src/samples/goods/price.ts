import type { Line } from './line.js';
import type { Random } from './random.js';

/**
 * A dearer variant costs this much more than the one before it, as a part of the simplest one's
 * price.
 */
const STEP = 0.32;
/** What is left of a new thing's price when it is used. */
const USED = { low: 0.55, high: 0.72 };

/** People ask round prices: from this price on, a multiple of this. */
const ROUND = [
  { from: 100_000, to: 1_000 },
  { from: 20_000, to: 500 },
  { from: 2_000, to: 100 },
  { from: 0, to: 50 },
] as const;

/** What a seller would type for a variant, in whole naira. */
export function askedPrice(line: Line, steps: number, used: boolean, random: Random): number {
  const [low, high] = line.price;
  const simplest = low + random.next() * (high - low);
  const worn = USED.low + random.next() * (USED.high - USED.low);
  const asked = simplest * (1 + STEP * steps) * (used ? worn : 1);
  const { to } = ROUND.find(({ from }) => asked >= from) ?? ROUND[3];
  return Math.max(to, Math.round(asked / to) * to);
}
