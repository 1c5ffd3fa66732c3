import { REFRESH_LOCK } from '@oja/contracts/wire';
import { addressOf } from '../api/call-address.js';
import { messageOf } from '../push/message.js';

/** The text of a push message, also of one that is empty or no JSON. */
export function wordsOf(data: { json(): unknown } | null): string {
  try {
    return messageOf(data?.json());
  } catch {
    return messageOf(null);
  }
}

/** The event's subscriptions: the browser's push service has ended the old one, and may have given a new one. */
export interface Change {
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
  { oldSubscription, newSubscription }: Change,
): Promise<void> {
  const token = await navigator.locks.request(REFRESH_LOCK, freshToken);
  if (token === undefined) {
    await newSubscription?.unsubscribe();
    return;
  }
  const sellerId = await whoIs(token);
  if (oldSubscription !== null) {
    const old = { endpoint: oldSubscription.endpoint, sellerId };
    // The market removes an address that is gone at the next push; a new one it cannot know by itself.
    await ask(token, addressOf('removeSubscription'), old).catch(console.error);
  }
  const subscription = newSubscription ?? (await subscribed(pushManager));
  const { endpoint, expirationTime = null, keys } = subscription.toJSON();
  await ask(token, addressOf('addSubscription'), {
    newSubscription: { endpoint, expirationTime, keys },
    sellerId,
  });
}

async function subscribed(pushManager: PushManager): Promise<PushSubscription> {
  const [, path] = addressOf('getSettings');
  const { pushPublicKey } = await answerOf(await fetch(path));
  if (typeof pushPublicKey !== 'string') throw new Error('the market sends no pushes');
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushPublicKey });
}

/** An access token; undefined when the session is over. */
async function freshToken(): Promise<string | undefined> {
  const [, path] = addressOf('refreshToken');
  const answer = await fetch(path, { credentials: 'same-origin' });
  if (answer.status === 401) return undefined;
  const { accessToken } = await answerOf(answer);
  return typeof accessToken === 'string' ? accessToken : undefined;
}

async function whoIs(token: string): Promise<unknown> {
  const { result } = await ask(token, addressOf('singleUser'));
  const [user]: unknown[] = Array.isArray(result) ? result : [];
  if (typeof user !== 'object' || user === null || !('user_id' in user))
    throw new Error('the market did not say who is signed in');
  return user.user_id;
}

async function ask(token: string, [method, path]: ReturnType<typeof addressOf>, body?: unknown) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return answerOf(
    await fetch(path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
}

async function answerOf(answer: Response): Promise<Readonly<Record<string, unknown>>> {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`);
  const body: unknown = await answer.json();
  return typeof body === 'object' && body !== null ? Object.fromEntries(Object.entries(body)) : {};
}
