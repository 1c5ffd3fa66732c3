import type {
  CatalogueCollections,
  ProductDocument,
  SalesDocument,
  StoreDocument,
} from '@oja/contracts/models';
import {
  type EventOf,
  fold,
  listingEvents,
  sellerShare,
  stockEvents,
  subcategoryById,
  updatedAttributes,
} from '@oja/domain';
import type { Change, Key, Loaded } from '../../runner/projection.js';
import { put } from '../define.js';

export type CatalogueKey = Key<CatalogueCollections>;
export type CatalogueChange = Change<CatalogueCollections>;
export type CatalogueDocuments = Loaded<CatalogueCollections>;

/** The store as far as it is known: events of products and orders may come before those of the seller. */
export function storeOf(documents: CatalogueDocuments, sellerId: string): StoreDocument {
  return (
    documents.get('stores', sellerId) ?? {
      sellerId,
      businessName: '',
      businessNameKey: '',
      since: null,
      isSuspended: false,
      isErased: false,
      newest: null,
      ordersConfirmed: 0,
    }
  );
}

/** The sales figures of a product; zeros when it has none yet. */
export function salesOf(documents: CatalogueDocuments, productId: string): SalesDocument {
  return documents.get('sales', productId) ?? { trending: 0, openTransactions: 0 };
}

/** A product with the fields that come from its seller's store. */
export function withSeller<P extends Pick<ProductDocument, 'status'>>(
  product: P,
  { businessName, businessNameKey, isSuspended, isErased }: StoreDocument,
) {
  const shown = product.status === 'AVAILABLE' && !isSuspended && !isErased;
  return { ...product, businessName, businessNameKey, isSuspended, shown };
}

type Listed = Extract<ProductChange, { readonly type: 'ProductListed' }>;
type Updated = Extract<ProductChange, { readonly type: 'ProductUpdated' }>;
const { StockTaken, StockReturned } = stockEvents;
/**
 * The product events that change what shoppers see. Holds do not: stock that is held for one
 * shopper may still become free for the next.
 */
export const productChangeEvents = { ...listingEvents, StockTaken, StockReturned };
type ProductChange = EventOf<typeof productChangeEvents>;

export function isProductEvent(event: { readonly type: string }): event is ProductChange {
  return Object.hasOwn(productChangeEvents, event.type);
}

export function readsOfProduct(
  { type, data: { productId, sellerId } }: ProductChange,
  documents: CatalogueDocuments,
): readonly CatalogueKey[] {
  const store = { collection: 'stores', id: sellerId } as const;
  const keys: CatalogueKey[] = [{ collection: 'products', id: productId }, store];
  if (type === 'ProductListed') keys.push({ collection: 'sales', id: productId });
  const wasNewest =
    documents.has(store) && documents.get('stores', sellerId)?.newest?.productId === productId;
  if (type === 'ProductRemoved' && wasNewest) {
    keys.push({ collection: 'products', where: { field: 'sellerId', value: sellerId } });
  }
  return keys;
}

export function projectProduct(
  event: ProductChange,
  at: string,
  documents: CatalogueDocuments,
): readonly CatalogueChange[] {
  const { productId, sellerId } = event.data;
  const store = storeOf(documents, sellerId);
  if (event.type === 'ProductListed') {
    const sales = salesOf(documents, productId);
    const product = { ...withSeller(listed(event), store), ...sales };
    const newest = newestOfTwo(placeOf(product), store.newest);
    return [put('products', productId, product), put('stores', sellerId, { ...store, newest })];
  }
  const before = documents.get('products', productId);
  if (before === null) throw new Error(`${event.type} before the product was listed`);
  const product = withSeller({ ...before, ...changes(before, event), updatedAt: at }, store);
  const changed = put('products', productId, product);
  if (store.newest?.productId !== productId) return [changed];
  const newest =
    event.type === 'ProductRemoved' ? newestOf(documents, sellerId, productId) : placeOf(product);
  return [changed, put('stores', sellerId, { ...store, newest })];
}

function listed({ data }: Listed) {
  const subcategory = subcategoryById(data.subcategoryId);
  return {
    productId: data.productId,
    sellerId: data.sellerId,
    name: data.name,
    nameKey: fold(data.name),
    price: data.price,
    sellerPrice: sellerShare(data.price, data.priceKind),
    condition: data.condition ?? null,
    shownCondition: data.condition ?? 'New',
    description: data.description,
    state: data.state,
    localGovt: data.localGovt,
    subcategoryId: data.subcategoryId,
    subcategory: subcategory?.name ?? '',
    category: subcategory?.category ?? '',
    attributes: data.attributes,
    images: data.images,
    stock: data.stock ?? null,
    status: 'AVAILABLE',
    listedAt: data.at,
    updatedAt: data.at,
  } as const;
}

function changes(
  before: ProductDocument,
  event: Exclude<ProductChange, Listed>,
): Partial<ProductDocument> {
  switch (event.type) {
    case 'ProductUpdated':
      return updated(before, event);
    case 'ProductMadeUnavailable':
      return { status: 'UNAVAILABLE' };
    case 'ProductMadeAvailable':
      return { status: 'AVAILABLE' };
    case 'ProductRemoved':
      return { status: 'REMOVED' };
    case 'StockTaken':
    case 'StockReturned': {
      const { quantity } = event.data;
      const by = event.type === 'StockTaken' ? -quantity : quantity;
      return before.stock === null ? {} : { stock: before.stock + by };
    }
  }
}

function updated(before: ProductDocument, { data }: Updated): Partial<ProductDocument> {
  const { name = before.name, price, priceKind, attributes } = data;
  const condition = data.condition ?? before.condition;
  return {
    name,
    nameKey: fold(name),
    ...(price === undefined || priceKind === undefined
      ? {}
      : { price, sellerPrice: sellerShare(price, priceKind) }),
    description: data.description ?? before.description,
    state: data.state ?? before.state,
    localGovt: data.localGovt ?? before.localGovt,
    condition,
    shownCondition: condition ?? 'New',
    attributes: updatedAttributes(before.attributes, attributes),
    stock: data.stock === undefined ? before.stock : data.stock,
    images: data.images ?? before.images,
  };
}

type Newest = NonNullable<StoreDocument['newest']>;

function placeOf(product: Newest): Newest {
  const { productId, listedAt, state, localGovt } = product;
  return { productId, listedAt, state, localGovt };
}

function newestOfTwo(one: Newest, other: Newest | null): Newest {
  if (other === null || one.listedAt > other.listedAt) return one;
  if (one.listedAt < other.listedAt) return other;
  return one.productId > other.productId ? one : other;
}

function newestOf(documents: CatalogueDocuments, sellerId: string, except: string): Newest | null {
  return documents
    .find('products', 'sellerId', sellerId)
    .filter(({ id, document }) => id !== except && document.status !== 'REMOVED')
    .reduce<Newest | null>((best, { document }) => newestOfTwo(placeOf(document), best), null);
}
