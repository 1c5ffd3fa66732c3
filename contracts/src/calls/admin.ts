import { limits, NEWEST_TRANSACTIONS } from '@oja/domain/rules';
import { z } from 'zod';
import { defineCall } from '../call.js';
import { cursor, id, lines, naira, pageSize, succeededWithMessage } from '../schemas/common.js';
import { act, timelineEntry } from '../schemas/market.js';
import { transaction } from '../schemas/transaction.js';

/** The newest 5,000 transactions. With `limit`, pages of that size, continued by `cursor`. */
export const getTransactions = defineCall({
  name: 'getTransactions',
  method: 'GET',
  path: '/v1/buyers/transactions',
  owner: 'query-service',
  access: 'sub-admin',
  reads: ['transactions'],
  query: z.object({
    cursor: cursor.optional(),
    limit: pageSize(NEWEST_TRANSACTIONS),
  }),
  answers: {
    200: z.object({
      ok: z.literal(true),
      result: z.array(transaction),
      nextCursor: z.string().nullable(),
    }),
  },
});

export const getTransaction = defineCall({
  name: 'getTransaction',
  method: 'GET',
  path: '/v1/transactions/:id',
  owner: 'query-service',
  access: 'sub-admin',
  reads: ['transactions'],
  params: z.object({ id }),
  answers: { 200: z.object({ ok: z.literal(true), result: transaction }) },
});

/**
 * Removes the record of a delivered order by destroying the buyer's key. An order in any other
 * state is a conflict.
 */
export const removeBuyerRecord = defineCall({
  name: 'removeBuyerRecord',
  method: 'DELETE',
  path: '/v1/buyers/:buyerId',
  owner: 'command-service',
  access: 'head-admin',
  idempotent: true,
  params: z.object({ buyerId: id }),
  answers: { 200: succeededWithMessage },
});

export const resolveDispute = defineCall({
  name: 'resolveDispute',
  method: 'POST',
  path: '/v1/transactions/:id/resolve',
  owner: 'command-service',
  access: 'head-admin',
  idempotent: true,
  params: z.object({ id }),
  body: z.strictObject({
    sellerId: id,
    outcome: z.enum(['release', 'refund']),
    note: lines.max(limits.comment.max).optional(),
  }),
  answers: { 200: succeededWithMessage },
});

const account = z.object({ name: z.string(), amount: naira });

export const adminOverview = defineCall({
  name: 'adminOverview',
  method: 'GET',
  path: '/v1/admin/overview',
  owner: 'query-service',
  access: 'sub-admin',
  reads: ['sellers', 'transactions', 'ledger'],
  answers: {
    200: z.object({
      success: z.literal(true),
      totalSellers: z.number().int(),
      totalAdmins: z.number().int(),
      /** The ledger: `cash` that came in, and the accounts that hold it. Both sides have the same sum. */
      money: z.object({
        cash: naira,
        accounts: z.array(account),
        balanced: z.boolean(),
      }),
      /** The ten oldest of each kind. */
      disputes: z.array(transaction),
      unconfirmed: z.array(transaction),
      /** The total number of each kind. */
      waiting: z.object({ disputes: z.number().int(), unconfirmed: z.number().int() }),
    }),
  },
});

export const getTimeline = defineCall({
  name: 'getTimeline',
  method: 'GET',
  path: '/v1/timeline/:kind/:id',
  owner: 'query-service',
  /** A seller may see only the timeline of their own products. */
  access: 'seller',
  suspended: 'allowed',
  reads: ['timeline', 'catalogue'],
  params: z.object({ kind: z.enum(['transaction', 'product', 'seller']), id }),
  answers: { 200: z.object({ success: z.literal(true), result: z.array(timelineEntry) }) },
});

/**
 * What admins and operators did, to whom and when, newest first: suspensions, admin rights, settled
 * disputes, payouts, removed records.
 */
export const getAudit = defineCall({
  name: 'getAudit',
  method: 'GET',
  path: '/v1/admin/audit',
  owner: 'query-service',
  access: 'sub-admin',
  reads: ['timeline'],
  query: z.object({
    act: act.shape.act.optional().catch(undefined),
    cursor: cursor.optional(),
    limit: pageSize(),
  }),
  answers: {
    200: z.object({
      success: z.literal(true),
      result: z.array(act),
      nextCursor: z.string().nullable(),
    }),
  },
});
