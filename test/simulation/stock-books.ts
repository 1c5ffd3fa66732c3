import { type PlacedOrder, type ProductState, product, transaction } from '@oja/domain';
import type { RecordedEvent } from '@oja/platform';
import { Violation } from './witness.js';

export interface StockBooksOptions {
  readonly orders: ReadonlyMap<string, PlacedOrder>;
  fail(violation: Violation): void;
  tell(who: string, what: string): void;
}

interface Shelf {
  state: ProductState;
  /** The total that the seller has ever offered; null: they have never counted. */
  supplied: number | null;
  /** Paid orders that contain it. */
  readonly soldTo: Set<string>;
}

/** Tracks the stock of counted products, and what the orders alone say was sold of it. */
export function createStockBooks({ orders, fail, tell }: StockBooksOptions) {
  const shelves = new Map<string, Shelf>();
  const shelfOf = (id: string): Shelf => {
    const known = shelves.get(id);
    if (known !== undefined) return known;
    const shelf: Shelf = { state: product.initial, supplied: null, soldTo: new Set() };
    shelves.set(id, shelf);
    return shelf;
  };
  const leftOf = ({ state }: Shelf) =>
    state.status === 'none' || state.stock === null ? null : state.stock.left;

  /** The quantity that an order has paid for and that was not refunded. */
  function keptBy(orderId: string, id: string): number {
    const order = orders.get(orderId);
    const line = order?.lines.find(({ productId }) => productId === id);
    const share = order?.shares.find(({ sellerId }) => sellerId === line?.sellerId);
    return line === undefined || share?.status === 'refunded' ? 0 : line.quantity;
  }

  const soldOf = (id: string, { soldTo }: Shelf): number =>
    [...soldTo].reduce((sum, orderId) => sum + keptBy(orderId, id), 0);

  /** Orders for which the product's stream and the order's stream disagree. */
  function disputed(id: string, { state, soldTo }: Shelf): readonly string[] {
    const taken = state.status === 'none' ? [] : (state.stock?.taken ?? []);
    const takenBy = (orderId: string) =>
      taken
        .filter(({ transactionId }) => transactionId === orderId)
        .reduce((sum, { quantity }) => sum + quantity, 0);
    const known = new Set([...soldTo, ...taken.map(({ transactionId }) => transactionId)]);
    return [...known].filter(
      (orderId) => takenBy(orderId) !== (soldTo.has(orderId) ? keptBy(orderId, id) : 0),
    );
  }

  function notOversold(id: string): void {
    const shelf = shelfOf(id);
    const left = leftOf(shelf);
    if (left === null || shelf.supplied === null) return;
    const sold = soldOf(id, shelf);
    if (left < 0 || sold + left > shelf.supplied)
      fail(
        new Violation('more is sold than there is', id, `${sold} + ${left} of ${shelf.supplied}`),
      );
  }

  return {
    seeProduct(id: string, recorded: RecordedEvent): void {
      const event = product.parse(recorded.type, recorded.data);
      if (event === null) return;
      const shelf = shelfOf(id);
      const before = leftOf(shelf) ?? 0;
      shelf.state = product.evolve(shelf.state, event);
      const stock = 'stock' in event.data ? event.data.stock : undefined;
      if (typeof stock === 'number') shelf.supplied = (shelf.supplied ?? 0) + stock - before;
      if (event.type.startsWith('Stock') || stock !== undefined)
        tell(`product ${id}`, `${event.type} ${JSON.stringify(event.data)}`);
      notOversold(id);
    },
    /** Called after the order itself was updated. */
    seeOrder(id: string, { type, data }: RecordedEvent): void {
      if (transaction.parse(type, data)?.type !== 'PaymentVerified') return;
      for (const { productId } of orders.get(id)?.lines ?? []) {
        shelfOf(productId).soldTo.add(id);
        notOversold(productId);
      }
    },
    /** At the end: the stock that is gone must be exactly what was paid for and kept. */
    conclude(shown: (productId: string) => unknown): void {
      for (const [id, shelf] of shelves) {
        const left = leftOf(shelf);
        if (left === null) continue;
        const sold = soldOf(id, shelf);
        if (sold + left !== shelf.supplied)
          throw new Violation(
            'a count is not what the orders say',
            id,
            [`${sold} + ${left} of ${shelf.supplied}`, ...disputed(id, shelf)].join(', '),
          );
        if (shown(id) !== left)
          throw new Violation('shoppers are shown another count', id, `${shown(id)}, not ${left}`);
      }
    },
  };
}
