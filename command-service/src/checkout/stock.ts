import {
  freeStock,
  hasTakenStock,
  isSoldOut,
  type OrderLine,
  type PlacedOrder,
  type ProductState,
  product,
  stockHolders,
  transaction,
} from '@oja/domain';
import { type Loaded, nowOf } from '@oja/platform';
import { BUYER, factCommandId, factContext } from '../commands.js';
import type { Deps } from '../deps.js';
import { isInOrderCookie, loadOrder, openSecret } from './order.js';

/** The products as they are now, by id. */
export const loadProducts = async (
  { load }: Pick<Deps, 'load'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Loaded<ProductState>>> =>
  new Map(await Promise.all(ids.map(async (id) => [id, await load(product, id)] as const)));

/** A product with less stock than the buyer wants. */
export interface ShortGoods {
  readonly product_id: string;
  readonly prod_name: string;
  /** How many the buyer can have now. */
  readonly left: number;
  /** Other buyers on the payment page hold the rest, so some may become free. */
  readonly isHeldByOthers: boolean;
}

type HoldResult = { readonly kind: 'held' } | HoldFailure;

export type HoldFailure =
  | { readonly kind: 'short'; readonly short: readonly ShortGoods[] }
  /** The seller has hidden or removed it since it was read. */
  | { readonly kind: 'gone'; readonly line: OrderLine }
  /** Every try had a write conflict. */
  | { readonly kind: 'busy' };

interface HoldRequest {
  readonly transactionId: string;
  readonly lines: readonly OrderLine[];
  /** The products as just read, by id. */
  readonly products: ReadonlyMap<string, Loaded<ProductState>>;
  /** The browser's cookie of earlier orders. */
  readonly cookie: string | undefined;
}

/** How often a hold is retried when many buyers want the same product at the same moment. */
const MAX_CONFLICTS = 5;

const stockOf = (state: ProductState) => (state.status === 'none' ? null : state.stock);

/**
 * Holds the stock of an order while its buyer pays. If that cannot be done for all of it, it says why
 * and holds nothing. Pieces that the same browser holds for an earlier order pass to this one: a
 * buyer who returns from the payment page to change the cart must not be blocked by their own hold.
 */
export async function holdStock(deps: Deps, wanted: HoldRequest): Promise<HoldResult> {
  const at = nowOf(deps);
  const { holds, short } = await planHolds(deps, wanted, at);
  if (short.length > 0) return { kind: 'short', short };
  for (const [index, hold] of holds.entries()) {
    const result = await holdOne(deps, wanted, hold, at);
    if (result.kind === 'held') continue;
    for (const { line } of holds.slice(0, index))
      await endHold(deps, wanted.transactionId, line.productId);
    return result;
  }
  return { kind: 'held' };
}

/** Pieces to hold for a line of an order. */
interface Hold {
  readonly line: OrderLine;
  /** The orders of the same browser whose pieces pass to this one. */
  readonly insteadOf: readonly string[];
}

/** What is to be held of an order, and what of it there is too little of. */
async function planHolds(
  deps: Deps,
  { transactionId, lines, products, cookie }: HoldRequest,
  at: string,
): Promise<{ readonly holds: readonly Hold[]; readonly short: readonly ShortGoods[] }> {
  const short: ShortGoods[] = [];
  const holds: Hold[] = [];
  for (const line of lines) {
    const state = products.get(line.productId)?.state ?? product.initial;
    const stock = stockOf(state);
    if (stock === null || hasTakenStock(stock, transactionId)) continue;
    const isScarce = freeStock(stock, at, [transactionId]) < line.quantity;
    const insteadOf = isScarce ? await ordersOfBrowser(deps, stockHolders(stock, at), cookie) : [];
    const left = freeStock(stock, at, [transactionId, ...insteadOf]);
    if (left < line.quantity) short.push(toShortGoods(line, left, stock.left));
    else if (state.status === 'available') holds.push({ line, insteadOf });
  }
  return { holds, short };
}

async function holdOne(
  deps: Deps,
  { transactionId, products }: HoldRequest,
  { line, insteadOf }: Hold,
  at: string,
): Promise<HoldResult> {
  const { productId, quantity } = line;
  const what = { type: 'HoldStock', transactionId, quantity, insteadOf, at } as const;
  const context = factContext(factCommandId('HoldStock', transactionId, productId, at), BUYER);
  let handled = await deps.handle(product, productId, what, context, products.get(productId));
  for (let tries = 0; !handled.ok && handled.conflict && tries < MAX_CONFLICTS; tries += 1)
    handled = await deps.handle(product, productId, what, context);
  if (handled.ok) return { kind: 'held' };
  if (handled.conflict) return { kind: 'busy' };
  if (!isSoldOut(handled.refusal)) return { kind: 'gone', line };
  // Another buyer was faster.
  const stock = stockOf((await deps.load(product, productId)).state);
  const left = toShortGoods(line, stock === null ? 0 : freeStock(stock, at), stock?.left ?? 0);
  return { kind: 'short', short: [left] };
}

/**
 * Holds the stock of an unpaid order that is sent again, anew or for longer. The order is sold as it was placed:
 * goods that their seller has hidden or removed since cannot be held, but are not refused either.
 */
export async function renewHolds(
  deps: Deps,
  order: PlacedOrder,
  cookie: string | undefined,
): Promise<Exclude<HoldResult, { readonly kind: 'gone' }>> {
  const { transactionId, lines } = order;
  const ids = lines.map(({ productId }) => productId);
  const products = await loadProducts(deps, ids);
  const held = await holdStock(deps, { transactionId, lines, products, cookie });
  // Hidden since it was read, so the next reading passes over it.
  return held.kind === 'gone' ? renewHolds(deps, order, cookie) : held;
}

const toShortGoods = (line: OrderLine, free: number, left: number): ShortGoods => ({
  product_id: line.productId,
  prod_name: line.name,
  left: free,
  isHeldByOthers: left > free,
});

/** Ends a hold early. If this fails, the hold ends when its time is up. */
async function endHold(deps: Deps, transactionId: string, productId: string): Promise<void> {
  const at = nowOf(deps);
  const context = factContext(factCommandId('EndStockHold', transactionId, productId, at), BUYER);
  await deps.handle(product, productId, { type: 'EndStockHold', transactionId, at }, context);
}

/**
 * Ends the holds of an order that the provider will not take: nobody can pay for it, so others need not wait for it.
 * Not when another request has got a payment page for it meanwhile. If this fails, they end when their time is up.
 */
export async function endHolds(deps: Deps, transactionId: string): Promise<void> {
  const { state } = await deps.load(transaction, transactionId);
  if (state.status === 'none' || state.payment !== null || state.attempts.length > 0) return;
  await Promise.all(
    state.lines.map(({ productId }) => endHold(deps, transactionId, productId)),
  ).catch((error: unknown) =>
    deps.logger.warn(
      { err: error, order: transactionId },
      'the stock of an order without a payment page is still held: its hold ends by itself',
    ),
  );
}

/** The orders among these that this browser has placed itself. */
async function ordersOfBrowser(
  deps: Deps,
  transactionIds: readonly string[],
  cookie: string | undefined,
): Promise<readonly string[]> {
  const own: string[] = [];
  for (const id of transactionIds) {
    if (!cookie?.includes(id)) continue;
    const order = await loadOrder(deps, id);
    const secret = order && (await openSecret(deps, order.state));
    if (secret && isInOrderCookie(cookie, id, secret)) own.push(id);
  }
  return own;
}

/**
 * Takes the stock of an order for a payment that has arrived, before the order records that it is
 * paid, so that no piece is sold twice. If one product is sold out, the stock taken for the others
 * is returned with the refund of the payment. 'unsure': every try had a write conflict; ask again.
 */
export async function takeStock(
  deps: Deps,
  { transactionId, lines }: PlacedOrder,
  providerId: string,
): Promise<'taken' | 'sold-out' | 'unsure'> {
  for (const { productId, quantity } of lines) {
    const known = await deps.load(product, productId);
    if (stockOf(known.state) === null) continue;
    // The revision makes the id unique: a payment that succeeds again takes stock again.
    const fact = factCommandId(
      'TakeStock',
      transactionId,
      providerId,
      productId,
      `${known.revision}`,
    );
    const handled = await deps.handle(
      product,
      productId,
      { type: 'TakeStock', transactionId, providerId, quantity, at: nowOf(deps) },
      factContext(fact, BUYER),
      known,
    );
    if (handled.ok) continue;
    return !handled.conflict && isSoldOut(handled.refusal) ? 'sold-out' : 'unsure';
  }
  return 'taken';
}
