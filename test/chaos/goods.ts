import type { Goods } from './buyer.js';
import { Caller, field } from './caller.js';

/** Naira. Nine of such a product are still an allowed order. */
const DEAREST = 1_000_000;

/** Products for sale, once at least `wanted` are listed; those dearer than the limit are left out. */
export async function goodsOf(
  origin: string,
  wanted: number,
): Promise<readonly (Goods & { readonly businessName: string })[]> {
  const shopper = new Caller(origin);
  for (;;) {
    const path = '/v1/products/search?limit=60';
    const listed = field((await shopper.persist({ method: 'GET', path })).body, 'result');
    if (Array.isArray(listed) && listed.length >= wanted)
      return listed
        .map((one: unknown) => ({
          product_id: String(field(one, 'product_id')),
          user_id: String(field(one, 'user_id')),
          price: Number(field(one, 'price')),
          businessName: String(field(one, 'businessName')),
        }))
        .filter(({ price }) => price <= DEAREST);
  }
}
