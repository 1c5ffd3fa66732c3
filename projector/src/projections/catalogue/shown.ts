import type {
  CatalogueCollections,
  ProductDocument,
  SalesDocument,
  StoreDocument,
} from '@oja/contracts/models';
import type { Change, Key, Loaded } from '../../runner/projection.js';

export type CatalogueKey = Key<CatalogueCollections>;
export type CatalogueChange = Change<CatalogueCollections>;
export type CatalogueDocuments = Loaded<CatalogueCollections>;

/** The store as far as it is known: products and orders may be heard before the seller. */
export function storeOf(documents: CatalogueDocuments, sellerId: string): StoreDocument {
  return (
    documents.get('stores', sellerId) ?? {
      sellerId,
      businessName: '',
      businessNameKey: '',
      since: null,
      isSuspended: false,
      newest: null,
      ordersConfirmed: 0,
    }
  );
}

export function salesOf(documents: CatalogueDocuments, productId: string): SalesDocument {
  return documents.get('sales', productId) ?? { trending: 0, openTransactions: 0 };
}

/** A product with what its seller says of themselves. */
export function withSeller<P extends Pick<ProductDocument, 'status'>>(
  product: P,
  { businessName, businessNameKey, isSuspended }: StoreDocument,
) {
  const shown = product.status === 'AVAILABLE' && !isSuspended;
  return { ...product, businessName, businessNameKey, isSuspended, shown };
}
