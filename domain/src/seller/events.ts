import { z } from 'zod';
import type { EventOf } from '../decider.js';
import { id } from '../fields.js';
import { sealed } from '../sealed.js';

/** Personal name and phone are sealed under `seller:<id>`; the business name is public. */
export const sellerEvents = {
  SellerRegistered: z.object({
    sellerId: id,
    businessName: z.string().min(1),
    name: sealed,
    phone: sealed,
  }),
  SellerProfileUpdated: z.object({
    sellerId: id,
    businessName: z.string().min(1),
    name: sealed,
    phone: sealed,
  }),
  SellerSuspended: z.object({ sellerId: id, by: id }),
  SellerReinstated: z.object({ sellerId: id, by: id }),
  SubAdminGranted: z.object({ sellerId: id, by: id }),
  SubAdminRevoked: z.object({ sellerId: id, by: id }),
  HeadAdminGranted: z.object({ sellerId: id, by: id }),
  HeadAdminRevoked: z.object({ sellerId: id, by: id }),
  PayoutAccountSet: z.object({
    sellerId: id,
    accountName: sealed,
    accountNumber: sealed,
    bankCode: sealed,
  }),
};
export type SellerEvent = EventOf<typeof sellerEvents>;
