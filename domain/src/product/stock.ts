import { z } from 'zod';
import {
  conflict,
  type Decision,
  decided,
  type EventOf,
  id,
  instant,
  nothingToDo,
  quantity,
  type Refusal,
  refused,
} from '../decider.js';
import { MOST_STOCK } from '../rules/limits.js';
import { STOCK_HELD_FOR_MS } from '../rules/times.js';

/**
 * How many there are to sell of a product whose seller counts them. Whoever goes to the payment page has theirs
 * held for a while, so that nobody pays for what another is about to get; they are taken when the payment has
 * come, before the order says that it is paid; and they come back when that payment goes back. All of it stands in
 * the product's own stream, so that the log's expected revision decides between two who want the last one.
 *
 * A hold ends by its time alone: no event has to say so, and no process has to live for it. A payment that comes
 * after it takes what is free then, or goes back.
 */
export interface Stock {
  /** Neither sold nor, therefore, to be handed over; held ones count. Never below zero. */
  readonly left: number;
  readonly held: readonly Hold[];
  readonly taken: readonly Taken[];
}

interface Hold {
  readonly transactionId: string;
  readonly quantity: number;
  /** ISO 8601 in UTC. */
  readonly until: string;
}

/** What a payment has taken. It comes back with that payment alone: an order may be paid for a second time. */
interface Taken {
  readonly transactionId: string;
  /** The provider's id of the payment. */
  readonly providerId: string;
  readonly quantity: number;
}

/** How many there are: null, nobody counts them. */
export const stockCount = z.number().int().min(0).max(MOST_STOCK);

const ofOrder = { productId: id, sellerId: id, transactionId: id };

export const stockEvents = {
  /** Until then for this order alone; `insteadOf`: earlier orders of the same browser, whose holds end. */
  StockHeld: z.object({
    ...ofOrder,
    quantity,
    until: instant,
    insteadOf: z.array(id).optional(),
    at: instant,
  }),
  /** The order was not placed after all. */
  StockHoldEnded: z.object({ ...ofOrder, at: instant }),
  /** A payment of the order has come. */
  StockTaken: z.object({ ...ofOrder, providerId: z.string(), quantity, at: instant }),
  /** That payment goes back. */
  StockReturned: z.object({ ...ofOrder, providerId: z.string(), quantity, at: instant }),
};
type StockEvent = EventOf<typeof stockEvents>;

interface OfOrder {
  readonly transactionId: string;
  /** ISO 8601 in UTC. */
  readonly at: string;
}
interface HoldStock extends OfOrder {
  readonly type: 'HoldStock';
  readonly quantity: number;
  readonly insteadOf?: readonly string[] | undefined;
}
interface EndStockHold extends OfOrder {
  readonly type: 'EndStockHold';
}
interface TakeStock extends OfOrder {
  readonly type: 'TakeStock';
  readonly providerId: string;
  readonly quantity: number;
}
interface ReturnStock extends OfOrder {
  readonly type: 'ReturnStock';
  readonly providerId: string;
}
export type StockCommand = HoldStock | EndStockHold | TakeStock | ReturnStock;

const isLive = ({ until }: Hold, at: string) => until > at;

/** How many an order may still have that comes now; what its own orders hold, others do not. */
export function freeOf({ left, held }: Stock, at: string, own: readonly string[] = []): number {
  const others = held.filter((hold) => isLive(hold, at) && !own.includes(hold.transactionId));
  return Math.max(0, left - others.reduce((sum, each) => sum + each.quantity, 0));
}

/** The orders that hold some of it now. */
export const holdersOf = ({ held }: Stock, at: string): readonly string[] =>
  held.filter((hold) => isLive(hold, at)).map(({ transactionId }) => transactionId);

export const isSoldOut = (refusal: Refusal): boolean => refusal.code === 'sold_out';

const soldOut = conflict('sold_out', 'Sold out');

interface Counted {
  readonly productId: string;
  readonly sellerId: string;
  readonly stock: Stock | null;
}

/** Goods that nobody counts are never short, and nothing is written of them. */
export function decideStock(
  command: StockCommand,
  { productId, sellerId, stock }: Counted,
): Decision<StockEvent> {
  if (stock === null) return nothingToDo;
  const { transactionId, at } = command;
  const own = { productId, sellerId, transactionId };
  const hold = stock.held.find((each) => each.transactionId === transactionId);
  switch (command.type) {
    case 'HoldStock': {
      if (hold !== undefined && isLive(hold, at)) return nothingToDo;
      const { quantity, insteadOf = [] } = command;
      if (freeOf(stock, at, insteadOf) < quantity) return refused(soldOut);
      const until = new Date(Date.parse(at) + STOCK_HELD_FOR_MS).toISOString();
      const instead = insteadOf.length === 0 ? {} : { insteadOf: [...insteadOf] };
      return decided({ type: 'StockHeld', data: { ...own, quantity, until, ...instead, at } });
    }
    case 'EndStockHold':
      if (hold === undefined) return nothingToDo;
      return decided({ type: 'StockHoldEnded', data: { ...own, at } });
    case 'TakeStock': {
      const { providerId, quantity } = command;
      if (takenBy(stock, transactionId, providerId) !== undefined) return nothingToDo;
      // What was held for them is theirs, whoever else holds some: unless the seller has fewer by now.
      const isTheirs = hold !== undefined && isLive(hold, at) && hold.quantity >= quantity;
      if ((isTheirs ? stock.left : freeOf(stock, at, [transactionId])) < quantity)
        return refused(soldOut);
      return decided({ type: 'StockTaken', data: { ...own, providerId, quantity, at } });
    }
    case 'ReturnStock': {
      const { providerId } = command;
      const taken = takenBy(stock, transactionId, providerId);
      if (taken === undefined) return nothingToDo;
      const { quantity } = taken;
      return decided({ type: 'StockReturned', data: { ...own, providerId, quantity, at } });
    }
  }
}

const takenBy = ({ taken }: Stock, transactionId: string, providerId: string) =>
  taken.find((each) => each.transactionId === transactionId && each.providerId === providerId);

export const isStockEvent = (event: { readonly type: string }): event is StockEvent =>
  Object.hasOwn(stockEvents, event.type);

export function evolveStock(stock: Stock | null, { type, data }: StockEvent): Stock | null {
  if (stock === null) return null;
  const { transactionId, at } = data;
  const gone = [transactionId, ...((type === 'StockHeld' && data.insteadOf) || [])];
  switch (type) {
    case 'StockHeld': {
      const { quantity, until } = data;
      const others = stock.held.filter(
        (hold) => isLive(hold, at) && !gone.includes(hold.transactionId),
      );
      return { ...stock, held: [...others, { transactionId, quantity, until }] };
    }
    case 'StockHoldEnded':
      return { ...stock, held: stock.held.filter((hold) => !gone.includes(hold.transactionId)) };
    case 'StockTaken': {
      const { providerId, quantity } = data;
      return {
        left: Math.max(0, stock.left - quantity),
        held: stock.held.filter((hold) => !gone.includes(hold.transactionId)),
        taken: [...stock.taken, { transactionId, providerId, quantity }],
      };
    }
    case 'StockReturned':
      return {
        ...stock,
        left: stock.left + data.quantity,
        taken: stock.taken.filter(
          (each) => each.transactionId !== transactionId || each.providerId !== data.providerId,
        ),
      };
  }
}

/** The seller counts anew what they have to sell: what was sold before is not among it. */
export function countedAnew(stock: Stock | null, count: number | null | undefined): Stock | null {
  if (count === undefined) return stock;
  if (count === null) return null;
  return { held: [], taken: [], ...stock, left: count };
}
