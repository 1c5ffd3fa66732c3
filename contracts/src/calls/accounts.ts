import { limits, salesPeriods } from '@oja/domain/rules';
import { z } from 'zod';
import { defineCall } from '../call.js';
import {
  cursor,
  flag,
  id,
  line,
  naira,
  succeeded,
  succeededWithMessage,
} from '../schemas/common.js';
import { earnings, profile, userDetails } from '../schemas/market.js';
import {
  payout,
  sale,
  saleWithHistory,
  sellerShare,
  soldInPeriod,
} from '../schemas/transaction.js';

const name = line.min(limits.sellerName.min, 'minimum of 6 characters').max(limits.sellerName.max);
const businessName = line
  .min(limits.businessName.min, 'minimum of 4 characters')
  .max(limits.businessName.max);
const password = z.string().min(1).max(limits.password.max);
/** What else is wrong with one is answered by the call: common ones are known to the server alone. */
const newPassword = z
  .string()
  .min(limits.password.min, 'minimum of 8 characters')
  .max(limits.password.max);
const phone = z.string().regex(/^\d{11}$/, 'must be 11 numbers');

export const register = defineCall({
  name: 'register',
  method: 'POST',
  path: '/v1/register',
  owner: 'command-service',
  access: 'anyone',
  actsOnCookie: true,
  /** Answered again from the stream: what it answers is a way in and is never stored. */
  idempotent: true,
  keepsAnswer: false,
  body: z.strictObject({
    name,
    businessName,
    phone_1: phone,
    password: newPassword,
  }),
  answers: {
    201: z.object({
      success: z.literal(true),
      data: z.object({ name: z.string(), data: userDetails }),
      accessToken: z.string(),
    }),
  },
});

export const login = defineCall({
  name: 'login',
  method: 'POST',
  path: '/v1/login',
  owner: 'command-service',
  access: 'anyone',
  actsOnCookie: true,
  body: z.strictObject({
    businessName: line.min(1).max(limits.businessName.max),
    password,
  }),
  answers: {
    200: z.object({ success: z.literal(true), userDetails, accessToken: z.string() }),
  },
});

/**
 * Logs in and puts a password of one's own in the place of the old one: the only way in with a password
 * that an operator gave for one time. Ends all other sessions.
 */
export const loginWithNewPassword = defineCall({
  name: 'loginWithNewPassword',
  method: 'POST',
  path: '/v1/login/new-password',
  owner: 'command-service',
  access: 'anyone',
  actsOnCookie: true,
  body: z.strictObject({
    businessName: line.min(1).max(limits.businessName.max),
    password,
    new_password: newPassword,
  }),
  answers: {
    200: z.object({ success: z.literal(true), userDetails, accessToken: z.string() }),
  },
});

/** One's own password, by who knows the old one. Ends all other sessions; this one goes on. */
export const changePassword = defineCall({
  name: 'changePassword',
  method: 'PUT',
  path: '/v1/user/password',
  owner: 'command-service',
  access: 'seller',
  suspended: 'allowed',
  idempotent: true,
  body: z.strictObject({ old_password: password, new_password: newPassword }),
  answers: { 200: succeededWithMessage },
});

/** Rotates the refresh cookie and answers a fresh access token. */
export const refreshToken = defineCall({
  name: 'refreshToken',
  method: 'GET',
  path: '/v1/refresh-token',
  owner: 'command-service',
  access: 'anyone',
  actsOnCookie: true,
  answers: { 200: z.object({ success: z.literal(true), accessToken: z.string() }) },
});

export const logout = defineCall({
  name: 'logout',
  method: 'DELETE',
  path: '/v1/logout',
  owner: 'command-service',
  access: 'anyone',
  actsOnCookie: true,
  answers: { 200: succeededWithMessage },
});

/** Answered from the name's own stream, so that it is never behind. */
export const checkBusinessName = defineCall({
  name: 'checkBusinessName',
  method: 'GET',
  path: '/v1/businessName-checker/:businessName',
  owner: 'command-service',
  access: 'anyone',
  params: z.object({ businessName: line.min(1).max(limits.businessName.max) }),
  answers: { 200: z.object({ exists: z.boolean() }) },
});

export const singleUser = defineCall({
  name: 'singleUser',
  method: 'GET',
  path: '/v1/user/single-user',
  owner: 'query-service',
  access: 'seller',
  suspended: 'allowed',
  reads: ['sellers'],
  answers: { 200: z.object({ success: z.literal(true), result: z.tuple([profile]) }) },
});

export const updateProfile = defineCall({
  name: 'updateProfile',
  method: 'PUT',
  path: '/v1/user/update/:userId',
  owner: 'command-service',
  access: 'seller',
  idempotent: true,
  params: z.object({ userId: id }),
  /** Optional here so that what is missing can be named as `missingFields`. */
  body: z.strictObject({
    name: line.max(limits.sellerName.max).optional(),
    businessName: line.max(limits.businessName.max).optional(),
    phone_1: line.max(20).optional(),
  }),
  answers: { 200: z.object({ success: z.literal(true), userDetails: profile }) },
});

export const getPayoutAccount = defineCall({
  name: 'getPayoutAccount',
  method: 'GET',
  path: '/v1/user/payout-account',
  owner: 'query-service',
  access: 'seller',
  suspended: 'allowed',
  reads: ['sellers'],
  answers: {
    200: z.object({
      success: z.literal(true),
      account: z
        .object({ account_name: z.string(), account_number: z.string(), bank_code: z.string() })
        .nullable(),
    }),
  },
});

export const setPayoutAccount = defineCall({
  name: 'setPayoutAccount',
  method: 'PUT',
  path: '/v1/user/payout-account',
  owner: 'command-service',
  access: 'seller',
  idempotent: true,
  body: z.strictObject({
    account_name: line.min(1).max(limits.sellerName.max),
    account_number: z.string().regex(/^\d{10}$/, 'must be the 10 digits of a NUBAN account'),
    bank_code: z.string().regex(/^\d{3,6}$/, 'must be the 3 to 6 digits of the bank'),
    /** Asked again: whoever finds a browser signed in must not send its owner's money elsewhere. */
    password,
  }),
  answers: { 200: succeeded },
});

export const userEarnings = defineCall({
  name: 'userEarnings',
  method: 'GET',
  path: '/v1/user/earnings',
  owner: 'query-service',
  access: 'seller',
  suspended: 'allowed',
  reads: ['ledger'],
  answers: { 200: z.object({ success: z.literal(true), result: earnings }) },
});

const saleStatus = sellerShare.shape.status;

/** What was ordered of the seller and paid, newest first. */
export const userOrders = defineCall({
  name: 'userOrders',
  method: 'GET',
  path: '/v1/user/orders',
  owner: 'query-service',
  access: 'seller',
  suspended: 'allowed',
  reads: ['sales'],
  query: z.object({
    /** Words of the goods' names or the order's number; fewer than three letters find everything. */
    find: line.max(limits.productName.max).optional(),
    status: saleStatus.optional(),
    cursor: cursor.optional(),
    limit: z.coerce.number().int().min(1).max(limits.page.max).optional().catch(undefined),
  }),
  answers: {
    200: z.object({
      success: z.literal(true),
      result: z.array(sale),
      /** Of what is asked for; and of all that is found, by status. */
      total: z.number().int(),
      counts: z.partialRecord(saleStatus, z.number().int()),
      nextCursor: z.string().nullable(),
    }),
  },
});

export const userOrder = defineCall({
  name: 'userOrder',
  method: 'GET',
  path: '/v1/user/orders/:transactionId',
  owner: 'query-service',
  access: 'seller',
  suspended: 'allowed',
  reads: ['sales'],
  params: z.object({ transactionId: id }),
  answers: { 200: z.object({ success: z.literal(true), result: saleWithHistory }) },
});

/** What was paid out to the seller, newest first; the sums are those in Lagos now. */
export const userPayouts = defineCall({
  name: 'userPayouts',
  method: 'GET',
  path: '/v1/user/payouts',
  owner: 'query-service',
  access: 'seller',
  suspended: 'allowed',
  reads: ['income'],
  query: z.object({
    cursor: cursor.optional(),
    limit: z.coerce.number().int().min(1).max(limits.page.max).optional().catch(undefined),
  }),
  answers: {
    200: z.object({
      success: z.literal(true),
      result: z.array(payout),
      paid_out: z.object({ month: naira, year: naira, all: naira }),
      nextCursor: z.string().nullable(),
    }),
  },
});

/** What the seller sold, by the day (of twelve months: by the month) and by product. */
export const userSales = defineCall({
  name: 'userSales',
  method: 'GET',
  path: '/v1/user/sales',
  owner: 'query-service',
  access: 'seller',
  suspended: 'allowed',
  reads: ['income'],
  query: z.object({ period: z.enum(salesPeriods).optional() }),
  answers: { 200: z.object({ success: z.literal(true), result: soldInPeriod }) },
});

export const getAllUsers = defineCall({
  name: 'getAllUsers',
  method: 'GET',
  path: '/v1/user/getAllUsers',
  owner: 'query-service',
  access: 'sub-admin',
  reads: ['sellers'],
  answers: { 200: z.object({ success: z.literal(true), result: z.array(profile) }) },
});

export const toggleSuspended = defineCall({
  name: 'toggleSuspended',
  method: 'PUT',
  path: '/v1/user/:userId/toggle-suspended',
  owner: 'command-service',
  access: 'head-admin',
  idempotent: true,
  params: z.object({ userId: id }),
  /** What it shall be, so that a second press or a page that is behind changes nothing; else the other of the two. */
  query: z.object({ is_suspended: z.enum(['0', '1']).optional() }),
  answers: {
    200: z.object({ success: z.literal(true), message: z.string(), is_suspended: flag }),
  },
});

export const updateSubAdmin = defineCall({
  name: 'updateSubAdmin',
  method: 'PUT',
  path: '/v1/update-subAdmin',
  owner: 'command-service',
  access: 'head-admin',
  idempotent: true,
  /** Optional here, or empty, so that what is missing can be named as `missingFields`. */
  query: z.object({
    sellerId: id.or(z.literal('')).optional(),
    isSubAdmin: z.enum(['true', 'false', '']).optional(),
  }),
  answers: { 200: succeededWithMessage },
});
