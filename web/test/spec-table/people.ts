import type { Profile, UserDetails } from '@oja/contracts';
import { aSeller } from '../sellers.js';

export type Role = 'seller' | 'admin' | 'sub-admin';

const roles: Readonly<Record<Role, Partial<UserDetails>>> = {
  seller: {},
  admin: { user_id: 'a1', businessName: 'Head Office', name: 'Amaka Nwosu', is_admin: 1 },
  'sub-admin': { user_id: 'a2', businessName: 'Second Office', name: 'Bola Ade', is_subAdmin: 1 },
};

/** The person of this role as login returns them. */
export const personOf = (role: Role): UserDetails => aSeller(roles[role]);

const profileOf = (user: UserDetails, phone_1: string): Profile => ({
  ...user,
  userId: user.user_id,
  phone_1,
  created_at: '2023-03-01T09:00:00.000Z',
});

export const ifeanyi = profileOf(personOf('seller'), '08065512904');
export const musa = profileOf(
  aSeller({ user_id: 's1', name: 'Musa Danladi', businessName: 'Musa & Sons Watches' }),
  '08023456789',
);
export const suspended = profileOf(
  aSeller({ user_id: 's9', name: 'Kemi Ojo', businessName: 'Kemi Fabrics', is_suspended: 1 }),
  '08098765432',
);
export const headAdmin = profileOf(personOf('admin'), '08011112222');
export const subAdmin = profileOf(personOf('sub-admin'), '08033334444');
export const everybody = [ifeanyi, musa, suspended, headAdmin, subAdmin];
