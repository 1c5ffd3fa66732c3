import { limits, NEWEST_TRANSACTIONS } from '@oja/domain/rules';
import { z } from 'zod';
import { defineCall } from '../call.js';
import { cursor, id, lines, naira, succeededWithMessage } from '../schemas/common.js';
import { act, timelineEntry } from '../schemas/market.js';
import { transaction } from '../schemas/transaction.js';

/** The newest 5,000, or by cursor; in pages of `limit` where it is given. */
export const getTransactions = defineCall({
  name: 'getTransactions',
  method: 'GET',
  path: '/v1/buyers/transactions',
  owner: 'query-service',
  access: 'sub-admin',
  reads: ['transactions'],
  query: z.object({
    cursor: cursor.optional(),
    limit: z.coerce.number().int().min(1).max(NEWEST_TRANSACTIONS).optional().catch(undefined),
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

/** Removes a delivered record: its buyer's key is destroyed. Any other state is a conflict. */
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
      /** What came in, and where it is; both sides add up to the same. */
      money: z.object({
        cash: naira,
        accounts: z.array(account),
        balanced: z.boolean(),
      }),
      /** The first to be looked at: the oldest ten of either. */
      disputes: z.array(transaction),
      unconfirmed: z.array(transaction),
      /** How many there are of each. */
      waiting: z.object({ disputes: z.number().int(), unconfirmed: z.number().int() }),
    }),
  },
});

export const getTimeline = defineCall({
  name: 'getTimeline',
  method: 'GET',
  path: '/v1/timeline/:kind/:id',
  owner: 'query-service',
  /** A seller sees only that of their own products. */
  access: 'seller',
  suspended: 'allowed',
  reads: ['timeline'],
  params: z.object({ kind: z.enum(['transaction', 'product', 'seller']), id }),
  answers: { 200: z.object({ success: z.literal(true), result: z.array(timelineEntry) }) },
});

/** What admins and operators did: who was suspended, made an admin, settled, removed, by whom and when; newest first. */
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
    limit: z.coerce.number().int().min(1).max(limits.page.max).optional().catch(undefined),
  }),
  answers: {
    200: z.object({
      success: z.literal(true),
      result: z.array(act),
      nextCursor: z.string().nullable(),
    }),
  },
});
