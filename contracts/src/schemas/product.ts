import { conditions } from '@oja/domain/rules';
import { z } from 'zod';
import { flag, id, instant, naira } from './common.js';

/** All product attributes by their names on the wire. Which of them a product has depends on its subcategory. */
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

/** A product, as every call returns it. The spelling of its fields is fixed by existing clients. */
export const product = attributes.extend({
  product_id: id,
  user_id: id,
  prod_name: z.string(),
  /** What shoppers pay, in naira. */
  price: naira,
  /** Absent when the subcategory has no condition. */
  prod_condition: z.enum(conditions).optional(),
  description: z.string(),
  state: z.string(),
  local_govt: z.string(),
  subcategory_id: z.number().int(),
  subcategory_name: z.string(),
  /** The top category of the subcategory. `category` is an attribute. */
  top_category: z.string(),
  image_urls: z.array(z.string()),
  businessName: z.string(),
  status: z.enum(['AVAILABLE', 'UNAVAILABLE']),
  is_suspended: flag,
  created_at: instant,
  /** Pieces left for sale; 0 is sold out. Absent when the seller does not track stock. */
  stock: z.number().int().optional(),
});
export type Product = z.infer<typeof product>;

/** The owner's view: adds the price that they typed, with which the update form starts. */
export const ownProduct = product.extend({
  seller_price: naira,
  /** Whether a paid, open order contains it: then it cannot be removed. */
  in_transaction: z.boolean(),
});
export type OwnProduct = z.infer<typeof ownProduct>;

const facet = z.object({ value: z.string(), count: z.number().int() });

/** `category` and `subcategory` count all products that shoppers can see, whatever the filters. */
export const facets = z.object({
  category: z.array(facet),
  subcategory: z.array(facet),
  localGovt: z.array(facet),
  condition: z.array(facet),
});
export type Facets = z.infer<typeof facets>;
