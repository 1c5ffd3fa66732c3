import { onlineManager } from '@tanstack/react-query';
import { create } from 'zustand';
import { accessToken, call, onSessionEnded, refreshToken, setAccessToken } from '../api/client.js';
import { ApiError } from '../api/error.js';
import { queryClient } from '../api/query-client.js';
import type { UserDetails } from '../api/types.js';
import { isPushAllowed } from '../push/allowed.js';
import { changeAuthStorage, useAuthStorage } from './persistent-store.js';
import { safeLocalStorage } from './safe-storage.js';

/**
 * anonymous: nobody is signed in. restoring: storage names a user, and a token is being requested with the
 * cookie. signed-in: there is a token. away: storage names a user, but no answer came; what needs no token
 * still works. left: Log out was pressed in this tab.
 */
type SessionPhase = 'anonymous' | 'restoring' | 'signed-in' | 'away' | 'left';

const usePhase = create<{ readonly phase: SessionPhase }>(() => ({ phase: 'anonymous' }));

export const useUser = () => useAuthStorage((kept) => kept.user);
/** A suspended seller can read everything and change nothing. */
export const useIsSuspended = () => useAuthStorage((kept) => kept.user?.is_suspended === 1);
export const useSessionPhase = () => usePhase((state) => state.phase);
/** The user, for code outside of React. */
export const currentUser = () => useAuthStorage.getState().user;

/** Takes over the answer of login or register. What was loaded for another user is forgotten first. */
export function signIn(user: UserDetails, token: string): void {
  if ((currentUser()?.user_id ?? user.user_id) !== user.user_id) signOut();
  safeLocalStorage.removeItem(PENDING_LOGOUT_KEY);
  logoutRequest?.abort();
  setAccessToken(token);
  changeAuthStorage(() => ({ user }));
  usePhase.setState({ phase: 'signed-in' });
}

/** Forgets the user, their loaded data, and the product of Single order. The cart needs no account and stays. */
export function signOut(phase: 'anonymous' | 'left' = 'anonymous'): void {
  clearLoadedData();
  usePhase.setState({ phase });
  changeAuthStorage(() => ({ user: null, singleProductId: null }));
  void deleteUserCaches();
  endPushSubscription().catch(console.error);
}

/**
 * Without a token nothing was loaded for one person alone, and a page that anybody may read goes on being read:
 * on load it may still be being hydrated when the stored session turns out to be over.
 */
function clearLoadedData(): void {
  if (accessToken() !== undefined) queryClient.clear();
  setAccessToken(undefined);
}

/** The push code is loaded only when notifications are allowed. */
async function endPushSubscription(): Promise<void> {
  if (!isPushAllowed()) return;
  const { endSubscription } = await import('../push/subscription.js');
  await endSubscription();
}

/** Deletes the caches of what this user saw. The app shell, the same for everybody, has other cache names. */
async function deleteUserCaches(): Promise<void> {
  if (!('caches' in globalThis)) return;
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith('oja-')).map((name) => caches.delete(name)),
  );
}

/** Key in localStorage: a logout of this browser that the market may not have heard of. */
const PENDING_LOGOUT_KEY = 'oja-logout';
/** How long the market may take over a logout, in ms. After that nothing more is sent: it could end the next session. */
export const LOGOUT_TIMEOUT_MS = 3_000;

/** The logout that is under way. Its answer would take the cookie of whoever logs in meanwhile. */
let logoutRequest: AbortController | undefined;

/** Remembers that Log out was pressed, for the next load, if the page is closed before it is done. */
export const recordPendingLogout = (): unknown =>
  safeLocalStorage.setItem(PENDING_LOGOUT_KEY, 'true');

/**
 * Ends the session at the market. Where the market cannot be reached, it hears of it later: nobody is logged in on the
 * screen any more, and the cookie would outlive the page by weeks, on a phone that others use too.
 * @throws ApiError
 */
export async function endSession(): Promise<void> {
  recordPendingLogout();
  const mine = new AbortController();
  logoutRequest = mine;
  const late = setTimeout(() => mine.abort(), LOGOUT_TIMEOUT_MS);
  try {
    await call('logout', { signal: mine.signal });
  } catch (error) {
    // There is no such session any more.
    if (error instanceof ApiError && error.status === 401)
      safeLocalStorage.removeItem(PENDING_LOGOUT_KEY);
    throw error;
  } finally {
    clearTimeout(late);
  }
  safeLocalStorage.removeItem(PENDING_LOGOUT_KEY);
}

/** On load: requests a token with the cookie if storage names a user, or else ends a session that was left. */
export async function restoreSession(): Promise<void> {
  if (safeLocalStorage.getItem(PENDING_LOGOUT_KEY) !== null) {
    if (currentUser() !== null) signOut();
    await endSession().catch(console.error);
  }
  if (currentUser() === null) return;
  usePhase.setState({ phase: 'restoring' });
  const fresh = await refreshToken(accessToken());
  if (currentUser() !== null) usePhase.setState({ phase: fresh ? 'signed-in' : 'away' });
}

onSessionEnded(() => signOut());

/** What could not be restored or ended is tried again when the network is back. */
onlineManager.subscribe((isOnline) => {
  const isOpen = usePhase.getState().phase === 'away' || currentUser() === null;
  if (isOnline && isOpen) void restoreSession();
});

/** When another tab signs out or in, this tab follows. */
useAuthStorage.subscribe((now, before) => {
  if (now.user?.user_id === before.user?.user_id) return;
  const { phase } = usePhase.getState();
  if (now.user === null && phase !== 'anonymous' && phase !== 'left') signOut();
  // A frozen tab may see two users in a row, without the logout between them.
  if (now.user !== null && before.user !== null) clearLoadedData();
  if (now.user !== null && accessToken() === undefined) void restoreSession();
});
