import { useQuery } from '@tanstack/react-query';
import { payoutAccountQuery } from '../../api/profile.js';
import { useIsSuspended } from '../../stores/session.js';

/**
 * Whether a seller is to say where their money goes: nobody knows, and their store, of which nothing can be changed
 * while it is suspended, is not. `enabled`: there is a reason to ask.
 */
export function useBankWanted(enabled = true): boolean {
  const suspended = useIsSuspended();
  const { data: account } = useQuery({ ...payoutAccountQuery, enabled });
  return !suspended && account === null;
}
