import type { ProductDocument } from '@oja/contracts/models';
import { businessNameKey, type OperationsEvent, type SellerEvent } from '@oja/domain';
import type { FanOut } from '../../runner/projection.js';
import { put } from '../define.js';
import { erasedSeller } from '../sellers.js';
import {
  type CatalogueChange,
  type CatalogueDocuments,
  type CatalogueKey,
  storeOf,
  withSeller,
} from './products.js';

type Heard = Extract<
  SellerEvent | OperationsEvent,
  {
    readonly type:
      | 'SellerRegistered'
      | 'SellerProfileUpdated'
      | 'SellerSuspended'
      | 'SellerReinstated'
      | 'SubjectErased';
  }
>;

/** Null: somebody was erased who is no seller. */
const sellerOf = (event: Heard): string | null =>
  event.type === 'SubjectErased' ? erasedSeller(event.data.subject) : event.data.sellerId;

export function readsOfSeller(event: Heard): readonly CatalogueKey[] {
  const sellerId = sellerOf(event);
  return sellerId === null ? [] : [{ collection: 'stores', id: sellerId }];
}

export function projectSeller(
  event: Heard,
  at: string,
  documents: CatalogueDocuments,
): readonly CatalogueChange[] {
  const sellerId = sellerOf(event);
  if (sellerId === null) return [];
  const store = { ...storeOf(documents, sellerId), ...changes(event, at) };
  return [put('stores', sellerId, store.isErased ? { ...store, ...nameless } : store)];
}

/**
 * Every product of the store: their lists show the seller's name and hide the suspended. Of a seller
 * with thousands of goods some show it a second before the others, and the store itself is the last;
 * until all do, the read model has not passed the event, for which whoever caused it waits.
 */
export const goodsOfSeller: FanOut = {
  events: [
    'SellerRegistered',
    'SellerProfileUpdated',
    'SellerSuspended',
    'SellerReinstated',
    'SubjectErased',
  ],
  of({ event }) {
    const value = sellerOf(event as Heard);
    return value === null ? null : { collection: 'products', where: { field: 'sellerId', value } };
  },
  change(_, __, product: ProductDocument, documents: CatalogueDocuments) {
    return withSeller(product, storeOf(documents, product.sellerId));
  },
};

function changes(event: Heard, at: string) {
  switch (event.type) {
    case 'SellerRegistered':
      return { since: at, ...named(event.data) };
    case 'SellerProfileUpdated':
      return named(event.data);
    case 'SellerSuspended':
      return { isSuspended: true };
    case 'SellerReinstated':
      return { isSuspended: false };
    case 'SubjectErased':
      return { isErased: true };
  }
}

/** Of a seller who was erased, also where what they are called is heard later. */
const nameless = { businessName: '', businessNameKey: '', since: null };

function named({ businessName }: { readonly businessName: string }) {
  return { businessName, businessNameKey: businessNameKey(businessName) };
}
