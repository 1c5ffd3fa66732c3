import { subcategoryById } from '@oja/domain/rules';
import { buyerFor } from './people.js';
import { isShowy, listedBy, productAt } from './products.js';
import { type Random, randomFor } from './random.js';
import type { Stalls } from './stalls.js';
import type { SampleOrder, SampleOrderLine, SampleOutcome } from './types.js';

const ORDER_HOURS = 40 * 24;
/** Deliveries of the last days are still on their way more often than not. */
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

/** What buyers complain of, by category; one after the other, so that the first few differ. */
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

/** Dear things are bought one at a time. */
const DEAR_NAIRA = 30_000;
const MOST_LINES = 4;
/** A seller may have too little for a full basket. */
const TRIES = 8;
const OTHER_SELLER_SHARE = 0.25;

function outcomeOf(index: number, placedHoursAgo: number): SampleOutcome {
  const outcomes = placedHoursAgo > RECENT_HOURS ? EARLIER : RECENT;
  const outcome = outcomes[index % outcomes.length] ?? 'paid';
  return outcome === 'disputed' && placedHoursAgo < DISPUTE_HOURS ? 'paid' : outcome;
}

/** So many goods are looked at before one is bought: the first that is a feast for the eyes. */
const LOOKED_AT = 7;

/** Some goods sell much better than others: the square leans towards the first, and looks help. */
function wanted(stalls: Stalls, listed: number, random: Random): number {
  const seen = Array.from({ length: LOOKED_AT }, () => Math.floor(random.next() ** 2 * listed));
  return seen.find((index) => isShowy(stalls, index)) ?? seen[0] ?? 0;
}

/** Different products, mostly more of the first one's seller, all listed by then. */
function basket(stalls: Stalls, listed: number, random: Random): readonly number[] {
  const first = wanted(stalls, listed, random);
  const chosen = new Set([first]);
  const { seller, round } = stalls.spotAt(first);
  const count = random.between(1, random.between(1, MOST_LINES));
  for (let tried = 0; chosen.size < count && tried < TRIES; tried += 1) {
    const more = random.chance(OTHER_SELLER_SHARE)
      ? wanted(stalls, listed, random)
      : stalls.productOf(seller, random.below(MOST_LINES), random.below(round + 1));
    // What is not a feast for the eyes goes along only where nothing better was found.
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

/** Of the first product, whose seller it is about. */
function complaintOf(stalls: Stalls, index: number, product: number | undefined): string {
  const id = product === undefined ? undefined : productAt(stalls, product).subcategoryId;
  const category = id === undefined ? null : subcategoryById(id)?.category;
  const words = COMPLAINTS.get(category ?? '') ?? [];
  return words[Math.floor(index / EARLIER.length) % words.length] ?? OF_ANYTHING;
}

/** The order with this index; null when nothing had been listed yet. */
export function orderAt(stalls: Stalls, index: number): SampleOrder | null {
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
