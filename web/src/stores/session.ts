import { create } from 'zustand';
import { accessToken, onSessionEnded, refreshToken, setAccessToken } from '../api/client.js';
import { queryClient } from '../api/query-client.js';
import type { UserDetails } from '../api/types.js';
import { isAllowed } from '../push/allowed.js';
import { keep, useKept } from './kept.js';

/**
 * anonymous: nobody. restoring: storage names somebody and the cookie is being asked. signed-in: a token is held.
 * away: somebody, but no answer came; what needs no token goes on. left: nobody, since Log out was pressed in this tab.
 */
type SessionPhase = 'anonymous' | 'restoring' | 'signed-in' | 'away' | 'left';

const usePhase = create<{ readonly phase: SessionPhase }>(() => ({ phase: 'anonymous' }));

export const useUser = () => useKept((kept) => kept.user);
/** A suspended seller looks and changes nothing. */
export const useIsSuspended = () => useKept((kept) => kept.user?.is_suspended === 1);
export const useSessionPhase = () => usePhase((state) => state.phase);
/** The person, outside React. */
export const currentUser = () => useKept.getState().user;

/** Takes over what login or register answered. */
export function signIn(user: UserDetails, token: string): void {
  setAccessToken(token);
  keep(() => ({ user }));
  usePhase.setState({ phase: 'signed-in' });
}

/** After a change of the profile. */
export function updateUser(user: UserDetails): void {
  keep(() => ({ user }));
}

/** Forgets the person, what was loaded for them, and the single product. The cart stays: it needs no account. */
export function signOut(phase: 'anonymous' | 'left' = 'anonymous'): void {
  setAccessToken(undefined);
  usePhase.setState({ phase });
  keep(() => ({ user: null, singleProductId: null }));
  queryClient.clear();
  void emptyCaches();
  endPushes().catch(console.error);
}

/** Loaded only where there can be something to end. */
async function endPushes(): Promise<void> {
  if (!isAllowed()) return;
  const { endSubscription } = await import('../push/subscription.js');
  await endSubscription();
}

/** What the service worker kept may hold what this person saw. The shell itself is everybody's. */
async function emptyCaches(): Promise<void> {
  if (!('caches' in globalThis)) return;
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith('oja-')).map((name) => caches.delete(name)),
  );
}

/** On load: asks the cookie for a token, only when storage names somebody. */
export async function restoreSession(): Promise<void> {
  if (currentUser() === null) return;
  usePhase.setState({ phase: 'restoring' });
  const fresh = await refreshToken(accessToken());
  if (currentUser() !== null) usePhase.setState({ phase: fresh ? 'signed-in' : 'away' });
}

onSessionEnded(() => signOut());

/** Another tab signed out or in: this one follows. */
useKept.subscribe((now, before) => {
  if (now.user?.user_id === before.user?.user_id) return;
  const { phase } = usePhase.getState();
  if (now.user === null && phase !== 'anonymous' && phase !== 'left') signOut();
  if (now.user !== null && accessToken() === undefined) void restoreSession();
});
