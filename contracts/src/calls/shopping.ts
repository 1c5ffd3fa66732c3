import { conditions, limits } from '@oja/domain/rules';
import { z } from 'zod';
import { defineCall } from '../call.js';
import { cursor, id, idList, pageSize } from '../schemas/common.js';
import { settings, store } from '../schemas/market.js';
import { facets, product } from '../schemas/product.js';

const LONGEST_WORD = 200;
/** Every query string must give a usable page: a value that cannot be parsed is treated as absent. */
const word = z.string().trim().max(LONGEST_WORD).optional().catch(undefined);
/** A very long pasted text is cut, and not treated as absent. */
const searchText = z
  .string()
  .overwrite((text) => text.trim().slice(0, LONGEST_WORD))
  .optional()
  .catch(undefined);
const CONDITIONS = [...conditions, 'all'] as const;
/** Any case is accepted. */
const condition = z
  .string()
  .overwrite((text) => CONDITIONS.find((one) => one.toLowerCase() === text.toLowerCase()) ?? text)
  .pipe(z.enum(CONDITIONS))
  .optional()
  .catch(undefined);
/** `Number('')` is 0, but an empty field of a form is no price. */
const priceInNaira = z
  .preprocess(
    (text) => (typeof text === 'string' && text.trim() === '' ? undefined : text),
    z.coerce.number().int().min(0).max(1_000_000_000).optional(),
  )
  .optional()
  .catch(undefined);

export const searchProducts = defineCall({
  name: 'searchProducts',
  method: 'GET',
  path: '/v1/products/search',
  owner: 'query-service',
  access: 'anyone',
  reads: ['catalogue'],
  query: z.object({
    query: searchText,
    category: word,
    subcategory: word,
    /** A seller's business name, or its URL form. */
    seller: word,
    condition,
    sort: z
      .enum(['A-Z', 'Z-A', 'newest', 'cheapest', 'dearest', 'trending'])
      .optional()
      .catch(undefined),
    localGovt: word,
    state: word,
    /** Naira, inclusive. */
    min_price: priceInNaira,
    max_price: priceInNaira,
    cursor: cursor.optional().catch(undefined),
    limit: pageSize(),
  }),
  answers: {
    200: z.object({
      success: z.literal(true),
      result: z.array(product),
      total: z.number().int(),
      facets,
      nextCursor: z.string().nullable(),
    }),
  },
});

/**
 * Suggestions for a search text. Categories and stores from two characters on; from three, also products,
 * corrected spelling and other word forms. Each suggested text is a search that finds something.
 */
export const suggestProducts = defineCall({
  name: 'suggestProducts',
  method: 'GET',
  path: '/v1/products/suggest',
  owner: 'query-service',
  access: 'anyone',
  reads: ['catalogue'],
  query: z.object({ query: word }),
  answers: {
    200: z.object({
      success: z.literal(true),
      /** The newest products whose names contain the words. Absent in the answers of older servers. */
      goods: z
        .array(
          product
            .pick({ product_id: true, subcategory_id: true, prod_name: true, price: true })
            .extend({ image_url: z.string().nullable() }),
        )
        .optional(),
      shelves: z.array(
        z.object({
          subcategory_name: z.string(),
          top_category: z.string(),
          count: z.number().int(),
        }),
      ),
      stores: z.array(z.object({ user_id: id, businessName: z.string() })),
      /** The closest spelling that finds something, when what was typed finds no product: 'freezer' for 'frezer'. */
      did_you_mean: z.string().nullable(),
      /** Another form of the words: 'hand bag' for 'handbags' or 'hand-bag'. */
      word_forms: z.string().nullable(),
    }),
  },
});

/** The newest thousand products, kept for API compatibility. The web app's lists use the search. */
export const allProducts = defineCall({
  name: 'allProducts',
  method: 'GET',
  path: '/v1/products/allUsers',
  owner: 'query-service',
  access: 'anyone',
  reads: ['catalogue'],
  answers: { 200: z.object({ filteredRows: z.array(product), total: z.number().int() }) },
});

/** The current state of the products in a cart, and the names of those that are no longer sold. */
export const productsByIds = defineCall({
  name: 'productsByIds',
  method: 'GET',
  path: '/v1/products/by-ids',
  owner: 'query-service',
  access: 'anyone',
  reads: ['catalogue'],
  query: z.object({ ids: idList(limits.cartLines.max) }),
  answers: {
    200: z.object({
      success: z.literal(true),
      result: z.array(product),
      gone: z.array(z.object({ product_id: z.string(), prod_name: z.string().nullable() })),
    }),
  },
});

export const getStore = defineCall({
  name: 'getStore',
  method: 'GET',
  path: '/v1/stores/:name',
  owner: 'query-service',
  access: 'anyone',
  reads: ['catalogue'],
  params: z.object({ name: z.string().min(1).max(limits.businessName.max) }),
  answers: { 200: z.object({ success: z.literal(true), store }) },
});

export const getSettings = defineCall({
  name: 'getSettings',
  method: 'GET',
  path: '/v1/settings',
  owner: 'query-service',
  access: 'anyone',
  answers: { 200: settings },
});

export const openApi = defineCall({
  name: 'openApi',
  method: 'GET',
  path: '/v1/openapi.json',
  owner: 'query-service',
  access: 'anyone',
  answers: { 200: z.looseObject({ openapi: z.string() }) },
});
