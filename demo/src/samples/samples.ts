import { subcategoryById } from '@oja/domain/rules';
import { buyerFor } from './people.js';
import { isShowy, listedBy, productAt } from './products.js';
import { type Random, randomFor, visit } from './random.js';
import { planStalls, type Stalls } from './stalls.js';
import type {
  SampleOrder,
  SampleOrderLine,
  SampleOutcome,
  SampleReview,
  SampleSize,
  Samples,
} from './types.js';

const ORDER_HOURS = 40 * 24;
/** Orders younger than this are mostly still on their way. */
const RECENT_HOURS = 8 * 24;
/** Problems can be reported from 48 h after payment. */
const DISPUTE_HOURS = 72;

const EARLIER = [
  'delivered',
  'delivered',
  'abandoned',
  'delivered',
  'disputed',
  'delivered',
  'delivered',
  'notYet',
  'delivered',
  'delivered',
] as const satisfies readonly SampleOutcome[];
const RECENT = [
  'paid',
  'delivered',
  'paid',
  'abandoned',
  'notYet',
  'disputed',
  'paid',
  'paid',
] as const satisfies readonly SampleOutcome[];

/** Complaints by category, used one after the other so that the first few differ. */
const COMPLAINTS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'Electronics',
    [
      'It came with a crack at the side and does not turn on.',
      'It works for an hour, then it is hot and goes off by itself.',
      'A part that is in the picture was not in the carton.',
    ],
  ],
  [
    'Fashion',
    [
      'The colour is not the one in the picture.',
      'It is another size than the one I ordered.',
      'It is worn at the edge, though it should be new.',
    ],
  ],
  [
    'Beauty and Skincare',
    [
      'The seal was broken, and some of it is gone.',
      'It leaked in the parcel.',
      'It smells of another one than it says outside.',
    ],
  ],
  [
    'Phones and Laptop',
    [
      'It does not charge, whatever I plug it into.',
      'It is scratched, and somebody has used it before.',
      'It stops after ten minutes.',
    ],
  ],
]);
const OF_ANYTHING = 'One piece is missing from the parcel.';

/** From this price on, one piece is bought at a time. */
const DEAR_NAIRA = 30_000;
const MOST_LINES = 4;
/** Attempts to fill a basket: a seller may have too few products for it. */
const TRIES = 8;
const OTHER_SELLER_SHARE = 0.25;

function outcomeOf(index: number, placedHoursAgo: number): SampleOutcome {
  const outcomes = placedHoursAgo > RECENT_HOURS ? EARLIER : RECENT;
  const outcome = outcomes[index % outcomes.length] ?? 'paid';
  return outcome === 'disputed' && placedHoursAgo < DISPUTE_HOURS ? 'paid' : outcome;
}

/** How many products a buyer looks at; the first showy one of them is bought. */
const CANDIDATES = 7;

/** Some products sell much better than others: squaring favours the first ones, and showy products go first. */
function pickWanted(stalls: Stalls, listed: number, random: Random): number {
  const seen = Array.from({ length: CANDIDATES }, () => Math.floor(random.next() ** 2 * listed));
  return seen.find((index) => isShowy(stalls, index)) ?? seen[0] ?? 0;
}

/** Different products that were listed by then, most of them from the first one's seller. */
function basket(stalls: Stalls, listed: number, random: Random): readonly number[] {
  const first = pickWanted(stalls, listed, random);
  const chosen = new Set([first]);
  const { seller, round } = stalls.spotAt(first);
  const count = random.between(1, random.between(1, MOST_LINES));
  for (let tried = 0; chosen.size < count && tried < TRIES; tried += 1) {
    const more = random.chance(OTHER_SELLER_SHARE)
      ? pickWanted(stalls, listed, random)
      : stalls.productOf(seller, random.below(MOST_LINES), random.below(round + 1));
    // A product that is not showy is added only in the second half of the attempts.
    const taken = more !== null && more < listed && (tried >= TRIES / 2 || isShowy(stalls, more));
    if (taken) chosen.add(more);
  }
  return [...chosen];
}

function orderLine(stalls: Stalls, productIndex: number, random: Random): SampleOrderLine {
  const { sellerIndex, priceNaira } = productAt(stalls, productIndex);
  const quantity = priceNaira >= DEAR_NAIRA ? 1 : random.between(1, 3);
  return { productIndex, sellerIndex, quantity };
}

/** A complaint that fits the first product, because the dispute concerns its seller. */
function complaintOf(stalls: Stalls, index: number, product: number | undefined): string {
  const id = product === undefined ? undefined : productAt(stalls, product).subcategoryId;
  const category = id === undefined ? null : subcategoryById(id)?.category;
  const words = COMPLAINTS.get(category ?? '') ?? [];
  return words[Math.floor(index / EARLIER.length) % words.length] ?? OF_ANYTHING;
}

/** The order with this index; null when nothing had been listed yet. */
function orderAt(stalls: Stalls, index: number): SampleOrder | null {
  const { seed, orders, products } = stalls.size;
  const random = randomFor(seed, 'order', index);
  const placedHoursAgo = Math.max(1, Math.round(ORDER_HOURS * (1 - (index + 1) / orders)));
  const listed = listedBy(placedHoursAgo, products);
  if (listed === 0) return null;
  const buyer = buyerFor(index, random);
  const outcome = outcomeOf(index, placedHoursAgo);
  const lines = basket(stalls, listed, random).map((product) => orderLine(stalls, product, random));
  return {
    index,
    buyer,
    lines,
    outcome,
    complaint: outcome === 'disputed' ? complaintOf(stalls, index, lines[0]?.productIndex) : null,
    placedHoursAgo,
  };
}

/** Number of reviews for every ten orders. */
const FOR_TEN_ORDERS = 6;
const REVIEW_HOURS = 38 * 24;
const SIGNED_SHARE = 0.35;

/** How many of a hundred reviews give these stars. */
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

/** After this many reviews the texts start again, in another order. */
const SAME_TEXTS = 48;

/** The number of reviews for this many orders. */
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
 * A review text for these stars. Every text is used once before any repeats. Only reviews since the
 * last multiple of `SAME_TEXTS` count, because the texts start again there.
 */
function reviewText(stalls: Stalls, index: number, stars: SampleReview['stars']): string {
  const texts: readonly string[] = WORDS[stars];
  const start = index - (index % SAME_TEXTS);
  const earlier = Array.from({ length: index - start }, (_, at) => starsAt(stalls, start + at));
  const turn = earlier.filter((one) => one === stars).length;
  const offset = randomFor(stalls.size.seed, 'words', stars, start).below(texts.length);
  return texts[visit(turn, texts.length, offset)] ?? texts[0] ?? '';
}

/** Reviews do not come at regular times: some on one evening, then none for days. */
function postedHoursAgo(index: number, orders: number, random: Random): number {
  const apart = REVIEW_HOURS / reviewCount(orders);
  return Math.max(1, Math.round(REVIEW_HOURS - (index + random.next()) * apart));
}

function reviewAt(stalls: Stalls, index: number): SampleReview {
  const { seed, orders } = stalls.size;
  const random = randomFor(seed, 'review', index);
  const stars = starsFor(random);
  const author = stalls.sellers[visit(index, stalls.sellers.length, seed % stalls.sellers.length)];
  const signed = random.chance(SIGNED_SHARE) && author !== undefined;
  return {
    index,
    stars,
    comment_text: reviewText(stalls, index, stars),
    businessName: signed ? author.businessName : null,
    postedHoursAgo: postedHoursAgo(index, orders, random),
  };
}

/** A list whose items are made while it is iterated, and again on each iteration. Null items are left out. */
function lazyList<T>(count: number, make: (index: number) => T | null): Iterable<T> {
  return {
    *[Symbol.iterator]() {
      for (let index = 0; index < count; index += 1) {
        const made = make(index);
        if (made !== null) yield made;
      }
    },
  };
}

/**
 * Plausible sellers, goods, orders and reviews of a Nigerian market, the same for the same size and seed. Only
 * the sellers are held in memory. Orders need goods. Iterating goods throws RangeError when there is no seller.
 */
export function generateSamples(size: SampleSize): Samples {
  const stalls = planStalls(size);
  return {
    sellers: stalls.sellers.map(({ places, sells, ...seller }) => seller),
    products: lazyList(size.products, (index) => productAt(stalls, index)),
    orders: lazyList(size.orders, (index) => orderAt(stalls, index)),
    reviews: lazyList(reviewCount(size.orders), (index) => reviewAt(stalls, index)),
  };
}
