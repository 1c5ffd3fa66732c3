import { memo } from 'react';
import { type CardProduct, ProductCard } from '../../ui/ProductCard.js';
import { useCardActions } from './use-card-actions.js';

interface GoodsCardProps {
  readonly product: CardProduct;
  readonly lead?: boolean;
  readonly hideSeller?: boolean;
  readonly eager?: boolean;
}

/** A product card that is wired to the cart. Lists are long: a card is made anew only when it has changed. */
export const GoodsCard = memo(({ product, ...look }: GoodsCardProps) => {
  const actions = useCardActions(product);
  return <ProductCard product={product} {...actions} {...look} />;
});
GoodsCard.displayName = 'GoodsCard';
