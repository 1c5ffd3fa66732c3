import { limits, salesPeriods } from '@oja/domain/rules';
import { z } from 'zod';
import { defineCall } from '../call.js';
import {
  cursor,
  flag,
  id,
  line,
  naira,
  pageSize,
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

/** The largest page of users. */
const MOST_USERS = 1_000;

const atLeast = (min: number) => `minimum of ${min} characters`;

const name = line
  .min(limits.sellerName.min, atLeast(limits.sellerName.min))
  .max(limits.sellerName.max);
const businessName = line
  .min(limits.businessName.min, atLeast(limits.businessName.min))
  .max(limits.businessName.max);
const password = z.string().min(1).max(limits.password.max);
/**
 * Only the length is checked here. The handler checks the rest, because the list of common
 * passwords is on the server.
 */
const newPassword = z
  .string()
  .min(limits.password.min, atLeast(limits.password.min))
  .max(limits.password.max);
const phone = line.regex(/^\d{11}$/, 'must be 11 numbers');

export const register = defineCall({
  name: 'register',
  method: 'POST',
  path: '/v1/register',
  owner: 'command-service',
  access: 'anyone',
  actsOnCookie: true,
  /** A repeated request is answered from the stream. The answer contains an access token, so it is never stored. */
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
 * Signs in and replaces the password in one step. It is the only way to sign in with a one-time
 * password from an operator. Ends all other sessions.
 */
export const loginWithNewPassword = defineCall({
  name: 'loginWithNewPassword',
  method: 'POST',
  path: '/v1/login/new-password',
  owner: 'command-service',
  access: 'anyone',
  actsOnCookie: true,
  /** A repeated request is answered from the stream, as for `register`. */
  idempotent: true,
  keepsAnswer: false,
  body: z.strictObject({
    businessName: line.min(1).max(limits.businessName.max),
    password,
    new_password: newPassword,
  }),
  answers: {
    200: z.object({ success: z.literal(true), userDetails, accessToken: z.string() }),
  },
});

/** Changes the caller's own password; needs the old one. Ends all other sessions, but not this one. */
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

/** Rotates the refresh cookie and returns a new access token. */
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

/** Read from the name's own stream, so the answer is never out of date. */
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
  /** Optional in the schema, so that the handler can list absent fields in `missingFields`. */
  body: z.strictObject({
    name: line.max(limits.sellerName.max).optional(),
    businessName: line.max(limits.businessName.max).optional(),
    phone_1: line.max(limits.phone.max).optional(),
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
    account_number: line.regex(/^\d{10}$/, 'must be the 10 digits of a NUBAN account'),
    bank_code: line.regex(/^\d{3,6}$/, 'must be the 3 to 6 digits of the bank'),
    /**
     * The password is required again, so that someone who finds a signed-in browser cannot redirect
     * the owner's money.
     */
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

/** The seller's part of paid orders, newest first. */
export const userOrders = defineCall({
  name: 'userOrders',
  method: 'GET',
  path: '/v1/user/orders',
  owner: 'query-service',
  access: 'seller',
  suspended: 'allowed',
  reads: ['sales'],
  query: z.object({
    /** Words of product names, or an order number; one letter is enough. */
    find: line.max(limits.productName.max).optional(),
    status: saleStatus.optional(),
    cursor: cursor.optional(),
    limit: pageSize(),
  }),
  answers: {
    200: z.object({
      success: z.literal(true),
      result: z.array(sale),
      /** `total` counts the orders that match all filters; `counts` those that match `find`, by status. */
      total: z.number().int(),
      counts: z.partialRecord(saleStatus, z.number().int()),
      /** How many orders wait to be handed over, whatever the filters. */
      to_hand_over: z.number().int(),
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

/**
 * The seller's payouts, newest first. `paid_out` has the sums of the current month and year in
 * Lagos, and of all time.
 */
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
    limit: pageSize(),
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

/** The seller's sales, by day (by month for twelve months) and by product. */
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

/** Everybody with a store, newest first. With `limit`, pages of that size, continued by `cursor`. */
export const getAllUsers = defineCall({
  name: 'getAllUsers',
  method: 'GET',
  path: '/v1/user/getAllUsers',
  owner: 'query-service',
  access: 'sub-admin',
  reads: ['sellers'],
  query: z.object({
    cursor: cursor.optional(),
    limit: pageSize(MOST_USERS),
  }),
  answers: {
    200: z.object({
      success: z.literal(true),
      result: z.array(profile),
      nextCursor: z.string().nullable(),
    }),
  },
});

export const toggleSuspended = defineCall({
  name: 'toggleSuspended',
  method: 'PUT',
  path: '/v1/user/:userId/toggle-suspended',
  owner: 'command-service',
  access: 'head-admin',
  idempotent: true,
  params: z.object({ userId: id }),
  /**
   * The wanted state, so that a second click or an outdated page changes nothing. Without it, the
   * state is toggled.
   */
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
  /** May be absent or empty in the schema, so that the handler can list them in `missingFields`. */
  query: z.object({
    sellerId: id.or(z.literal('')).optional(),
    isSubAdmin: z.enum(['true', 'false', '']).optional(),
  }),
  answers: { 200: succeededWithMessage },
});
