import { type AttributeName, offeredSubcategories } from '@oja/domain/rules';
import { itemAt, randomFor, visit } from './random.js';
import { planSellers, type SellerPlan } from './sellers.js';
import type { SampleSize } from './types.js';

/** A subcategory in which sellers may list. Its condition is kept apart from its other attributes. */
interface OfferedSubcategory {
  readonly id: number;
  readonly attributes: readonly AttributeName[];
  readonly hasCondition: boolean;
}

export const OFFERED: readonly OfferedSubcategory[] = offeredSubcategories.map((subcategory) => ({
  id: subcategory.id,
  attributes: subcategory.attributes.filter((name) => name !== 'condition'),
  hasCondition: subcategory.attributes.includes('condition'),
}));

/** Where a product stands: round and subcategory decide what it is, and the seller whose it is. */
export interface Spot {
  readonly index: number;
  readonly round: number;
  readonly subcategory: OfferedSubcategory;
  readonly seller: SellerPlan;
  /** Counts the seller's products, so that their places take turns. */
  readonly turn: number;
}

/**
 * Which seller offers what. Products come in rounds; a round has one product of every subcategory,
 * in a mixed order, and within a subcategory the sellers take turns. So any product can be derived
 * from its index alone, and any seller's products can be found.
 */
export interface Stalls {
  readonly size: SampleSize;
  readonly sellers: readonly SellerPlan[];
  readonly spotAt: (index: number) => Spot;
  /**
   * Index of one of the seller's products, the same for the same `shelf` and `turn`; null when there is none yet.
   */
  readonly productOf: (seller: SellerPlan, shelf: number, turn: number) => number | null;
}

export function planStalls(size: SampleSize): Stalls {
  const sellers = planSellers(size.sellers, size.seed);
  const keepers = new Map<number, readonly SellerPlan[]>();
  const shelves = new Map<number, number[]>(sellers.map(({ index }) => [index, []]));
  for (const { id } of OFFERED) {
    const special = sellers.filter(({ sells }) => sells.includes(id));
    const share = special.length > 0 ? special : sellers;
    keepers.set(id, share);
    for (const { index } of share) shelves.get(index)?.push(id);
  }

  const offsetOf = (round: number) => randomFor(size.seed, 'round', round).below(OFFERED.length);

  const spotAt = (index: number): Spot => {
    const round = Math.floor(index / OFFERED.length);
    const at = visit(index % OFFERED.length, OFFERED.length, offsetOf(round));
    const subcategory = itemAt(OFFERED, at);
    const share = keepers.get(subcategory.id) ?? [];
    const seller = itemAt(share, round);
    const shelf = shelves.get(seller.index) ?? [];
    const turn = Math.floor(round / share.length) * shelf.length + shelf.indexOf(subcategory.id);
    return { index, round, subcategory, seller, turn };
  };

  const indexOf = (round: number, id: number): number => {
    const at = OFFERED.findIndex((subcategory) => subcategory.id === id);
    const offset = offsetOf(round);
    const place = OFFERED.findIndex((_, turn) => visit(turn, OFFERED.length, offset) === at);
    return round * OFFERED.length + place;
  };

  const productOf = (seller: SellerPlan, shelf: number, turn: number): number | null => {
    const ids = shelves.get(seller.index) ?? [];
    const id = ids[shelf % ids.length];
    const share = keepers.get(id ?? 0);
    if (id === undefined || share === undefined) return null;
    const first = share.findIndex(({ index }) => index === seller.index);
    const index = indexOf(first + share.length * turn, id);
    return index < size.products ? index : null;
  };

  return { size, sellers, spotAt, productOf };
}
