import { queryOptions } from '@tanstack/react-query';
import { invalidate, queryClient } from '../api/query-client.js';
import { settingsQuery } from '../api/settings.js';
import { safeLocalStorage } from '../stores/safe-storage.js';
import { isPushAllowed } from './allowed.js';
import { endSubscription, getSubscription, isPushOn, registerPush } from './subscription.js';

/** Key in localStorage: the id of the seller who turned the messages on in this browser. It outlives their session. */
const WANTED_BY_KEY = 'oja-pushes';

export const rememberPushWanted = (sellerId: string): void =>
  void safeLocalStorage.setItem(WANTED_BY_KEY, sellerId);

export const forgetPushWanted = (): void => safeLocalStorage.removeItem(WANTED_BY_KEY);

/** Whether this device receives the seller's notices, as far as this page knows. */
export const subscribedQuery = (sellerId: string) =>
  queryOptions({
    queryKey: ['push', sellerId],
    queryFn: () => isPushOn(sellerId),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Whether the market can send to this subscription: push services refuse what another key has signed. */
function isSignedWith(subscription: PushSubscription, publicKey: string): boolean {
  const key = subscription.options?.applicationServerKey;
  // Some browsers do not say.
  if (!key) return true;
  const text = btoa(String.fromCharCode(...new Uint8Array(key)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') === publicKey;
}

/**
 * Subscribes this browser again for the seller who turned the messages on here. The end of each session removes the
 * subscription, and after a new login nobody would notice that the messages no longer come; nor after the market's keys
 * were replaced, or after a new password, which ends them for all devices. Nothing is asked, and nothing is done for
 * another seller.
 * @throws DOMException from the browser's push service, ApiError from the market
 */
export async function resumePush(sellerId: string): Promise<void> {
  if (safeLocalStorage.getItem(WANTED_BY_KEY) !== sellerId || !isPushAllowed()) return;
  const [existing, { pushPublicKey }] = await Promise.all([
    getSubscription(),
    queryClient.ensureQueryData(settingsQuery),
  ]);
  if (pushPublicKey === null) return;
  if (existing !== null && isSignedWith(existing, pushPublicKey) && (await isPushOn(sellerId)))
    return;
  try {
    await registerPush(sellerId, pushPublicKey);
  } catch (error) {
    // The market does not know it, as when the session ended meanwhile. The next time begins anew.
    await endSubscription();
    throw error;
  }
  await invalidate(subscribedQuery(sellerId).queryKey);
}
