import { conditions, limits, MOST_STOCK } from '@oja/domain/rules';
import { z } from 'zod';
import { defineCall } from '../call.js';
import {
  cursor,
  flag,
  id,
  line,
  lines,
  naira,
  pageSize,
  succeededWithMessage,
} from '../schemas/common.js';
import { ownProduct, product } from '../schemas/product.js';

const attribute = line.max(limits.attribute.max);
/** Empty where a form has the field, but these goods have no condition. */
const condition = z.enum([...conditions, '']);

/** The fields that a seller may set. Which attributes are allowed depends on the subcategory. */
const writable = {
  prod_name: line.min(1).max(limits.productName.max),
  /** What shoppers pay, in whole naira. The client has already added the raise. */
  price: naira.int(),
  description: lines.min(1).max(limits.description.max),
  subcategory_id: z.number().int(),
  subcategory_name: attribute,
  state: attribute,
  local_govt: attribute,
  cond: condition,
  prod_condition: condition,
  brand: attribute,
  model: attribute,
  memory: attribute,
  volume: attribute,
  size: attribute,
  gender: attribute,
  type: attribute,
  processor: attribute,
  weight: attribute,
  color: attribute,
  material: attribute,
  category: attribute,
  drink: attribute,
  ratings: attribute,
  screen_size: attribute,
  water_resistance: flag,
  /** How many pieces are for sale. Null or absent: the seller does not track stock. */
  stock: z.number().int().min(0).max(MOST_STOCK).nullable(),
};

/** All pictures of a product, the title picture first. */
const imageUrls = z.array(line.max(500)).min(limits.images.min).max(limits.images.max);

/** Fields of a product that no seller sets. They are ignored, so that a product may be sent as a whole. */
const ignored = {
  product_id: z.unknown(),
  user_id: z.unknown(),
  businessName: z.unknown(),
  image_urls: z.unknown(),
  status: z.unknown(),
  is_suspended: z.unknown(),
};

const productInput = z
  .strictObject({ ...writable, ...ignored })
  .partial()
  .required({
    prod_name: true,
    price: true,
    description: true,
    subcategory_id: true,
    state: true,
    local_govt: true,
  });

export const addProduct = defineCall({
  name: 'addProduct',
  method: 'POST',
  path: '/v1/add-product',
  owner: 'command-service',
  access: 'seller',
  idempotent: true,
  body: z.strictObject({
    updatedInput: productInput,
    imageUrls,
  }),
  answers: { 201: z.object({ success: z.literal(true), productId: id }) },
});

/**
 * Only changed fields are sent. A product never changes its subcategory. A 409 with the code `stock_changed` has the
 * present count in `stock`, null where stock is not tracked; nothing was changed then.
 */
export const updateProduct = defineCall({
  name: 'updateProduct',
  method: 'PUT',
  path: '/v1/product/update/:productID',
  owner: 'command-service',
  access: 'seller',
  idempotent: true,
  params: z.object({ productID: id }),
  body: z
    .strictObject({
      ...writable,
      imageUrls,
      /**
       * The count that the seller saw when they chose `stock`, null for none. If orders have changed it since, the update
       * is refused. Absent: `stock` replaces any count.
       */
      stock_was: z.number().int().min(0).nullable(),
    })
    .omit({ subcategory_id: true, subcategory_name: true })
    .partial(),
  answers: { 200: succeededWithMessage },
});

export const toggleProductStatus = defineCall({
  name: 'toggleProductStatus',
  method: 'PUT',
  path: '/v1/products/:id/toggle-status',
  owner: 'command-service',
  access: 'seller',
  idempotent: true,
  params: z.object({ id }),
  /**
   * The wanted status, so that a second click or an outdated page changes nothing. Without it, the
   * status is toggled.
   */
  query: z.object({ status: z.enum(['AVAILABLE', 'UNAVAILABLE']).optional() }),
  answers: { 200: succeededWithMessage },
});

export const removeProduct = defineCall({
  name: 'removeProduct',
  method: 'DELETE',
  path: '/v1/product/:id',
  owner: 'command-service',
  access: 'seller',
  idempotent: true,
  params: z.object({ id }),
  answers: { 200: succeededWithMessage },
});

/** The seller's own products, newest first: pages of a thousand, or of `limit`, continued by `cursor`. */
export const userProducts = defineCall({
  name: 'userProducts',
  method: 'GET',
  path: '/v1/user/products',
  owner: 'query-service',
  access: 'seller',
  suspended: 'allowed',
  reads: ['catalogue'],
  query: z.object({
    /** Words of product names. */
    find: line.max(limits.productName.max).optional(),
    status: ownProduct.shape.status.optional(),
    cursor: cursor.optional(),
    limit: pageSize(),
  }),
  answers: {
    200: z.object({
      success: z.literal(true),
      userDetails: z.array(ownProduct),
      /** Counts all of the seller's products, whatever the filters. */
      counts: z.object({ AVAILABLE: z.number().int(), UNAVAILABLE: z.number().int() }),
      nextCursor: z.string().nullable(),
    }),
  },
});

export const getProduct = defineCall({
  name: 'getProduct',
  method: 'GET',
  path: '/v1/product/:id',
  owner: 'query-service',
  access: 'anyone',
  reads: ['catalogue'],
  params: z.object({ id }),
  answers: {
    200: z.object({
      success: z.literal(true),
      subcategoryID: z.number().int(),
      /** The owner also gets the price that they typed. */
      result: z.union([ownProduct, product]),
    }),
  },
});

/** The list has one entry, which holds all image addresses separated by commas. */
export const productImages = defineCall({
  name: 'productImages',
  method: 'GET',
  path: '/v1/products/:productId/images',
  owner: 'query-service',
  access: 'anyone',
  reads: ['catalogue'],
  params: z.object({ productId: id }),
  answers: {
    200: z.object({
      success: z.literal(true),
      result: z.array(z.object({ image_urls: z.string() })),
    }),
  },
});

/** Whether a paid order that is not closed contains the product. */
export const checkCartItems = defineCall({
  name: 'checkCartItems',
  method: 'GET',
  path: '/v1/check-CartItems/:id',
  owner: 'query-service',
  access: 'anyone',
  reads: ['catalogue'],
  params: z.object({ id }),
  answers: { 200: z.object({ exist: z.boolean(), message: z.string() }) },
});
