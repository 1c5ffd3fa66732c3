import { businessNameSlug, toSlug } from '@oja/domain/rules';

/** The pages that are made of read models, by their own addresses. */
export const productPath = (subcategoryId: number, productId: string): string =>
  `/single-product/${subcategoryId}/${encodeURIComponent(productId)}`;

export const storePath = (businessName: string): string =>
  `/sellers-store/${encodeURIComponent(businessNameSlug(businessName))}`;

export const categoryPath = (...names: readonly string[]): string =>
  `/category/${names.map((name) => encodeURIComponent(toSlug(name))).join('/')}`;
