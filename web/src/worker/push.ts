import { REFRESH_LOCK } from '@oja/contracts/wire';
import { endpointOf } from '../api/call-address.js';
import { noticeText } from '../push/message.js';

/** The text of a push message, also of one that is empty or no JSON. */
export function pushText(data: { json(): unknown } | null): string {
  try {
    return noticeText(data?.json());
  } catch {
    return noticeText(null);
  }
}

/** The event's subscriptions: the browser's push service has ended the old one, and may have given a new one. */
export interface SubscriptionChange {
  readonly oldSubscription: PushSubscription | null;
  readonly newSubscription: PushSubscription | null;
}

/**
 * Tells the market the new push subscription of this device, for the seller who is signed in. The worker has
 * no token; it gets one with the cookie, taking turns with the tabs. If nobody is signed in, the new
 * subscription is removed.
 * @throws Error when a call fails, other than the one that removes the old subscription
 */
export async function renewPush(
  { pushManager }: ServiceWorkerRegistration,
  { oldSubscription, newSubscription }: SubscriptionChange,
): Promise<void> {
  const token = await navigator.locks.request(REFRESH_LOCK, fetchToken);
  if (token === undefined) {
    await newSubscription?.unsubscribe();
    return;
  }
  const sellerId = await fetchSellerId(token);
  if (oldSubscription !== null) {
    const old = { endpoint: oldSubscription.endpoint, sellerId };
    // The market removes an address that is gone at the next push; a new one it cannot know by itself.
    await callApi(token, endpointOf('removeSubscription'), old).catch(console.error);
  }
  const subscription = newSubscription ?? (await subscribe(pushManager));
  const { endpoint, expirationTime = null, keys } = subscription.toJSON();
  await callApi(token, endpointOf('addSubscription'), {
    newSubscription: { endpoint, expirationTime, keys },
    sellerId,
  });
}

async function subscribe(pushManager: PushManager): Promise<PushSubscription> {
  const [, path] = endpointOf('getSettings');
  const { pushPublicKey } = await readJson(await fetch(path));
  if (typeof pushPublicKey !== 'string') throw new Error('the market sends no pushes');
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushPublicKey });
}

/** An access token; undefined when the session is over. */
async function fetchToken(): Promise<string | undefined> {
  const [, path] = endpointOf('refreshToken');
  const answer = await fetch(path, { credentials: 'same-origin' });
  if (answer.status === 401) return undefined;
  const { accessToken } = await readJson(answer);
  return typeof accessToken === 'string' ? accessToken : undefined;
}

async function fetchSellerId(token: string): Promise<unknown> {
  const { result } = await callApi(token, endpointOf('singleUser'));
  const [user]: unknown[] = Array.isArray(result) ? result : [];
  if (typeof user !== 'object' || user === null || !('user_id' in user))
    throw new Error('the market did not say who is signed in');
  return user.user_id;
}

async function callApi(
  token: string,
  [method, path]: ReturnType<typeof endpointOf>,
  body?: unknown,
) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return readJson(
    await fetch(path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
}

async function readJson(answer: Response): Promise<Readonly<Record<string, unknown>>> {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`);
  const body: unknown = await answer.json();
  return typeof body === 'object' && body !== null ? Object.fromEntries(Object.entries(body)) : {};
}
