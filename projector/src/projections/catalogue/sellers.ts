import type { CatalogueCollections } from '@oja/contracts/models';
import { businessNameKey, type OperationsEvent, type SellerEvent } from '@oja/domain';
import type { FanOut } from '../../runner/projection.js';
import { put } from '../define.js';
import { sellerIdOf } from '../sellers.js';
import {
  type CatalogueChange,
  type CatalogueDocuments,
  type CatalogueKey,
  storeOf,
  withSeller,
} from './products.js';

type SellerChange = Extract<
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

export function readsOfSeller(event: SellerChange): readonly CatalogueKey[] {
  const sellerId = sellerIdOf(event);
  return sellerId === null ? [] : [{ collection: 'stores', id: sellerId }];
}

export function projectSeller(
  event: SellerChange,
  at: string,
  documents: CatalogueDocuments,
): readonly CatalogueChange[] {
  const sellerId = sellerIdOf(event);
  if (sellerId === null) return [];
  const store = { ...storeOf(documents, sellerId), ...changes(event, at) };
  return [put('stores', sellerId, store.isErased ? { ...store, ...ERASED_NAME } : store)];
}

/**
 * Changes every product of the store: lists show the seller's name and hide suspended sellers. With
 * thousands of products, some change a second before the others, and the store document changes
 * last. The read model passes the event only after all of them, and the request that caused the
 * event waits for that.
 */
export const sellerProductsFanOut: FanOut<SellerChange, CatalogueCollections, 'products'> = {
  events: [
    'SellerRegistered',
    'SellerProfileUpdated',
    'SellerSuspended',
    'SellerReinstated',
    'SubjectErased',
  ],
  of({ event }) {
    const value = sellerIdOf(event);
    return value === null ? null : { collection: 'products', where: { field: 'sellerId', value } };
  },
  change(_, __, product, documents) {
    return withSeller(product, storeOf(documents, product.sellerId));
  },
};

function changes(event: SellerChange, at: string) {
  switch (event.type) {
    case 'SellerRegistered':
      return { since: at, ...nameFields(event.data) };
    case 'SellerProfileUpdated':
      return nameFields(event.data);
    case 'SellerSuspended':
      return { isSuspended: true };
    case 'SellerReinstated':
      return { isSuspended: false };
    case 'SubjectErased':
      return { isErased: true };
  }
}

/** The fields of an erased seller's store. They stay empty even if an event with a name is read later. */
const ERASED_NAME = { businessName: '', businessNameKey: '', since: null };

function nameFields({ businessName }: { readonly businessName: string }) {
  return { businessName, businessNameKey: businessNameKey(businessName) };
}
