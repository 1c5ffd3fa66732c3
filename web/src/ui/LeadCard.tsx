import { ProductCard, type ProductCardProps } from './ProductCard.js';

/** The carousel's card: picture at the left, text at the right, actions across the foot. */
export function LeadCard(props: ProductCardProps) {
  return <ProductCard {...props} lead />;
}
