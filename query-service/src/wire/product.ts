import { attributes, type OwnProduct, type Product } from '@oja/contracts';
import type { ProductDocument } from '@oja/contracts/models';
import { koboToNaira } from '@oja/domain/rules';
import type { Images } from '@oja/platform';
import { flag } from './flag.js';

export type Addresses = Pick<Images, 'address'>;

/** A product that is still there; of a removed one only its name and pictures are told. */
export type ListedProduct = ProductDocument & {
  readonly status: Exclude<ProductDocument['status'], 'REMOVED'>;
};

export function isListed(document: ProductDocument | null | undefined): document is ListedProduct {
  return document !== null && document !== undefined && document.status !== 'REMOVED';
}

export const pictures = (document: ProductDocument, images: Addresses): string[] =>
  document.images.map((reference) => images.address(reference));

export function product(document: ListedProduct, images: Addresses): Product {
  return {
    ...attributes.parse(document.attributes),
    product_id: document.productId,
    user_id: document.sellerId,
    prod_name: document.name,
    price: koboToNaira(document.price),
    ...(document.condition === null ? {} : { prod_condition: document.condition }),
    description: document.description,
    state: document.state,
    local_govt: document.localGovt,
    subcategory_id: document.subcategoryId,
    subcategory_name: document.subcategory,
    top_category: document.category,
    image_urls: pictures(document, images),
    businessName: document.businessName,
    status: document.status,
    is_suspended: flag(document.isSuspended),
    created_at: document.listedAt,
  };
}

/** With what only the owner sees. */
export function ownProduct(document: ListedProduct, images: Addresses): OwnProduct {
  return {
    ...product(document, images),
    seller_price: koboToNaira(document.sellerPrice),
    in_transaction: document.openTransactions > 0,
  };
}
