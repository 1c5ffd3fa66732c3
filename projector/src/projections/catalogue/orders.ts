import type { CatalogueOrderDocument } from '@oja/contracts/models';
import { receivedStatus, type TransactionEvent, transactionEvents } from '@oja/domain';
import { del, put } from '../define.js';
import { isClosed, type ShareEvent, sharesAfter } from '../shares.js';
import {
  type CatalogueChange,
  type CatalogueDocuments,
  type CatalogueKey,
  salesOf,
  storeOf,
} from './products.js';
import {
  dayOf,
  daysToRecount,
  isBeforeWindow,
  isInWindow,
  type NewestDays,
  withPaidDay,
} from './trending-window.js';

type OrderEvent =
  | ShareEvent
  | Extract<
      TransactionEvent,
      { readonly type: 'OrderPlaced' | 'PaymentVerified' | 'DeliveryConfirmed' }
    >;

const CLOCK = 'newest';

export function isOrderEvent(event: { readonly type: string }): event is OrderEvent {
  return Object.hasOwn(transactionEvents, event.type);
}

/**
 * The documents that an event of an order changes. Which ones depends on the documents themselves: as long as the
 * answer names one that was not loaded, the runner loads it and asks again.
 */
export function readsOfOrder(
  event: OrderEvent,
  at: string,
  documents: CatalogueDocuments,
): readonly CatalogueKey[] {
  if (event.type === 'OrderPlaced') return [];
  const key = { collection: 'orders', id: event.data.transactionId } as const;
  const clock = { collection: 'clock', id: CLOCK } as const;
  const first: CatalogueKey[] = event.type === 'PaymentVerified' ? [key, clock] : [key];
  if (!first.every((k) => documents.has(k))) return first;
  const order = documents.get('orders', key.id);
  if (order === null) return first;
  if (event.type === 'DeliveryConfirmed') {
    return [
      ...first,
      ...heldIn(order).map(({ sellerId }) => ({ collection: 'stores', id: sellerId }) as const),
    ];
  }
  const products = new Set(order.lines.map(({ productId }) => productId));
  const keys: CatalogueKey[] = [...first];
  if (event.type === 'PaymentVerified') {
    const day = dayOf(at);
    for (const product of products) keys.push({ collection: 'days', id: dayId(product, day) });
    const before = newestDays(documents);
    for (const moved of daysToRecount(before, withPaidDay(before, day))) {
      const query = { collection: 'days', where: { field: 'day', value: moved } } as const;
      keys.push(query);
      if (!documents.has(query)) continue;
      for (const { document } of documents.find('days', 'day', moved)) {
        products.add(document.productId);
      }
    }
  }
  for (const id of products) {
    keys.push({ collection: 'products', id }, { collection: 'sales', id });
  }
  return keys;
}

/** What an event of an order changes: the order, and the counts of sales, open orders and deliveries. `at`: ISO 8601. */
export function projectOrder(
  event: OrderEvent,
  at: string,
  documents: CatalogueDocuments,
): readonly CatalogueChange[] {
  const id = event.data.transactionId;
  if (event.type === 'OrderPlaced') return [put('orders', id, placed(event.data))];
  const order = documents.get('orders', id);
  if (order === null) throw new Error(`${event.type} before the order was placed`);
  switch (event.type) {
    case 'PaymentVerified':
      return paid(id, order, dayOf(at), documents);
    case 'DeliveryConfirmed':
      return order.confirmed ? [] : confirmed(id, order, documents);
    default: {
      const shares = sharesAfter(order.shares, event);
      const open = order.paidOn !== null && !isClosed(receivedStatus(shares));
      const sums = new Sums(documents);
      sums.open(order, Number(open) - Number(order.open));
      return [put('orders', id, { ...order, shares, open }), ...sums.changes()];
    }
  }
}

function placed(data: Extract<OrderEvent, { readonly type: 'OrderPlaced' }>['data']) {
  return {
    lines: data.lines.map(({ productId, sellerId, quantity }) => ({
      productId,
      sellerId,
      quantity,
    })),
    shares: data.shares.map(({ sellerId }) => ({ sellerId, status: 'held' }) as const),
    open: false,
    confirmed: false,
    paidOn: null,
  };
}

function paid(
  id: string,
  order: CatalogueOrderDocument,
  day: string,
  documents: CatalogueDocuments,
): readonly CatalogueChange[] {
  const before = newestDays(documents);
  const after = withPaidDay(before, day);
  const sums = new Sums(documents);
  const changes: CatalogueChange[] = [
    put('orders', id, { ...order, open: true, paidOn: day }),
    put('clock', CLOCK, { days: after }),
  ];
  for (const moved of daysToRecount(before, after)) {
    const sign = Number(isInWindow(moved, after)) - Number(isInWindow(moved, before));
    for (const { id: bucket, document } of documents.find('days', 'day', moved)) {
      sums.sold(document.productId, sign * document.quantity);
      if (isBeforeWindow(moved, after)) changes.push(del('days', bucket));
    }
  }
  sums.open(order, 1);
  if (isBeforeWindow(day, after)) return [...changes, ...sums.changes()];
  for (const [productId, quantity] of quantities(order)) {
    const bucket = dayId(productId, day);
    const sold = documents.get('days', bucket)?.quantity ?? 0;
    if (isInWindow(day, after)) sums.sold(productId, quantity);
    changes.push(put('days', bucket, { productId, day, quantity: sold + quantity }));
  }
  return [...changes, ...sums.changes()];
}

/** The shares that a Yes is about: not those that are in dispute, refunded or released already. */
const heldIn = ({ shares }: CatalogueOrderDocument) =>
  shares.filter(({ status }) => status === 'held');

function confirmed(
  id: string,
  order: CatalogueOrderDocument,
  documents: CatalogueDocuments,
): readonly CatalogueChange[] {
  const stores = heldIn(order).map(({ sellerId }) => storeOf(documents, sellerId));
  return [
    put('orders', id, { ...order, confirmed: true }),
    ...stores.map((store) =>
      put('stores', store.sellerId, { ...store, ordersConfirmed: store.ordersConfirmed + 1 }),
    ),
  ];
}

function newestDays(documents: CatalogueDocuments): NewestDays {
  return documents.get('clock', CLOCK)?.days ?? [];
}

function dayId(productId: string, day: string): string {
  return `${productId}/${day}`;
}

function quantities(order: CatalogueOrderDocument): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { productId, quantity } of order.lines) {
    sums.set(productId, (sums.get(productId) ?? 0) + quantity);
  }
  return sums;
}

/** Collects what orders change in the sales of products, and in the products that show them. */
class Sums {
  readonly #documents: CatalogueDocuments;
  readonly #sold = new Map<string, number>();
  readonly #opened = new Map<string, number>();

  constructor(documents: CatalogueDocuments) {
    this.#documents = documents;
  }

  sold(productId: string, by: number): void {
    this.#sold.set(productId, (this.#sold.get(productId) ?? 0) + by);
  }

  open(order: CatalogueOrderDocument, by: number): void {
    if (by === 0) return;
    for (const productId of quantities(order).keys()) this.#opened.set(productId, by);
  }

  changes(): readonly CatalogueChange[] {
    const touched = new Set([...this.#sold.keys(), ...this.#opened.keys()]);
    return [...touched].flatMap((id) => {
      const before = salesOf(this.#documents, id);
      const sales = {
        trending: before.trending + (this.#sold.get(id) ?? 0),
        openTransactions: before.openTransactions + (this.#opened.get(id) ?? 0),
      };
      const product = this.#documents.get('products', id);
      const shown = product === null ? [] : [put('products', id, { ...product, ...sales })];
      return [put('sales', id, sales), ...shown];
    });
  }
}
