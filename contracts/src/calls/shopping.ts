import { limits } from '@oja/domain/rules';
import { z } from 'zod';
import { defineCall } from '../call.js';
import { cursor, id, idList } from '../schemas/common.js';
import { settings, store } from '../schemas/market.js';
import { facets, product } from '../schemas/product.js';

const LONGEST_WORD = 200;
/** Any query string shows a usable page: what cannot be read counts as not said. */
const word = z.string().trim().max(LONGEST_WORD).optional().catch(undefined);
/** What somebody pasted is looked for as far as anybody reads: without its end, and not as if nothing were asked. */
const sought = z
  .string()
  .overwrite((text) => text.trim().slice(0, LONGEST_WORD))
  .optional()
  .catch(undefined);
const CONDITIONS = ['New', 'Used', 'all'] as const;
/** However it is written. */
const condition = z
  .string()
  .overwrite((text) => CONDITIONS.find((one) => one.toLowerCase() === text.toLowerCase()) ?? text)
  .pipe(z.enum(CONDITIONS))
  .optional()
  .catch(undefined);
const number = z.coerce.number().int().min(0).max(1_000_000_000).optional().catch(undefined);

export const searchProducts = defineCall({
  name: 'searchProducts',
  method: 'GET',
  path: '/v1/products/search',
  owner: 'query-service',
  access: 'anyone',
  reads: ['catalogue'],
  query: z.object({
    query: sought,
    category: word,
    subcategory: word,
    /** A seller's business name or its form in addresses. */
    seller: word,
    condition,
    sort: z
      .enum(['A-Z', 'Z-A', 'newest', 'cheapest', 'dearest', 'trending'])
      .optional()
      .catch(undefined),
    localGovt: word,
    state: word,
    /** Naira, inclusive. */
    min_price: number,
    max_price: number,
    cursor: cursor.optional().catch(undefined),
    limit: z.coerce.number().int().min(1).max(limits.page.max).optional().catch(undefined),
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
 * What else what is typed may mean, shelves and stores from two letters on; from three on goods, another spelling and other
 * forms of the words. Each text is a search that finds something.
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
      /** The newest whose names hold the words; an older server names none. */
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
      /** Where no name holds a word: the nearest that one does, 'freezer' for 'frezer'. */
      did_you_mean: z.string().nullable(),
      /** 'hand bag' for 'handbags'. */
      word_forms: z.string().nullable(),
    }),
  },
});

/** The newest thousand; kept as the user has it. Lists in the web app use the search. */
export const allProducts = defineCall({
  name: 'allProducts',
  method: 'GET',
  path: '/v1/products/allUsers',
  owner: 'query-service',
  access: 'anyone',
  reads: ['catalogue'],
  answers: { 200: z.object({ filteredRows: z.array(product), total: z.number().int() }) },
});

/** The cart's goods as they are now, and by name those that are gone. */
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
