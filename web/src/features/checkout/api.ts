import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.js';
import type { Answer, Body } from '../../api/types.js';

/** An order as the payment form sends it. */
export type Checkout = Body<'initializeTransaction'>;
type Problem = Body<'reportProblem'>;

/**
 * Places the order and returns the address of the payment page.
 * @param key idempotency key: the same whenever the same order is sent again
 * @throws ApiError
 */
export function placeOrder(order: Checkout, key: string): Promise<Answer<'initializeTransaction'>> {
  // A seller may buy too, and be signed in or out between two presses: it stays one order.
  return call('initializeTransaction', { body: order, key, anonymous: true });
}

/** Whether the payment with this reference has arrived. Fetched once per visit, because the page acts on the answer. */
export function verifyQuery(reference: string) {
  return queryOptions({
    queryKey: ['payments', reference],
    queryFn: ({ signal }) => call('verifyTransaction', { params: { reference }, signal }),
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** An order, for anybody who holds its key. */
export function orderQuery(orderKey: string) {
  return queryOptions({
    queryKey: ['orders', orderKey],
    queryFn: async ({ signal }) => (await call('getOrder', { params: { orderKey }, signal })).order,
    staleTime: 0,
  });
}

/** Sends the receipt again, to the e-mail address of the order. @throws ApiError */
export function sendReceipt(orderKey: string, key: string): Promise<unknown> {
  return call('sendReceipt', { params: { orderKey }, key, anonymous: true });
}

/** Answers Yes: the money goes to the sellers. @throws ApiError */
export function confirmDelivery(orderKey: string, key: string): Promise<unknown> {
  return call('confirmDelivery', { params: { transactionId: orderKey }, body: {}, key });
}

/** Answers No: nothing has arrived yet. @throws ApiError */
export function reportNotReceived(orderKey: string, key: string): Promise<unknown> {
  return call('reportNotReceived', { params: { orderKey }, key });
}

/**
 * Reports a problem with the goods of the named sellers; their money stays held.
 * @param key idempotency key: the same whenever the same report is sent again
 * @throws ApiError
 */
export function reportProblem(
  orderKey: string,
  problem: Problem,
  key: string,
): Promise<Answer<'reportProblem'>> {
  return call('reportProblem', { params: { orderKey }, body: problem, key });
}
