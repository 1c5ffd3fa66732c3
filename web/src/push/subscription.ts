import { call } from '../api/client.js';
import type { Body } from '../api/types.js';
import { isPushAllowed } from './allowed.js';

/**
 * Whether this browser can receive push messages while Oja is closed. home-screen: iPhones can, but only
 * after Oja was added to the home screen. blocked: the person refused, and only the browser's settings can
 * undo that.
 */
export type PushAbility = 'able' | 'home-screen' | 'blocked' | 'unsupported';

/** How long to wait for an active service worker, in ms. */
const WORKER_TIMEOUT_MS = 10_000;

export function pushAbility(): PushAbility {
  const known = 'serviceWorker' in navigator && 'Notification' in globalThis;
  if (!known || !('PushManager' in globalThis)) {
    const onIphone = 'standalone' in navigator && navigator.standalone !== true;
    return onIphone ? 'home-screen' : 'unsupported';
  }
  return Notification.permission === 'denied' ? 'blocked' : 'able';
}

/** The browser's push subscription, if it has one. */
export async function getSubscription(): Promise<PushSubscription | null> {
  if (!('serviceWorker' in navigator)) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** Removes the browser's subscription, however the session ended: messages were for the seller who was signed in. */
export async function endSubscription(): Promise<void> {
  await (await getSubscription())?.unsubscribe();
}

/**
 * Subscribes at the browser's push service.
 * @param publicKey the market's application key, base64url
 * @throws DOMException when the push service cannot be reached or no service worker is active
 */
async function subscribeBrowser(publicKey: string): Promise<PushSubscription> {
  const { pushManager } = await activeWorker();
  const wanted = { userVisibleOnly: true, applicationServerKey: publicKey };
  try {
    return await pushManager.subscribe(wanted);
  } catch (error) {
    const old = await pushManager.getSubscription();
    // A subscription for another key, as after the market's keys were changed, has to be removed first.
    const isOtherKey = error instanceof DOMException && error.name === 'InvalidStateError';
    if (old === null || !isOtherKey) throw error;
    await old.unsubscribe();
    return pushManager.subscribe(wanted);
  }
}

function activeWorker(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_resolve, reject) => {
    const reason = new DOMException('No service worker is active', 'TimeoutError');
    setTimeout(() => reject(reason), WORKER_TIMEOUT_MS);
  });
  return Promise.race([navigator.serviceWorker.ready, late]);
}

/** Outcome of the permission request. later: the dialog was closed without an answer. */
export type PushOutcome = 'on' | 'later' | 'blocked';

/** The longest a logout waits for the market to remove the device, in ms. */
const REMOVE_TIMEOUT_MS = 3_000;

/** The request body that describes this browser's subscription. @throws Error when the subscription is incomplete */
function toSubscriptionBody(
  subscription: PushSubscription,
  sellerId: string,
): Body<'addSubscription'> {
  const { endpoint, expirationTime = null, keys } = subscription.toJSON();
  const { p256dh, auth } = keys ?? {};
  if (endpoint === undefined || p256dh === undefined || auth === undefined)
    throw new Error('the browser gave no whole subscription');
  return { newSubscription: { endpoint, expirationTime, keys: { p256dh, auth } }, sellerId };
}

/** Whether this device receives the seller's notices. @throws ApiError */
export async function isPushOn(sellerId: string): Promise<boolean> {
  const subscription = isPushAllowed() ? await getSubscription() : null;
  return subscription !== null && isSubscribed(toSubscriptionBody(subscription, sellerId));
}

/**
 * Asks for permission and registers this browser with the market if it is new there. Call it only in answer
 * to a press.
 * @throws DOMException from the browser's push service, ApiError from the market
 */
export async function turnPushOn(sellerId: string, publicKey: string): Promise<PushOutcome> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? 'blocked' : 'later';
  await registerPush(sellerId, publicKey);
  return 'on';
}

/**
 * Subscribes this browser, which has the permission, and registers it with the market if it is new there.
 * @throws DOMException from the browser's push service, ApiError from the market
 */
export async function registerPush(sellerId: string, publicKey: string): Promise<void> {
  const body = toSubscriptionBody(await subscribeBrowser(publicKey), sellerId);
  if (!(await isSubscribed(body))) await call('addSubscription', { body });
}

/**
 * Ends push messages, first in the browser: if the market cannot be reached, its next push finds the device
 * gone.
 * @throws ApiError
 */
export async function turnPushOff(sellerId: string): Promise<void> {
  const subscription = await getSubscription();
  if (subscription === null) return;
  await subscription.unsubscribe();
  const signal = AbortSignal.timeout(REMOVE_TIMEOUT_MS);
  const body = { endpoint: subscription.endpoint, sellerId };
  await call('removeSubscription', { body, signal });
}

/** Whether the market knows this browser already. @throws ApiError */
async function isSubscribed(body: Body<'addSubscription'>): Promise<boolean> {
  return (await call('checkSubscription', { body })).exists;
}
