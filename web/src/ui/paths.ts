import { businessNameSlug, toSlug } from '@oja/domain/rules';

/** The address of a product's own page, the one that can be shared. */
export function productPath(product: {
  readonly subcategory_id: number;
  readonly product_id: string;
}): string {
  return `/single-product/${product.subcategory_id}/${encodeURIComponent(product.product_id)}`;
}

/** The address of a store: spaces in the name become hyphens. */
export function storePath(businessName: string): string {
  return `/sellers-store/${encodeURIComponent(businessNameSlug(businessName))}`;
}

/** The address of a category or one of its subcategories. */
export function categoryPath(category: string, subcategory?: string): string {
  const path = [category, ...(subcategory === undefined ? [] : [subcategory])];
  return `/category/${path.map((name) => encodeURIComponent(toSlug(name))).join('/')}`;
}
