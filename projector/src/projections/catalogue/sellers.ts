import type { CatalogueCollections } from '@oja/contracts/models';
import { businessNameKey, type OperationsEvent, type SellerEvent, subjectId } from '@oja/domain';
import type { FanOut } from '../../runner/projection.js';
import { put } from '../define.js';
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

/** Null when the erased person is not a seller. */
const sellerOf = (event: Heard): string | null =>
  event.type === 'SubjectErased' ? subjectId('seller', event.data.subject) : event.data.sellerId;

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
 * Changes every product of the store: lists show the seller's name and hide suspended sellers. With
 * thousands of products, some change a second before the others, and the store document changes
 * last. The read model passes the event only after all of them, and the request that caused the
 * event waits for that.
 */
export const goodsOfSeller: FanOut<Heard, CatalogueCollections, 'products'> = {
  events: [
    'SellerRegistered',
    'SellerProfileUpdated',
    'SellerSuspended',
    'SellerReinstated',
    'SubjectErased',
  ],
  of({ event }) {
    const value = sellerOf(event);
    return value === null ? null : { collection: 'products', where: { field: 'sellerId', value } };
  },
  change(_, __, product, documents) {
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

/** The fields of an erased seller's store. They stay empty even if an event with a name is read later. */
const nameless = { businessName: '', businessNameKey: '', since: null };

function named({ businessName }: { readonly businessName: string }) {
  return { businessName, businessNameKey: businessNameKey(businessName) };
}
