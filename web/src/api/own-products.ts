import { queryOptions } from '@tanstack/react-query';
import { get, send } from './client.js';
import { queryClient } from './query-client.js';
import type { Answer, Body, OwnProduct } from './types.js';

/** The signed-in seller's own goods, the unavailable ones too. */
export const ownProductsQuery = queryOptions({
  queryKey: ['own-products'],
  queryFn: async ({ signal }) => {
    const { userDetails } = await get<Answer<'userProducts'>>('/v1/user/products', { signal });
    return userDetails;
  },
});

/** One's own product with the figure one typed; null when it is somebody else's. */
export function ownProductQuery(productId: string) {
  return queryOptions({
    queryKey: ['own-product', productId],
    queryFn: async ({ signal }): Promise<OwnProduct | null> => {
      const { result } = await get<Answer<'getProduct'>>(`/v1/product/${encode(productId)}`, {
        signal,
      });
      return 'seller_price' in result ? result : null;
    },
  });
}

/** What is held for the seller, payable and paid out. */
export const earningsQuery = queryOptions({
  queryKey: ['earnings'],
  queryFn: async ({ signal }) => {
    const { result } = await get<Answer<'userEarnings'>>('/v1/user/earnings', { signal });
    return result;
  },
});

/** @param key one for each content: the same again when the same is tried again. @throws ApiError */
export async function addProduct(body: Body<'addProduct'>, key: string): Promise<string> {
  const { productId } = await send<Answer<'addProduct'>>('POST', '/v1/add-product', { body, key });
  return productId;
}

/** Sends the chosen fields only. @returns the server's words. @throws ApiError */
export async function updateProduct(
  productId: string,
  body: Body<'updateProduct'>,
): Promise<string> {
  const path = `/v1/product/update/${encode(productId)}`;
  const { message } = await send<Answer<'updateProduct'>>('PUT', path, { body });
  return message;
}

/** Available becomes unavailable, and back. @returns the server's words. @throws ApiError */
export async function toggleStatus(productId: string): Promise<string> {
  const path = `/v1/products/${encode(productId)}/toggle-status`;
  const { message } = await send<Answer<'toggleProductStatus'>>('PUT', path);
  return message;
}

/** Whether the product is in a paid transaction that is not closed. @throws ApiError */
export async function isInTransaction(productId: string): Promise<boolean> {
  const { exist } = await get<Answer<'checkCartItems'>>(`/v1/check-CartItems/${encode(productId)}`);
  return exist;
}

/** @returns the server's words. @throws ApiError */
export async function removeProduct(productId: string): Promise<string> {
  const path = `/v1/product/${encode(productId)}`;
  const { message } = await send<Answer<'removeProduct'>>('DELETE', path);
  return message;
}

/** After a change of goods: every list and page that may show them is read again. */
export async function reloadGoods(): Promise<void> {
  const keys = ['own-products', 'own-product', 'products', 'product', 'timeline'];
  await Promise.all(keys.map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
}

const encode = encodeURIComponent;
