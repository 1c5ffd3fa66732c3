import { type CatalogueCollections, catalogue as model } from '@oja/contracts/models';
import { operationsEvents, sellerEvents, transactionEvents } from '@oja/domain';
import { define, pick } from '../define.js';
import { shareEvents } from '../shares.js';
import { isOrderEvent, projectOrder, readsOfOrder } from './orders.js';
import { isProductEvent, productChangeEvents, projectProduct, readsOfProduct } from './products.js';
import { projectSeller, readsOfSeller, sellerProductsFanOut } from './sellers.js';

/**
 * Products and stores as shoppers find them. A product combines events of three kinds of streams:
 * its own, its seller's and those of orders. What each kind says is kept apart (`stores`, `sales`,
 * `orders`) and copied into the product, so the order in which the streams are read does not
 * matter.
 */
export const catalogue = define<CatalogueCollections>()({
  model,
  scope: 'stream',
  schemas: {
    ...productChangeEvents,
    ...pick(
      sellerEvents,
      'SellerRegistered',
      'SellerProfileUpdated',
      'SellerSuspended',
      'SellerReinstated',
    ),
    ...pick(operationsEvents, 'SubjectErased'),
    ...pick(transactionEvents, 'OrderPlaced', 'PaymentVerified', 'DeliveryConfirmed'),
    ...shareEvents,
  },
  reads({ event, at }, documents) {
    if (isProductEvent(event)) return readsOfProduct(event, documents);
    if (isOrderEvent(event)) return readsOfOrder(event, at, documents);
    return readsOfSeller(event);
  },
  project({ event, at }, documents) {
    if (isProductEvent(event)) return projectProduct(event, at, documents);
    if (isOrderEvent(event)) return projectOrder(event, at, documents);
    return projectSeller(event, at, documents);
  },
  fanOut: sellerProductsFanOut,
});
