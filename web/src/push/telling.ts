import { isSubscribed, subscribe, unsubscribe } from '../api/push.js';
import { isAllowed } from './allowed.js';
import { subscribeHere, subscriptionHere } from './device.js';

/** What came of asking to be told. later: the question was closed without an answer. */
export type Telling = 'on' | 'later' | 'blocked';

/** A logout does not wait longer than this for the market to forget the device, in ms. */
const FORGET_WITHIN_MS = 3_000;

/** What the market needs to reach this browser. @throws Error when the browser does not say it */
function subscribing(subscription: PushSubscription, sellerId: string) {
  const { endpoint, expirationTime = null, keys } = subscription.toJSON();
  const { p256dh, auth } = keys ?? {};
  if (endpoint === undefined || p256dh === undefined || auth === undefined)
    throw new Error('the browser gave no whole subscription');
  return { newSubscription: { endpoint, expirationTime, keys: { p256dh, auth } }, sellerId };
}

/** Whether this device is told of the seller's orders. @throws ApiError */
export async function isToldHere(sellerId: string): Promise<boolean> {
  const subscription = isAllowed() ? await subscriptionHere() : null;
  return subscription !== null && isSubscribed(subscribing(subscription, sellerId));
}

/**
 * Asks the person, in answer to a press only, and makes this browser known to the market when it is new there.
 * @throws DOMException by the browser's push service, ApiError by the market
 */
export async function tellHere(sellerId: string, publicKey: string): Promise<Telling> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'later';
  const body = subscribing(await subscribeHere(publicKey), sellerId);
  if (!(await isSubscribed(body))) await subscribe(body);
  return 'on';
}

/**
 * Ends it, here first: a market that could not be told finds the device gone at its next message.
 * @throws ApiError
 */
export async function stopTellingHere(sellerId: string): Promise<void> {
  const subscription = await subscriptionHere();
  if (subscription === null) return;
  await subscription.unsubscribe();
  const signal = AbortSignal.timeout(FORGET_WITHIN_MS);
  await unsubscribe({ endpoint: subscription.endpoint, sellerId }, signal);
}
