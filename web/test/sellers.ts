import type { UserDetails } from '../src/api/types.js';

/** A signed-in seller as login returns them. */
export function aSeller(change: Partial<UserDetails> = {}): UserDetails {
  return {
    user_id: 's7',
    name: 'Ifeanyi Eze',
    businessName: 'Coal City Footwear',
    is_admin: 0,
    is_subAdmin: 0,
    is_suspended: 0,
    ...change,
  };
}
