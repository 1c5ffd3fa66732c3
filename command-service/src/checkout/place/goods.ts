import { type ListedProduct, type OrderLine, product, type SellerState, seller } from '@oja/domain';
import type { Deps } from '../../deps.js';

export interface WantedItem {
  readonly product_id: string;
  readonly user_id: string;
  readonly quantity: number;
}

/** Goods that cannot be bought (any more), by their names on the wire. */
export type GoneGoods = readonly {
  readonly product_id: string;
  /** Null for what was never there. */
  readonly prod_name: string | null;
}[];

export type ResolvedGoods =
  | { readonly ok: true; readonly lines: readonly OrderLine[] }
  | { readonly ok: false; readonly gone: GoneGoods };

/**
 * The goods as their own streams and those of their sellers tell them now: what a read model shows
 * may be older than a price. `user_id` comes along from the cart; whose goods they are the stream says.
 */
export async function resolveGoods(
  { load }: Pick<Deps, 'load'>,
  items: readonly WantedItem[],
): Promise<ResolvedGoods> {
  const products = await Promise.all(
    items.map(async ({ product_id }) => (await load(product, product_id)).state),
  );
  const sellerIds = new Set(products.flatMap((p) => (p.status === 'none' ? [] : [p.sellerId])));
  const sellers = new Map<string, SellerState>();
  await Promise.all(
    [...sellerIds].map(async (id) => sellers.set(id, (await load(seller, id)).state)),
  );

  const lines: OrderLine[] = [];
  const gone: { product_id: string; prod_name: string | null }[] = [];
  for (const [index, item] of items.entries()) {
    const found = products[index];
    const listed = found === undefined || found.status === 'none' ? null : found;
    const owner = listed === null ? undefined : sellers.get(listed.sellerId);
    const line = listed && owner && lineOf(listed, owner, item.quantity);
    if (line) lines.push(line);
    else gone.push({ product_id: item.product_id, prod_name: listed?.name ?? null });
  }
  return gone.length === 0 ? { ok: true, lines } : { ok: false, gone };
}

/** Null when it cannot be bought. */
function lineOf(goods: ListedProduct, owner: SellerState, quantity: number): OrderLine | null {
  if (goods.status !== 'available') return null;
  if (owner.status === 'none' || owner.isSuspended) return null;
  return {
    productId: goods.productId,
    sellerId: goods.sellerId,
    businessName: owner.businessName,
    name: goods.name,
    image: goods.images[0] ?? '',
    subcategoryId: goods.subcategoryId,
    quantity,
    unitPrice: goods.price,
    priceKind: goods.priceKind,
  };
}

const UNNAMED = 'a product that is not there';

/** Names what is gone, for the shopper. */
export function goneText(gone: GoneGoods): string {
  const names = [...new Set(gone.map(({ prod_name }) => prod_name ?? UNNAMED))];
  return `No longer available: ${names.join(', ')}. Please take it out of the cart.`;
}
