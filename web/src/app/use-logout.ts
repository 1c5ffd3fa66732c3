import { pagePaths } from '@oja/contracts/pages';
import { isAllowed } from '../push/allowed.js';
import {
  currentUser,
  endSession,
  LOGOUT_WITHIN_MS,
  noteLogout,
  signOut,
} from '../stores/session.js';
import { focusHeadingIfLost } from '../ui/focus.js';
import { toast } from '../ui/toast.js';
import { useRouter } from './address.js';
import { useLead } from './own-navigation.js';

/** Stops push messages on this device: they tell what was ordered, and whoever holds the device could read them. */
async function forgetDevice(): Promise<void> {
  const user = currentUser();
  if (user === null || !isAllowed()) return;
  try {
    const { turnPushOff } = await import('../push/subscription.js');
    await turnPushOff(user.user_id);
  } catch (error) {
    console.error(error);
  }
}

/** Each step of a logout may take so long before the session ends here without it. */
const soon = (work: Promise<unknown>) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, LOGOUT_WITHIN_MS))]);

/** @throws ApiError */
async function logout(): Promise<void> {
  await endSession();
  toast.success('logged out!');
}

/** Whether a logout is under way: on a slow network the button is pressed again, and one logout is enough. */
let isLeaving = false;

/** Ends the session here and on the server. A failure is only logged: the server hears of it later. */
export function useLogout(): () => void {
  const router = useRouter();
  const lead = useLead();
  return () => {
    if (isLeaving) return;
    isLeaving = true;
    noteLogout();
    const { key } = router.state.location;
    void soon(forgetDevice())
      .then(() => soon(logout()))
      .catch(console.error)
      .then(async () => {
        isLeaving = false;
        // A guarded page redirects home by itself after this; every other page needs the navigation.
        signOut('left');
        await lead(key, pagePaths.home);
        // The menu with the button is gone, and on the home page no new page takes the focus.
        focusHeadingIfLost();
      });
  };
}
