import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import type { UserDetails } from '../api/types.js';
import { restoreSession, useSessionPhase, useUser } from '../stores/session.js';
import { Spinner } from '../ui/Spinner.js';
import { ErrorState } from '../ui/States.js';
import { Screen } from './Screen.js';

/** Asks first who is there, with a spinner meanwhile; nobody goes to /login, which leads back here. */
export function SignedIn({ children }: { readonly children: (user: UserDetails) => ReactNode }) {
  const user = useUser();
  const phase = useSessionPhase();
  const location = useLocation();
  if (user === null) return <Navigate to="/login" replace state={{ from: location }} />;
  if (phase === 'signed-in') return children(user);
  if (phase === 'away')
    return (
      <Screen title="Not reached" className="page">
        <ErrorState onRetry={() => void restoreSession()} />
      </Screen>
    );
  return (
    <Screen title="One moment" className="page">
      <Spinner label="Checking who you are" />
    </Screen>
  );
}
