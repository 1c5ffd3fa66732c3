import { limits } from '@oja/domain/rules';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from './client.js';
import { readAgain } from './query-client.js';
import type { Answer, Body, OwnProduct } from './types.js';

export type OwnGoodsAnswer = Answer<'userProducts'>;

/** Which of their own goods a seller looks for. */
export interface OwnWanted {
  /** Words of the goods' names. */
  readonly find: string;
  readonly status: OwnProduct['status'] | undefined;
}

/** The signed-in seller's own goods, the unavailable ones too; newest first, 24 a page. */
export function ownGoodsQuery({ find, status }: OwnWanted) {
  return infiniteQueryOptions({
    queryKey: ['own-products', { find, status }],
    queryFn: ({ signal, pageParam }) =>
      call('userProducts', {
        signal,
        query: {
          limit: limits.page.size,
          status,
          ...(find !== '' && { find }),
          ...(pageParam !== null && { cursor: pageParam }),
        },
      }),
    initialPageParam: firstPage,
    getNextPageParam: (last: OwnGoodsAnswer) => last.nextCursor,
    placeholderData: keepPreviousData,
  });
}

const firstPage: string | null = null;

/** One's own product with the figure one typed; null when it is somebody else's. */
export function ownProductQuery(productId: string) {
  return queryOptions({
    queryKey: ['own-product', productId],
    queryFn: async ({ signal }): Promise<OwnProduct | null> => {
      const { result } = await call('getProduct', { params: { id: productId }, signal });
      return 'seller_price' in result ? result : null;
    },
  });
}

/** What is held for the seller, payable and paid out. */
export const earningsQuery = queryOptions({
  queryKey: ['earnings'],
  queryFn: async ({ signal }) => {
    const { result } = await call('userEarnings', { signal });
    return result;
  },
});

/** @param key one for each content: the same again when the same is tried again. @throws ApiError */
export async function addProduct(body: Body<'addProduct'>, key: string): Promise<string> {
  const { productId } = await call('addProduct', { body, key });
  return productId;
}

/** Sends the chosen fields only. @returns the server's words. @throws ApiError */
export async function updateProduct(
  productId: string,
  body: Body<'updateProduct'>,
): Promise<string> {
  const { message } = await call('updateProduct', { params: { productID: productId }, body });
  return message;
}

/** Puts a product on sale, or takes it off. @returns the server's words. @throws ApiError */
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

/** Whether the product is in a paid transaction that is not closed. @throws ApiError */
export async function isInTransaction(productId: string): Promise<boolean> {
  const { exist } = await call('checkCartItems', { params: { id: productId } });
  return exist;
}

/** @returns the server's words. @throws ApiError */
export async function removeProduct(productId: string): Promise<string> {
  const { message } = await call('removeProduct', { params: { id: productId } });
  return message;
}

/** After a change of goods: every list and page that may show them is read again. */
export async function reloadGoods(): Promise<void> {
  await readAgain(['own-products'], ['own-product'], ['products'], ['product'], ['timeline']);
}
