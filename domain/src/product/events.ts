import { z } from 'zod';
import type { EventOf } from '../decider.js';
import { id, instant, kobo } from '../fields.js';

/** By their names on the wire; water_resistance is 0 or 1, all others text; in an update empty text clears. */
export const productAttributes = z.record(z.string(), z.union([z.string(), z.number()]));
export type ProductAttributes = z.infer<typeof productAttributes>;

const condition = z.enum(['New', 'Used']);
const priceKind = z.enum(['upload', 'update']);

export const productEvents = {
  ProductListed: z.object({
    productId: id,
    sellerId: id,
    name: z.string().min(1),
    /** What shoppers pay, raised already. */
    price: kobo,
    priceKind,
    description: z.string(),
    subcategoryId: z.number().int(),
    state: z.string(),
    localGovt: z.string(),
    condition: condition.optional(),
    attributes: productAttributes,
    /** References of the image host, the title picture first. */
    images: z.array(z.string()),
    at: instant,
  }),
  /** Only what changed. */
  ProductUpdated: z.object({
    productId: id,
    sellerId: id,
    name: z.string().min(1).optional(),
    price: kobo.optional(),
    priceKind: priceKind.optional(),
    description: z.string().optional(),
    state: z.string().optional(),
    localGovt: z.string().optional(),
    condition: condition.optional(),
    attributes: productAttributes.optional(),
  }),
  ProductMadeUnavailable: z.object({ productId: id, sellerId: id }),
  ProductMadeAvailable: z.object({ productId: id, sellerId: id }),
  ProductRemoved: z.object({ productId: id, sellerId: id }),
};
export type ProductEvent = EventOf<typeof productEvents>;
