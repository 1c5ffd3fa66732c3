import { z } from 'zod';
import { actKinds } from '../models/timeline.js';
import { asFlag, flag, id, instant, naira, personal } from './common.js';
import { product } from './product.js';

/** The signed-in person, as login, register and single-user return it. */
export const userDetails = z.object({
  user_id: id,
  name: personal,
  businessName: z.string(),
  is_admin: flag,
  is_subAdmin: flag,
  is_suspended: flag,
});
export type UserDetails = z.infer<typeof userDetails>;

/** The same, with the additional fields of the profile page. */
export const profile = userDetails.extend({
  userId: id,
  phone_1: personal,
  created_at: instant,
  /** 1 if the seller was erased: present for nobody else. */
  erased: flag.optional(),
});
export type Profile = z.infer<typeof profile>;

interface SellerDetails {
  readonly sellerId: string;
  /** Null after erasure, as are all personal values. */
  readonly name: string | null;
  readonly businessName: string;
  readonly isAdmin: boolean;
  readonly isSubAdmin: boolean;
  readonly isSuspended: boolean;
}

interface SellerProfile extends SellerDetails {
  readonly phone: string | null;
  /** ISO 8601. */
  readonly registeredAt: string;
  readonly erased?: boolean;
}

/** A seller as login, registration and single-user return them. */
export const asUserDetails = (seller: SellerDetails): UserDetails => ({
  user_id: seller.sellerId,
  name: seller.name,
  businessName: seller.businessName,
  is_admin: asFlag(seller.isAdmin),
  is_subAdmin: asFlag(seller.isSubAdmin),
  is_suspended: asFlag(seller.isSuspended),
});

/** A seller as the profile and the admins' lists show them. */
export const asProfile = (seller: SellerProfile): Profile => ({
  ...asUserDetails(seller),
  userId: seller.sellerId,
  phone_1: seller.phone,
  created_at: seller.registeredAt,
  ...(seller.erased && { erased: 1 }),
});

export const comment = z.object({
  comment_id: id,
  businessName: z.string().nullable(),
  comment_text: z.string(),
  stars: z.number().int().min(1).max(5),
  created_at: instant,
});
export type Comment = z.infer<typeof comment>;

export const bars = z.object({
  bar1: z.number().int().nullable(),
  bar2: z.number().int().nullable(),
  bar3: z.number().int().nullable(),
  bar4: z.number().int().nullable(),
  bar5: z.number().int().nullable(),
});
export type Bars = z.infer<typeof bars>;

/** The public data of a seller. */
export const store = z.object({
  user_id: id,
  businessName: z.string(),
  /** The place of the newest product; absent when there is none. */
  state: z.string().optional(),
  local_govt: z.string().optional(),
  since: instant,
  orders_confirmed: z.number().int(),
  total: z.number().int(),
  products: z.array(product),
});
export type Store = z.infer<typeof store>;

const notificationItem = z.object({
  product_id: id,
  prod_name: z.string(),
  quantity: z.number().int(),
  image_url: z.string().nullable(),
});

/**
 * `prod_id` and `quantity` are comma-separated lists that begin with a colon; `items` has the same
 * data as objects.
 */
export const notification = z.object({
  message: z.string(),
  prod_id: z.string(),
  quantity: z.string(),
  created_at: instant,
  items: z.array(notificationItem),
});
export type Notification = z.infer<typeof notification>;

/** A notice about an order's money or about the store. Paid orders are in `notification`. */
export const news = z.object({
  id,
  /** The event type, as in an order's history. */
  type: z.string(),
  message: z.string(),
  created_at: instant,
  /** Null when the notice is about the store. */
  transaction_id: id.nullable(),
  items: z.array(notificationItem),
});
export type News = z.infer<typeof news>;

export const earnings = z.object({ held: naira, payable: naira, paid_out: naira });
export type Earnings = z.infer<typeof earnings>;

export const timelineEntry = z.object({
  id,
  type: z.string(),
  at: instant,
  actor: z.string(),
  /** Plain text without personal values. */
  text: z.string(),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;

/** What an admin or operator did, and to whom. `actor` includes an operator's name, and `text` their reason. */
export const act = timelineEntry.extend({
  act: z.enum(actKinds),
  about: z.enum(['seller', 'transaction', 'product']),
  subject: id,
  /** The seller whose share was settled, paid or is to be paid again, and the amount; null when no money moved. */
  seller: id.nullable(),
  amount: naira.nullable(),
});
export type Act = z.infer<typeof act>;

export const settings = z.object({
  imageUpload: z.object({ url: z.string(), uploadPreset: z.string() }),
  pushPublicKey: z.string().nullable(),
  support: z.object({ email: z.string(), phone: z.string(), address: z.string() }),
  /** Where sellers drop off sold goods. Empty when goods are collected from the sellers. */
  dropOffAddress: z.string(),
  demo: z.boolean(),
});
export type Settings = z.infer<typeof settings>;
