import { CardSkeletons } from '../../ui/CardSkeleton.js';
import { classes } from '../../ui/classes.js';
import type { CardProduct } from '../../ui/ProductCard.js';
import { GoodsCard } from './GoodsCard.js';

/** The first cards are in sight when the page opens: their pictures are fetched at once. */
const EAGER_CARDS = 4;

interface GoodsGridProps {
  readonly products: readonly CardProduct[];
  /** Five across from 1170, on lists that take the whole width. */
  readonly five?: boolean;
  readonly hideSeller?: boolean;
  /** Cards that are still coming, after those that are there. */
  readonly coming?: number;
  /** Shows full rows only: twelve cards are ten where two or five stand side by side. */
  readonly rows?: boolean;
  /** Whether the list stands at the top of its page. */
  readonly first?: boolean;
}

/** Goods side by side. */
export function GoodsGrid({
  products,
  five = false,
  hideSeller = false,
  coming = 0,
  first = false,
  rows = false,
}: GoodsGridProps) {
  return (
    <div
      className={classes('grid', five && 'five', rows && 'rows')}
      aria-busy={coming > 0 || undefined}
    >
      {products.map((product, place) => (
        <GoodsCard
          key={product.product_id}
          product={product}
          hideSeller={hideSeller}
          eager={first && place < EAGER_CARDS}
        />
      ))}
      <CardSkeletons count={coming} />
    </div>
  );
}
