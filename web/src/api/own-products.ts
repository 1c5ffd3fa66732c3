import { limits } from '@oja/domain/rules';
import { cleanLine } from '@oja/domain/rules/user-input';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './client.js';
import { ApiError } from './error.js';
import { cursorPagination } from './pagination.js';
import { invalidate, queryClient } from './query-client.js';
import type { Answer, Body, OwnProduct } from './types.js';

export type OwnGoodsAnswer = Answer<'userProducts'>;

/**
 * What is looked for in a list of the seller's own, as its call takes it. Copied text may hold marks that nobody
 * sees, and an address may hold anything: the call would refuse both. Undefined for nothing.
 */
export const toSearchTerm = (text: string): string | undefined =>
  cleanLine(text).slice(0, limits.productName.max).trim() || undefined;

/** The filter of a seller's own products. */
export interface OwnGoodsFilter {
  /** Words from the product name. */
  readonly find: string;
  readonly status: OwnProduct['status'] | undefined;
}

/** The signed-in seller's own products, unavailable ones included; newest first, 24 a page. */
export function ownGoodsQuery({ find, status }: OwnGoodsFilter) {
  return infiniteQueryOptions({
    queryKey: ['own-products', { find, status }],
    queryFn: ({ signal, pageParam }) =>
      call('userProducts', {
        signal,
        query: {
          limit: limits.page.size,
          status,
          find: toSearchTerm(find),
          cursor: pageParam ?? undefined,
        },
      }),
    ...cursorPagination,
    placeholderData: keepPreviousData,
  });
}

/** The seller's own product with the price as they typed it; null when it belongs to somebody else. */
export function ownProductQuery(productId: string) {
  return queryOptions({
    queryKey: ['own-product', productId],
    queryFn: async ({ signal }): Promise<OwnProduct | null> => {
      const { result } = await call('getProduct', { params: { id: productId }, signal });
      return 'seller_price' in result ? result : null;
    },
  });
}

/** The seller's money: held, payable and paid out. */
export const earningsQuery = queryOptions({
  queryKey: ['earnings'],
  queryFn: async ({ signal }) => {
    const { result } = await call('userEarnings', { signal });
    return result;
  },
});

/** @param key idempotency key, the same for a retry with the same content @returns the product id @throws ApiError */
export async function addProduct(body: Body<'addProduct'>, key: string): Promise<string> {
  const { productId } = await call('addProduct', { body, key });
  return productId;
}

/** Sends the given fields only. @returns the server's message. @throws ApiError */
export async function updateProduct(
  productId: string,
  body: Body<'updateProduct'>,
): Promise<string> {
  const { message } = await call('updateProduct', { params: { productID: productId }, body });
  return message;
}

/**
 * The count for which the market refused an update, of an older one; null for none. Undefined for another failure.
 * The page of the product has the new count from now on.
 */
export function applyStockConflict(productId: string, error: unknown): number | null | undefined {
  if (!(error instanceof ApiError) || error.code !== 'stock_changed') return undefined;
  const stock = typeof error.body.stock === 'number' ? error.body.stock : null;
  queryClient.setQueryData(ownProductQuery(productId).queryKey, (own) => {
    if (!own) return own;
    const { stock: _, ...others } = own;
    return stock === null ? others : { ...others, stock };
  });
  return stock;
}

/** Puts a product on sale, or takes it off. @returns the server's message. @throws ApiError */
export async function toggleStatus(
  productId: string,
  status: OwnProduct['status'],
): Promise<string> {
  const { message } = await call('toggleProductStatus', {
    params: { id: productId },
    query: { status },
  });
  return message;
}

/** Whether the product is part of a paid order that is not closed yet. @throws ApiError */
export async function isInTransaction(productId: string): Promise<boolean> {
  const { exist } = await call('checkCartItems', { params: { id: productId } });
  return exist;
}

/** @returns the server's message. @throws ApiError */
export async function removeProduct(productId: string): Promise<string> {
  const { message } = await call('removeProduct', { params: { id: productId } });
  return message;
}

/** Refetches every list and page that may show products, after a change to one. */
export async function reloadGoods(): Promise<void> {
  await invalidate(['own-products'], ['own-product'], ['products'], ['product'], ['timeline']);
}
