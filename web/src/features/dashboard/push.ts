import { isSubscribed, subscribe } from '../../api/push.js';

/** Whether this browser can be told of orders while Oja is closed, and has not been asked yet. */
export function mayAskForPush(): boolean {
  return (
    'serviceWorker' in navigator &&
    'PushManager' in globalThis &&
    'Notification' in globalThis &&
    Notification.permission === 'default'
  );
}

/**
 * Asks for permission, and makes the browser's subscription known to the market when it is new there.
 * @param publicKey the market's application key, base64url
 * @returns whether notices will come
 */
export async function allowPush(sellerId: string, publicKey: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  const { pushManager } = await navigator.serviceWorker.ready;
  const subscription =
    (await pushManager.getSubscription()) ??
    (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }));
  const { endpoint, expirationTime = null, keys = {} } = subscription.toJSON();
  const { p256dh, auth } = keys;
  if (endpoint === undefined || p256dh === undefined || auth === undefined) return false;
  const body = { newSubscription: { endpoint, expirationTime, keys: { p256dh, auth } }, sellerId };
  if (!(await isSubscribed(body))) await subscribe(body);
  return true;
}
