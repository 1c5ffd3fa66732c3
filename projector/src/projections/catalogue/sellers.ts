import { businessNameKey, type SellerEvent } from '@oja/domain';
import { put } from '../define.js';
import {
  type CatalogueChange,
  type CatalogueDocuments,
  type CatalogueKey,
  storeOf,
  withSeller,
} from './shown.js';

type Heard = Extract<
  SellerEvent,
  {
    readonly type:
      | 'SellerRegistered'
      | 'SellerProfileUpdated'
      | 'SellerSuspended'
      | 'SellerReinstated';
  }
>;

export function readsOfSeller({ data: { sellerId } }: Heard): readonly CatalogueKey[] {
  return [
    { collection: 'stores', id: sellerId },
    { collection: 'products', where: { field: 'sellerId', value: sellerId } },
  ];
}

/** The store, and every product of it: their lists show the seller's name and hide the suspended. */
export function projectSeller(
  event: Heard,
  at: string,
  documents: CatalogueDocuments,
): readonly CatalogueChange[] {
  const { sellerId } = event.data;
  const store = { ...storeOf(documents, sellerId), ...changes(event, at) };
  return [
    put('stores', sellerId, store),
    ...documents
      .find('products', 'sellerId', sellerId)
      .map(({ id, document }) => put('products', id, withSeller(document, store))),
  ];
}

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
  }
}

function named({ businessName }: { readonly businessName: string }) {
  return { businessName, businessNameKey: businessNameKey(businessName) };
}
