import type { SampleProduct } from '../types.js';
import type { Random } from './random.js';

const USED = [
  'Used for about a year; light scratches, everything works.',
  'Used with care, with small marks at the corners. Tested for a day before posting.',
  'Used. It was opened and cleaned, and nothing was replaced.',
] as const;

const CLOSING = [
  'Ready to leave the shop the same day.',
  'You get what the pictures show.',
  'Checked once more before it leaves the shop.',
  'The last pieces of this batch.',
  'Packed well for the road.',
] as const;

/** How often a seller has something to add. */
const CLOSED = 0.4;

/** What the seller says about a product, in one to four short sentences. */
export function describe(
  about: string,
  condition: SampleProduct['condition'],
  random: Random,
): string {
  const sentences = [about];
  if (condition === 'Used') sentences.push(random.pick(USED));
  else if (random.chance(CLOSED)) sentences.push(random.pick(CLOSING));
  return sentences.join(' ');
}
