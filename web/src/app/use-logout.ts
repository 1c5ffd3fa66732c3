import { pagePaths } from '@oja/contracts/pages';
import { isPushAllowed } from '../push/allowed.js';
import { saveText, sellerFormsName } from '../stores/form-storage.js';
import {
  currentUser,
  endSession,
  LOGOUT_TIMEOUT_MS,
  recordPendingLogout,
  signOut,
} from '../stores/session.js';
import { focusHeadingIfLost } from '../ui/focus.js';
import { toast } from '../ui/toast.js';
import { useRouter } from './address.js';
import { useNavigateFrom } from './navigation.js';

/** Stops push messages on this device: they tell what was ordered, and whoever holds the device could read them. */
async function stopPushHere(): Promise<void> {
  const user = currentUser();
  if (user === null || !isPushAllowed()) return;
  try {
    const { turnPushOff } = await import('../push/subscription.js');
    await turnPushOff(user.user_id);
  } catch (error) {
    console.error(error);
  }
}

/** Each step of a logout may take so long before the session ends here without it. */
const withTimeLimit = (work: Promise<unknown>) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, LOGOUT_TIMEOUT_MS))]);

/** @throws ApiError */
async function logout(): Promise<void> {
  await endSession();
  toast.success('logged out!');
}

/** Whether a logout is under way: on a slow network the button is pressed again, and one logout is enough. */
let isLoggingOut = false;

/** Ends the session here and on the server. A failure is only logged: the server hears of it later. */
export function useLogout(): () => void {
  const router = useRouter();
  const navigateFrom = useNavigateFrom();
  return () => {
    if (isLoggingOut) return;
    isLoggingOut = true;
    recordPendingLogout();
    const user = currentUser();
    const { key } = router.state.location;
    void withTimeLimit(stopPushHere())
      .then(() => withTimeLimit(logout()))
      .catch(console.error)
      .then(async () => {
        isLoggingOut = false;
        // It is kept over a session that ends, not on a phone that somebody else may take next.
        if (user !== null) saveText(sellerFormsName(user.user_id), null);
        // A guarded page redirects home by itself after this; every other page needs the navigation.
        signOut('left');
        await navigateFrom(key, pagePaths.home);
        // The menu with the button is gone, and on the home page no new page takes the focus.
        focusHeadingIfLost();
      });
  };
}
