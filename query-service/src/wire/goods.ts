import { asFlag, attributes, type OwnProduct, type Product, type Store } from '@oja/contracts';
import type { ProductDocument, StoreDocument } from '@oja/contracts/models';
import { koboToNaira } from '@oja/domain/rules';
import type { Images } from '@oja/platform';

export type Addresses = Pick<Images, 'address'>;

/** A product that is not removed. Of a removed one only name and pictures are shown. */
export type ListedProduct = ProductDocument & {
  readonly status: Exclude<ProductDocument['status'], 'REMOVED'>;
};

/** Whether the product exists and its seller has not removed it. */
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
    is_suspended: asFlag(document.isSuspended),
    created_at: document.listedAt,
    ...(document.stock === null ? {} : { stock: document.stock }),
  };
}

/** A product with the fields that only its owner sees. */
export function ownProduct(document: ListedProduct, images: Addresses): OwnProduct {
  return {
    ...product(document, images),
    seller_price: koboToNaira(document.sellerPrice),
    in_transaction: document.openTransactions > 0,
  };
}

/** A store whose seller is known to have registered, and is not erased. */
export type OpenStore = StoreDocument & { readonly since: string };

/** Whether the seller of a store is known to have registered, and is not erased. */
export function isOpen(document: StoreDocument | null | undefined): document is OpenStore {
  return document !== null && document !== undefined && document.since !== null;
}

export function store(
  document: OpenStore,
  goods: { readonly products: readonly ListedProduct[]; readonly total: number },
  images: Addresses,
): Store {
  const { newest } = document;
  return {
    user_id: document.sellerId,
    businessName: document.businessName,
    ...(newest === null ? {} : { state: newest.state, local_govt: newest.localGovt }),
    since: document.since,
    orders_confirmed: document.ordersConfirmed,
    total: goods.total,
    products: goods.products.map((one) => product(one, images)),
  };
}
