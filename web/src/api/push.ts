import { send } from './client.js';
import type { Answer, Body } from './types.js';

type Subscribing = Body<'addSubscription'>;

/** Whether the market knows this browser already. @throws ApiError */
export async function isSubscribed(body: Subscribing): Promise<boolean> {
  const path = '/subscription/check-subscription';
  return (await send<Answer<'checkSubscription'>>('POST', path, { body })).exists;
}

/** @throws ApiError */
export async function unsubscribe(
  body: Body<'removeSubscription'>,
  signal: AbortSignal,
): Promise<void> {
  await send<Answer<'removeSubscription'>>('DELETE', '/subscription', { body, signal });
}

/** @throws ApiError */
export async function subscribe(body: Subscribing): Promise<void> {
  await send<Answer<'addSubscription'>>('POST', '/subscription', { body });
}
