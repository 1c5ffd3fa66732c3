import {
  freeOf,
  holdersOf,
  isSoldOut,
  type OrderLine,
  type PlacedOrder,
  type ProductState,
  product,
} from '@oja/domain';
import type { Loaded } from '@oja/platform';
import type { Deps } from '../deps.js';
import { BUYER, factId, following, hasPlaced, loadOrder, nowOf, openSecret } from './order.js';

/** Goods of which there are fewer than somebody wants. */
export interface ShortGoods {
  readonly product_id: string;
  readonly prod_name: string;
  /** How many they can have now. */
  readonly left: number;
  /** Others are on the payment page with the rest: some may become free. */
  readonly isHeldByOthers: boolean;
}

interface Wanted {
  readonly transactionId: string;
  readonly lines: readonly OrderLine[];
  /** The products as they were just read, by id. */
  readonly products: ReadonlyMap<string, Loaded<ProductState>>;
  /** What the browser has kept of its earlier orders. */
  readonly cookie: string | undefined;
}

/** How often a hold is tried again where many want the same product at the same moment. */
const MOST_CONFLICTS = 5;

const stockOf = (state: ProductState) => (state.status === 'none' ? null : state.stock);

/**
 * Holds what is counted of an order until its buyer has had time to pay; or says what is short, and holds nothing.
 * What the same browser holds for an earlier order passes to this one: whoever comes back from the payment page to
 * change the cart must not stand in their own way.
 */
export async function holdGoods(deps: Deps, wanted: Wanted): Promise<readonly ShortGoods[]> {
  const { transactionId, lines, products, cookie } = wanted;
  const at = nowOf(deps);
  const short: ShortGoods[] = [];
  const holds: { line: OrderLine; insteadOf: readonly string[] }[] = [];
  for (const line of lines) {
    const stock = stockOf(products.get(line.productId)?.state ?? product.initial);
    if (stock === null) continue;
    const isScarce = freeOf(stock, at, [transactionId]) < line.quantity;
    const insteadOf = isScarce ? await ownAmong(deps, holdersOf(stock, at), cookie) : [];
    const left = freeOf(stock, at, [transactionId, ...insteadOf]);
    if (left >= line.quantity) holds.push({ line, insteadOf });
    else short.push(shortOf(line, left, stock.left));
  }
  if (short.length > 0) return short;

  for (const [index, { line, insteadOf }] of holds.entries()) {
    const { productId, quantity } = line;
    const what = { type: 'HoldStock', transactionId, quantity, insteadOf, at } as const;
    const context = following(factId('HoldStock', transactionId, productId, at), BUYER);
    let handled = await deps.handle(product, productId, what, context, products.get(productId));
    for (let tries = 0; !handled.ok && handled.conflict && tries < MOST_CONFLICTS; tries += 1)
      handled = await deps.handle(product, productId, what, context);
    if (handled.ok) continue;
    // Somebody was quicker: what was held so far is for others again.
    for (const { line } of holds.slice(0, index))
      await endHold(deps, transactionId, line.productId);
    const stock = stockOf((await deps.load(product, productId)).state);
    return [shortOf(line, stock === null ? 0 : freeOf(stock, at), stock?.left ?? 0)];
  }
  return [];
}

const shortOf = (line: OrderLine, free: number, left: number): ShortGoods => ({
  product_id: line.productId,
  prod_name: line.name,
  left: free,
  isHeldByOthers: left > free,
});

/** A hold that is not ended here ends by its time. */
async function endHold(deps: Deps, transactionId: string, productId: string): Promise<void> {
  const at = nowOf(deps);
  const context = following(factId('EndStockHold', transactionId, productId, at), BUYER);
  await deps.handle(product, productId, { type: 'EndStockHold', transactionId, at }, context);
}

/** Those of the orders that this browser has placed itself. */
async function ownAmong(
  deps: Deps,
  transactionIds: readonly string[],
  cookie: string | undefined,
): Promise<readonly string[]> {
  const own: string[] = [];
  for (const id of transactionIds) {
    if (!cookie?.includes(id)) continue;
    const order = await loadOrder(deps, id);
    const secret = order && (await openSecret(deps, order.state));
    if (secret && hasPlaced(cookie, id, secret)) own.push(id);
  }
  return own;
}

/**
 * Takes the counted goods of an order for a payment that has come, before the order says that it is paid: so none
 * is sold twice, whoever else is being paid for at this moment. What was taken of an order that is short of other
 * goods comes back with the payment. 'unsure': others wrote in every try; ask again.
 */
export async function takeGoods(
  deps: Deps,
  { transactionId, lines }: PlacedOrder,
  providerId: string,
): Promise<'taken' | 'sold-out' | 'unsure'> {
  for (const { productId, quantity } of lines) {
    const known = await deps.load(product, productId);
    if (stockOf(known.state) === null) continue;
    // A payment that went back and has come again takes again.
    const fact = factId('TakeStock', transactionId, providerId, productId, `${known.revision}`);
    const handled = await deps.handle(
      product,
      productId,
      { type: 'TakeStock', transactionId, providerId, quantity, at: nowOf(deps) },
      following(fact, BUYER),
      known,
    );
    if (handled.ok) continue;
    return !handled.conflict && isSoldOut(handled.refusal) ? 'sold-out' : 'unsure';
  }
  return 'taken';
}
