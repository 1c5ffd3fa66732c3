import { queryOptions } from '@tanstack/react-query';
import { get, send } from './client.js';
import type { Answer, Body } from './types.js';

/** An order as the payment form sends it. */
export type Checkout = Body<'initializeTransaction'>;
export type Problem = Body<'reportProblem'>;

/**
 * Places the order and answers where to pay it.
 * @param key the same for the same order, whenever it is sent again
 * @throws ApiError
 */
export function placeOrder(order: Checkout, key: string): Promise<Answer<'initializeTransaction'>> {
  return send('POST', '/v1/transaction/initialize', { body: order, key });
}

/** Whether the payment with this reference has arrived. Asked once a visit: the answer is acted on. */
export function verifyQuery(reference: string) {
  return queryOptions({
    queryKey: ['payments', reference],
    queryFn: ({ signal }) =>
      get<Answer<'verifyTransaction'>>(`/v1/transaction/verify/${encodeURIComponent(reference)}`, {
        signal,
      }),
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** An order, for whoever holds its key. */
export function orderQuery(orderKey: string) {
  return queryOptions({
    queryKey: ['orders', orderKey],
    queryFn: async ({ signal }) =>
      (await get<Answer<'getOrder'>>(`/v1/orders/${encodeURIComponent(orderKey)}`, { signal }))
        .order,
    staleTime: 0,
  });
}

/** 'Yes': the money goes to the sellers. @throws ApiError */
export function confirmDelivery(orderKey: string, key: string): Promise<unknown> {
  return send('PUT', `/v1/buyers/transactions/${encodeURIComponent(orderKey)}`, { key });
}

/** 'No': nothing has come yet. @throws ApiError */
export function reportNotReceived(orderKey: string, key: string): Promise<unknown> {
  return send('POST', `/v1/orders/${encodeURIComponent(orderKey)}/not-received`, { key });
}

/** @throws ApiError */
export function reportProblem(
  orderKey: string,
  problem: Problem,
): Promise<Answer<'reportProblem'>> {
  return send('POST', `/v1/orders/${encodeURIComponent(orderKey)}/problem`, { body: problem });
}
