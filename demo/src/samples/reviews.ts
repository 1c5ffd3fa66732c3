import { type Random, randomFor, visit } from './random.js';
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
    'The phone is exactly as described. Sealed, with the receipt in the box, and the battery lasts me from church to night.',
    'Very easy, even my mother could do it.',
    'The seller answered for everything and the shoe fits.',
    'I like that I confirm before they pay the seller.',
    'No story, no delay.',
    'As a seller I was paid the same day the buyer said Yes.',
    'I was afraid to pay before seeing. I checked the fridge, switched it on, waited till evening, and only then pressed Yes. This is how it should be.',
    'Five yards of adire, correct five yards. I measured.',
    'Perfect!',
    'My wife wore the wax print to a wedding in Nsukka and two people asked me for the shop.',
    'The laptop came with charger and bag. Second one I buy here this year, and the first is still with my brother in Enugu.',
    'Rider called before coming. Very polite.',
    'God bless the person that thought of this. 10/10',
    'Standing fan is strong. NEPA took light and it blew till morning.',
    'Original perfume, I know the smell.',
    'Bought for my shop, three cartons. All complete, nothing broken.',
  ],
  4: [
    'Good market. Delivery took one day longer than I thought.',
    'Nice goods, prices are fair. More fabrics please.',
    'Everything came well, the box was a little pressed.',
    'It works well on my small phone.',
    'Good so far. I want more sellers in Nsukka.',
    'The dress is lovely. Take one size up, the seller cuts it close.',
    'TV is clear and the stand is firm. Only the remote came without batteries.',
    'Good price for the power bank. It charges my phone three times, not four.',
    'I would give five, but I had to explain my street twice.',
    'Neat stitching on the shoes. Leather needs a week to get soft.',
  ],
  3: [
    'The fan is fine but the colour was a shade lighter.',
    'Okay. The rider called three times for the address.',
    'Average. It came, but after two days.',
    'Good idea, but there are few decoders.',
    'The rucksack is strong, the zip is not. I changed it myself for 800 naira.',
    'Headphones are all right for the money. Do not expect bass.',
    'Not bad, not wow.',
  ],
  2: [
    'I had to report a missing piece. It was settled in the end.',
    'Delivery to Ojo was slow.',
    'Cream was half melted from the sun. The seller gave part of the money back after I complained.',
    'Fine goods, but nobody told me the plug is a two-pin.',
  ],
  1: [
    'Wrong size came. I pressed No and I am waiting.',
    'The laptop had a scratch nobody told me of.',
    'My parcel is late.',
    'Ordered black, got brown. I have pressed No, and at least the money has not gone to anybody.',
  ],
} as const satisfies Record<SampleReview['stars'], readonly [string, ...string[]]>;

/** After so many reviews the texts begin again, in another order. */
const SAME_TEXTS = 48;

export const reviewCount = (orders: number): number => Math.ceil((orders * FOR_TEN_ORDERS) / 10);

function starsFor(random: Random): SampleReview['stars'] {
  let left = random.below(100);
  for (const { stars, share } of SPREAD) {
    if (left < share) return stars;
    left -= share;
  }
  return 1;
}

const starsAt = ({ size: { seed } }: Stalls, index: number) =>
  starsFor(randomFor(seed, 'review', index));

/**
 * Every text of so many stars is used once before any comes again. How many came before is counted
 * within as many reviews as there are texts: further back each of them may have been used.
 */
function said(stalls: Stalls, index: number, stars: SampleReview['stars']): string {
  const texts: readonly string[] = WORDS[stars];
  const start = index - (index % SAME_TEXTS);
  const earlier = Array.from({ length: index - start }, (_, at) => starsAt(stalls, start + at));
  const turn = earlier.filter((one) => one === stars).length;
  const offset = randomFor(stalls.size.seed, 'words', stars, start).below(texts.length);
  return texts[visit(turn, texts.length, offset)] ?? texts[0] ?? '';
}

/** People do not write by the clock: some on one evening, then nobody for days. */
function postedHoursAgo(index: number, orders: number, random: Random): number {
  const apart = REVIEW_HOURS / reviewCount(orders);
  return Math.max(1, Math.round(REVIEW_HOURS - (index + random.next()) * apart));
}

export function reviewAt(stalls: Stalls, index: number): SampleReview {
  const { seed, orders } = stalls.size;
  const random = randomFor(seed, 'review', index);
  const stars = starsFor(random);
  const author = stalls.sellers[visit(index, stalls.sellers.length, seed % stalls.sellers.length)];
  const signed = random.chance(SIGNED_SHARE) && author !== undefined;
  return {
    index,
    stars,
    comment_text: said(stalls, index, stars),
    businessName: signed ? author.businessName : null,
    postedHoursAgo: postedHoursAgo(index, orders, random),
  };
}
