import { pagePaths } from '@oja/contracts/pages';
import { useNavigate } from 'react-router-dom';
import { call } from '../api/client.js';
import { isAllowed } from '../push/allowed.js';
import { currentUser, signOut } from '../stores/session.js';
import { toast } from '../ui/toast.js';

/** What was ordered is told to whoever holds the device: only while its seller is signed in. */
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

/** Ends the session here and on the server. A failure is only logged: the server ends the session by itself in time. */
export function useLogout(): () => void {
  const navigate = useNavigate();
  return () => {
    void forgetDevice()
      .then(() => call('logout'))
      .then(() => toast.success('logged out!'))
      .catch(console.error)
      .then(() => {
        // A guarded page leads home by itself once its person has left; so does every other page.
        signOut('left');
        return navigate(pagePaths.home);
      });
  };
}
