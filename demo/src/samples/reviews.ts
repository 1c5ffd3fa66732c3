import { type Random, randomFor } from './random.js';
import type { Stalls } from './stalls.js';
import type { SampleReview } from './types.js';

/** So many reviews for every ten orders. */
const FOR_TEN_ORDERS = 6;
const REVIEW_HOURS = 38 * 24;
const SIGNED_SHARE = 0.35;

/** Out of a hundred reviews. */
const SPREAD = [
  { stars: 5, share: 52 },
  { stars: 4, share: 24 },
  { stars: 3, share: 12 },
  { stars: 2, share: 5 },
  { stars: 1, share: 7 },
] as const;

const WORDS = {
  5: [
    'My money stayed with Oja until the bag reached me. I will buy again.',
    'Ordered in the morning, delivered in Surulere the next day.',
    'The phone is exactly as described. Well packed too.',
    'Very easy, even my mother could do it.',
    'The seller answered for everything and the shoe fits.',
    'I like that I confirm before they pay the seller.',
    'No story, no delay.',
    'As a seller I was paid the same day the buyer said Yes.',
  ],
  4: [
    'Good market. Delivery took one day longer than I thought.',
    'Nice goods, prices are fair. More fabrics please.',
    'Everything came well, the box was a little pressed.',
    'It works well on my small phone.',
    'Good so far. I want more sellers in Nsukka.',
  ],
  3: [
    'The fan is fine but the colour was a shade lighter.',
    'Okay. The rider called three times for the address.',
    'Average. It came, but after two days.',
    'Good idea, but there are few decoders.',
  ],
  2: ['I had to report a missing piece. It was settled in the end.', 'Delivery to Ojo was slow.'],
  1: [
    'Wrong size came. I pressed No and I am waiting.',
    'The laptop had a scratch nobody told me of.',
    'My parcel is late.',
  ],
} as const satisfies Record<SampleReview['stars'], readonly [string, ...string[]]>;

export const reviewCount = (orders: number): number => Math.ceil((orders * FOR_TEN_ORDERS) / 10);

function starsFor(random: Random): SampleReview['stars'] {
  let left = random.below(100);
  for (const { stars, share } of SPREAD) {
    if (left < share) return stars;
    left -= share;
  }
  return 1;
}

export function reviewAt(stalls: Stalls, index: number): SampleReview {
  const { seed, orders } = stalls.size;
  const random = randomFor(seed, 'review', index);
  const stars = starsFor(random);
  const author = stalls.sellers[random.below(stalls.sellers.length)];
  const signed = random.chance(SIGNED_SHARE) && author !== undefined;
  return {
    index,
    stars,
    comment_text: random.pick<string>(WORDS[stars]),
    businessName: signed ? author.businessName : null,
    postedHoursAgo: Math.max(1, Math.round(REVIEW_HOURS * (1 - (index + 1) / reviewCount(orders)))),
  };
}
