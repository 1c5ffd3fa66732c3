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
import { STOCK_HOLD_MAX_MS, STOCK_HOLD_MS, STOCK_HOLD_RENEWED_AFTER_MS } from '../rules/times.js';

/**
 * The stock of a product whose seller tracks it. An order holds its pieces while the buyer is on
 * the payment page, so that nobody pays for goods that another buyer is about to get. The pieces
 * are taken when the payment arrives, before the order records that it is paid. They are returned
 * when that payment is refunded. All of this is in the product's own stream, so that the log's
 * expected revision decides between two buyers of the last piece.
 *
 * A hold ends when its time is up. No event has to record that, and no process has to be running. A
 * payment that arrives later takes what is free then, or is refunded. Whoever goes to the payment page
 * again holds the pieces for as long once more, but not for ever: others wait for them.
 */
export interface Stock {
  /** Pieces that are not sold, including held ones. Never below zero. */
  readonly left: number;
  readonly held: readonly Hold[];
  readonly taken: readonly Taken[];
}

interface Hold {
  readonly transactionId: string;
  readonly quantity: number;
  /** Since when the order has held some without a break. ISO 8601 in UTC. */
  readonly since: string;
  /** ISO 8601 in UTC. */
  readonly until: string;
}

/**
 * Pieces that a payment has taken. Only a refund of that same payment returns them, because an
 * order may be paid twice.
 */
interface Taken {
  readonly transactionId: string;
  /** The payment provider's id of the payment. */
  readonly providerId: string;
  readonly quantity: number;
}

/** All that is known about the pieces of a product. */
export interface StockTracking {
  /** Null while the seller does not track stock. */
  readonly stock: Stock | null;
  /**
   * What payments had taken before the seller stopped tracking stock; empty while it is tracked. The
   * market owes the return of refunded pieces until the log records it, so they are not forgotten here.
   */
  readonly takenBefore: readonly Taken[];
}

export const untracked: StockTracking = { stock: null, takenBefore: [] };

/** A stock count, in pieces. */
export const stockCount = z.number().int().min(0).max(MOST_STOCK);

const ofOrder = { productId: id, sellerId: id, transactionId: id };

export const stockEvents = {
  /**
   * Pieces are reserved for this order until `until`. `insteadOf`: earlier orders of the same
   * browser, whose holds end.
   */
  StockHeld: z.object({
    ...ofOrder,
    quantity,
    until: instant,
    insteadOf: z.array(id).optional(),
    at: instant,
  }),
  /** The order was not placed after all, so its hold ends. */
  StockHoldEnded: z.object({ ...ofOrder, at: instant }),
  /** A payment of the order has arrived. */
  StockTaken: z.object({ ...ofOrder, providerId: z.string(), quantity, at: instant }),
  /** That payment is refunded. */
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

/** Since when an order that holds pieces from `at` on has held some without a break. ISO 8601. */
const heldSince = (before: Hold | undefined, at: string): string =>
  before !== undefined && isLive(before, at) ? before.since : at;

/** Until when an order that goes to the payment page at time `at` holds its pieces. ISO 8601. */
function heldUntil(before: Hold | undefined, at: string): string {
  const atMost = Date.parse(heldSince(before, at)) + STOCK_HOLD_MAX_MS;
  return new Date(Math.min(Date.parse(at) + STOCK_HOLD_MS, atMost)).toISOString();
}

/** Whether holding them until then is worth an event. */
const isLonger = (until: string, hold: Hold): boolean =>
  Date.parse(until) - Date.parse(hold.until) >= STOCK_HOLD_RENEWED_AFTER_MS;

/** How many pieces an order at time `at` could still have. Holds of the orders in `own` do not count against it. */
export function freeStock({ left, held }: Stock, at: string, own: readonly string[] = []): number {
  const others = held.filter((hold) => isLive(hold, at) && !own.includes(hold.transactionId));
  return Math.max(0, left - others.reduce((sum, each) => sum + each.quantity, 0));
}

/** The ids of the orders that hold pieces at time `at`. */
export const stockHolders = ({ held }: Stock, at: string): readonly string[] =>
  held.filter((hold) => isLive(hold, at)).map(({ transactionId }) => transactionId);

/** Whether a payment of the order has taken its pieces and was not refunded. */
export const hasTakenStock = ({ taken }: Stock, transactionId: string): boolean =>
  taken.some((each) => each.transactionId === transactionId);

export const isSoldOut = (refusal: Refusal): boolean => refusal.code === 'sold_out';

const soldOut = conflict('sold_out', 'Sold out');

/**
 * Pieces were sold or came back since the seller looked at the count: a figure made of the older one would offer what
 * is not there. `stock` is the new count, null when there is none; the client shows it and asks again.
 */
type StockChanged = Refusal & { readonly code: 'stock_changed'; readonly stock: number | null };

export const isStockChanged = (refusal: Refusal): refusal is StockChanged =>
  refusal.code === 'stock_changed';

/**
 * The refusal of a new count, if the one that it is meant to replace is not the product's any more.
 * @param stockWas that count, null for none; undefined: it replaces any
 */
export function stockRefusal(
  { stock }: StockTracking,
  stockWas: number | null | undefined,
): StockChanged | null {
  const left = stock?.left ?? null;
  if (stockWas === undefined || left === stockWas) return null;
  const problem = left === null ? 'is not counted now' : `is ${left} now`;
  const message = 'The stock has changed: look at the new count and send it again';
  return {
    kind: 'conflict',
    code: 'stock_changed',
    message,
    errors: { stock: problem },
    stock: left,
  };
}

interface ProductStock extends StockTracking {
  readonly productId: string;
  readonly sellerId: string;
}

/**
 * Without stock tracking a product is never sold out, and no stock events are written, except for
 * the return of what was taken while it was tracked.
 */
export function decideStock(
  command: StockCommand,
  { productId, sellerId, stock, takenBefore }: ProductStock,
): Decision<StockEvent> {
  const { transactionId, at } = command;
  const own = { productId, sellerId, transactionId };
  if (command.type === 'ReturnStock') {
    const { providerId } = command;
    const taken = takenBy(stock?.taken ?? takenBefore, transactionId, providerId);
    if (taken === undefined) return nothingToDo;
    const { quantity } = taken;
    return decided({ type: 'StockReturned', data: { ...own, providerId, quantity, at } });
  }
  if (stock === null) return nothingToDo;
  const hold = stock.held.find((each) => each.transactionId === transactionId);
  switch (command.type) {
    case 'HoldStock': {
      const { quantity, insteadOf = [] } = command;
      // Its payment came while it was being sent again: a hold as well would keep others from more pieces.
      if (hasTakenStock(stock, transactionId)) return nothingToDo;
      const until = heldUntil(hold, at);
      // A buyer whose first try got no answer may have changed the number of pieces since.
      if (hold?.quantity === quantity && isLive(hold, at) && !isLonger(until, hold))
        return nothingToDo;
      if (freeStock(stock, at, [transactionId, ...insteadOf]) < quantity) return refused(soldOut);
      const instead = insteadOf.length === 0 ? {} : { insteadOf: [...insteadOf] };
      return decided({ type: 'StockHeld', data: { ...own, quantity, until, ...instead, at } });
    }
    case 'EndStockHold':
      if (hold === undefined) return nothingToDo;
      return decided({ type: 'StockHoldEnded', data: { ...own, at } });
    case 'TakeStock': {
      const { providerId, quantity } = command;
      if (takenBy(stock.taken, transactionId, providerId) !== undefined) return nothingToDo;
      // A buyer's own hold wins over all other holds, unless the seller has lowered the count meanwhile.
      const isTheirs = hold !== undefined && isLive(hold, at) && hold.quantity >= quantity;
      if ((isTheirs ? stock.left : freeStock(stock, at, [transactionId])) < quantity)
        return refused(soldOut);
      return decided({ type: 'StockTaken', data: { ...own, providerId, quantity, at } });
    }
  }
}

const takenBy = (taken: readonly Taken[], transactionId: string, providerId: string) =>
  taken.find((each) => each.transactionId === transactionId && each.providerId === providerId);

export const isStockEvent = (event: { readonly type: string }): event is StockEvent =>
  Object.hasOwn(stockEvents, event.type);

/** The stock after an event about it. While it is not tracked, only what orders have taken is remembered. */
export function evolveStock(
  { stock, takenBefore }: StockTracking,
  event: StockEvent,
): StockTracking {
  if (stock === null) return { stock, takenBefore: takenAfter(takenBefore, event) };
  const { type, data } = event;
  const { transactionId, at } = data;
  const gone = [transactionId, ...((type === 'StockHeld' && data.insteadOf) || [])];
  const taken = takenAfter(stock.taken, event);
  switch (type) {
    case 'StockHeld': {
      const { quantity, until } = data;
      const before = stock.held.find((hold) => hold.transactionId === transactionId);
      const since = heldSince(before, at);
      const others = stock.held.filter(
        (hold) => isLive(hold, at) && !gone.includes(hold.transactionId),
      );
      const held = [...others, { transactionId, quantity, since, until }];
      return { stock: { ...stock, held }, takenBefore };
    }
    case 'StockHoldEnded': {
      const held = stock.held.filter((hold) => !gone.includes(hold.transactionId));
      return { stock: { ...stock, held }, takenBefore };
    }
    case 'StockTaken': {
      const left = Math.max(0, stock.left - data.quantity);
      const held = stock.held.filter((hold) => !gone.includes(hold.transactionId));
      return { stock: { left, held, taken }, takenBefore };
    }
    case 'StockReturned':
      return { stock: { ...stock, left: stock.left + data.quantity, taken }, takenBefore };
  }
}

function takenAfter(taken: readonly Taken[], { type, data }: StockEvent): readonly Taken[] {
  const { transactionId } = data;
  if (type === 'StockTaken') {
    const { providerId, quantity } = data;
    return [...taken, { transactionId, providerId, quantity }];
  }
  if (type !== 'StockReturned') return taken;
  return taken.filter(
    (each) => each.transactionId !== transactionId || each.providerId !== data.providerId,
  );
}

/**
 * What is known after the seller sets a new count, or stops counting. A seller counts the pieces that are there:
 * those sold before are not among them, and each that comes back later is one more. That is also so when the
 * count was off in between. A piece that came back meanwhile is among those that the seller counts.
 */
export function withStockCount(
  { stock, takenBefore }: StockTracking,
  count: number | null | undefined,
): StockTracking {
  if (count === undefined) return { stock, takenBefore };
  if (count === null) return { stock: null, takenBefore: stock?.taken ?? takenBefore };
  return { stock: { held: [], taken: takenBefore, ...stock, left: count }, takenBefore: [] };
}
