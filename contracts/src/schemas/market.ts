import { z } from 'zod';
import { actKinds } from '../models/timeline.js';
import { flag, id, instant, naira, personal } from './common.js';
import { product } from './product.js';

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

/** A seller's public face. */
export const store = z.object({
  user_id: id,
  businessName: z.string(),
  /** Place of the newest product; absent while there is none. */
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

/** The lists are colon-prefixed and comma-separated; `items` is the same without the puzzle. */
export const notification = z.object({
  message: z.string(),
  prod_id: z.string(),
  quantity: z.string(),
  created_at: instant,
  items: z.array(notificationItem),
});
export type Notification = z.infer<typeof notification>;

/** Word of an order's money, or of the store: what an order's own notice does not tell. */
export const news = z.object({
  id,
  /** The event, as an order's history names it. */
  type: z.string(),
  message: z.string(),
  created_at: instant,
  /** Null: it is about the store. */
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
  /** What happened, in words; never a personal value. */
  text: z.string(),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;

/** What an admin or operator did, and to whom; `actor` with an operator's name, `text` with their reason. */
export const act = timelineEntry.extend({
  act: z.enum(actKinds),
  about: z.enum(['seller', 'transaction', 'product']),
  subject: id,
  /** Whose share of an order was settled, paid or is to be paid anew, and how much it is; null where no money moved. */
  seller: id.nullable(),
  amount: naira.nullable(),
});
export type Act = z.infer<typeof act>;

export const settings = z.object({
  imageUpload: z.object({ url: z.string(), uploadPreset: z.string() }),
  pushPublicKey: z.string().nullable(),
  support: z.object({ email: z.string(), phone: z.string(), address: z.string() }),
  /** Where sellers bring what was sold; empty: it is collected from them. */
  dropOffAddress: z.string(),
  demo: z.boolean(),
});
export type Settings = z.infer<typeof settings>;
