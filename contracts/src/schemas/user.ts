import { z } from 'zod';
import { flag, id, instant, personal } from './common.js';

/** The signed-in person as login, register and single-user answer it. */
export const userDetails = z.object({
  user_id: id,
  name: personal,
  businessName: z.string(),
  is_admin: flag,
  is_subAdmin: flag,
  is_suspended: flag,
});
export type UserDetails = z.infer<typeof userDetails>;

/** With what the profile shows. */
export const profile = userDetails.extend({ userId: id, phone_1: personal, created_at: instant });
export type Profile = z.infer<typeof profile>;
