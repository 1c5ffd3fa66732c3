import { useNavigate } from 'react-router-dom';
import { send } from '../api/client.js';
import { signOut } from '../stores/session.js';
import { toast } from '../ui/toast.js';

/** Ends the session here and on the server. A failure is only logged: the server ends the session by itself in time. */
export function useLogout(): () => void {
  const navigate = useNavigate();
  return () => {
    void send('DELETE', '/v1/logout')
      .then(() => toast.success('logged out!'))
      .catch((error: unknown) => console.error(error))
      .finally(() => {
        signOut();
        void navigate('/');
      });
  };
}
