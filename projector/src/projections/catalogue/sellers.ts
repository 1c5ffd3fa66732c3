import type { ProductDocument } from '@oja/contracts/models';
import { businessNameKey, type SellerEvent } from '@oja/domain';
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
  return [{ collection: 'stores', id: sellerId }];
}

export function projectSeller(
  event: Heard,
  at: string,
  documents: CatalogueDocuments,
): readonly CatalogueChange[] {
  const { sellerId } = event.data;
  return [put('stores', sellerId, { ...storeOf(documents, sellerId), ...changes(event, at) })];
}

/**
 * Every product of the store: their lists show the seller's name and hide the suspended. Of a seller
 * with thousands of goods some show it a second before the others, and the store itself is the last;
 * until all do, the read model has not passed the event, for which whoever caused it waits.
 */
export const goodsOfSeller: FanOut = {
  events: ['SellerRegistered', 'SellerProfileUpdated', 'SellerSuspended', 'SellerReinstated'],
  of: ({ subject }) => ({ collection: 'products', where: { field: 'sellerId', value: subject } }),
  change({ subject }, _, product: ProductDocument, documents: CatalogueDocuments) {
    return withSeller(product, storeOf(documents, subject));
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
  }
}

function named({ businessName }: { readonly businessName: string }) {
  return { businessName, businessNameKey: businessNameKey(businessName) };
}
