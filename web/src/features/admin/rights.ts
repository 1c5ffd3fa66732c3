import { useUser } from '../../stores/session.js';

/** Head admins change things; sub-admins look, and see no button that would be refused. */
export const useIsHead = () => useUser()?.is_admin === 1;
