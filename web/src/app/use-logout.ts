import { pagePaths } from '@oja/contracts/pages';
import { useNavigate } from 'react-router-dom';
import { call } from '../api/client.js';
import { isAllowed } from '../push/allowed.js';
import { currentUser, signOut } from '../stores/session.js';
import { toast } from '../ui/toast.js';

/** Stops push messages on this device: they tell what was ordered, and whoever holds the device could read them. */
async function forgetDevice(): Promise<void> {
  const user = currentUser();
  if (user === null || !isAllowed()) return;
  try {
    const { stopTellingHere } = await import('../push/subscription.js');
    await stopTellingHere(user.user_id);
  } catch (error) {
    console.error(error);
  }
}

/** Ends the session here and on the server. A failure is only logged: the server's session expires by itself. */
export function useLogout(): () => void {
  const navigate = useNavigate();
  return () => {
    void forgetDevice()
      .then(() => call('logout'))
      .then(() => toast.success('logged out!'))
      .catch(console.error)
      .then(() => {
        // A guarded page redirects home by itself after this; every other page needs the navigation.
        signOut('left');
        return navigate(pagePaths.home);
      });
  };
}
