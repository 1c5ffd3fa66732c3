import { z } from 'zod';
import { flag, id, instant, naira } from './common.js';

/** The attributes of the catalogue by their names on the wire; which of them a product has is its subcategory's matter. */
export const attributes = z.object({
  brand: z.string().optional(),
  model: z.string().optional(),
  memory: z.string().optional(),
  volume: z.string().optional(),
  size: z.string().optional(),
  gender: z.string().optional(),
  type: z.string().optional(),
  processor: z.string().optional(),
  weight: z.string().optional(),
  color: z.string().optional(),
  material: z.string().optional(),
  category: z.string().optional(),
  drink: z.string().optional(),
  ratings: z.string().optional(),
  screen_size: z.string().optional(),
  water_resistance: flag.optional(),
});

/** A product as every call answers it. Spelled as the user spelled it. */
export const product = attributes.extend({
  product_id: id,
  user_id: id,
  prod_name: z.string(),
  /** What shoppers pay, in naira. */
  price: naira,
  /** New or Used; absent where the subcategory has no condition. */
  prod_condition: z.enum(['New', 'Used']).optional(),
  description: z.string(),
  state: z.string(),
  local_govt: z.string(),
  subcategory_id: z.number().int(),
  subcategory_name: z.string(),
  /** The subcategory's top category; `category` is an attribute. */
  top_category: z.string(),
  image_urls: z.array(z.string()),
  businessName: z.string(),
  status: z.enum(['AVAILABLE', 'UNAVAILABLE']),
  is_suspended: flag,
  created_at: instant,
  /** How many are left to be sold, 0: sold out. Absent where the seller does not count them. */
  stock: z.number().int().optional(),
});
export type Product = z.infer<typeof product>;

/** What only the owner sees besides: the figure they typed, from which the update form starts. */
export const ownProduct = product.extend({
  seller_price: naira,
  /** In a paid transaction that is not closed: it cannot be removed. */
  in_transaction: z.boolean(),
});
export type OwnProduct = z.infer<typeof ownProduct>;

const facet = z.object({ value: z.string(), count: z.number().int() });

/** Ads per category and subcategory count the whole shown catalogue. */
export const facets = z.object({
  category: z.array(facet),
  subcategory: z.array(facet),
  localGovt: z.array(facet),
  condition: z.array(facet),
});
export type Facets = z.infer<typeof facets>;
