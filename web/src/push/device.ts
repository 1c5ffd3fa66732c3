/**
 * Whether this browser can be told of things while Oja is closed. home-screen: on iPhones only once Oja stands on the
 * home screen. blocked: the person said no, and only the browser's settings can take that back.
 */
export type PushAbility = 'able' | 'home-screen' | 'blocked' | 'unsupported';

/** A worker that is not at work by then is not coming, in ms. */
const WORKER_WITHIN_MS = 10_000;

export function pushAbility(): PushAbility {
  const known = 'serviceWorker' in navigator && 'Notification' in globalThis;
  if (!known || !('PushManager' in globalThis)) {
    const onIphone = 'standalone' in navigator && navigator.standalone !== true;
    return onIphone ? 'home-screen' : 'unsupported';
  }
  return Notification.permission === 'denied' ? 'blocked' : 'able';
}

/** The browser's subscription, if it has one. */
export async function subscriptionHere(): Promise<PushSubscription | null> {
  if (!('serviceWorker' in navigator)) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager?.getSubscription()) ?? null;
}

/** However a session ended: messages were for whoever was signed in. */
export async function endSubscription(): Promise<void> {
  await (await subscriptionHere())?.unsubscribe();
}

/**
 * Subscribes at the browser's push service.
 * @param publicKey the market's application key, base64url
 * @throws DOMException when the push service cannot be reached, or no worker is at work
 */
export async function subscribeHere(publicKey: string): Promise<PushSubscription> {
  const { pushManager } = await worker();
  const wanted = { userVisibleOnly: true, applicationServerKey: publicKey };
  try {
    return await pushManager.subscribe(wanted);
  } catch (error) {
    const old = await pushManager.getSubscription();
    // One made for another key, as after the market's keys were changed, stands in the way.
    if (old === null || !isInvalidState(error)) throw error;
    await old.unsubscribe();
    return pushManager.subscribe(wanted);
  }
}

const isInvalidState = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'InvalidStateError';

function worker(): Promise<ServiceWorkerRegistration> {
  const late = new Promise<never>((_resolve, reject) => {
    const reason = new DOMException('No service worker is at work', 'TimeoutError');
    setTimeout(() => reject(reason), WORKER_WITHIN_MS);
  });
  return Promise.race([navigator.serviceWorker.ready, late]);
}
