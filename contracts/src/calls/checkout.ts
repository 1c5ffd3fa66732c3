import { limits } from '@oja/domain/rules';
import { isBuyerName, isCallable, isWholeAddress } from '@oja/domain/rules/user-input';
import { z } from 'zod';
import { defineCall } from '../call.js';
import {
  id,
  line,
  lines,
  naira,
  paymentReference,
  succeeded,
  succeededWithMessage,
  typedEmail,
} from '../schemas/common.js';
import { order } from '../schemas/transaction.js';

const KEY = /^[0-9a-f-]{36}\.[A-Za-z0-9_-]{22}$/;
const NOBODYS_KEY = `${'0'.repeat(8)}-0000-0000-0000-${'0'.repeat(12)}.${'0'.repeat(22)}`;

/**
 * The order key `<id>.<secret>`. A malformed key becomes one that opens no order, so it is answered
 * like a wrong secret.
 */
const orderKey = z.string().overwrite((key) => (KEY.test(key) ? key : NOBODYS_KEY));

/** A cart line, or a product as a list gives it: one piece then. Other fields of a product are ignored. */
const buyerItem = z.object({
  product_id: id,
  user_id: id,
  quantity: z.number().int().min(limits.quantity.min).max(limits.quantity.max).default(1),
});

export const initializeTransaction = defineCall({
  name: 'initializeTransaction',
  method: 'POST',
  path: '/v1/transaction/initialize',
  owner: 'command-service',
  access: 'anyone',
  actsOnCookie: true,
  /**
   * A repeated request is answered from the stream. The answer contains the order's secret, so it is never stored.
   */
  idempotent: true,
  keepsAnswer: false,
  body: z.strictObject({
    full_name: line
      .min(1)
      .max(limits.buyerName.max)
      .refine(isBuyerName, 'must be a name that a rider can ask for'),
    email: typedEmail(),
    amount: naira,
    home_address: line
      .min(1)
      .max(limits.address.max)
      .refine(isWholeAddress, 'must say number, street and area'),
    phone_number: line
      .max(limits.phone.max)
      .refine(isCallable, 'must be a whole number, like 0803 412 7765'),
    buyerItems: z.array(buyerItem).min(1).max(limits.cartLines.max),
  }),
  answers: {
    200: z.object({
      success: z.literal(true),
      /** The provider's answer, unchanged. The address to pay at is `data.data.authorization_url`. */
      data: z.looseObject({ data: z.looseObject({ authorization_url: z.string() }) }),
      transactionId: z.string(),
    }),
  },
});

export const verifyTransaction = defineCall({
  name: 'verifyTransaction',
  method: 'GET',
  path: '/v1/transaction/verify/:reference',
  owner: 'command-service',
  access: 'anyone',
  actsOnCookie: true,
  params: z.object({ reference: paymentReference }),
  answers: {
    200: z.object({
      ok: z.boolean(),
      /** Only sent to the browser that placed the order. */
      transactionId: z.string().optional(),
      status: z.string().optional(),
    }),
  },
});

export const confirmDelivery = defineCall({
  name: 'confirmDelivery',
  method: 'PUT',
  path: '/v1/buyers/transactions/:transactionId',
  owner: 'command-service',
  access: 'order-holder',
  idempotent: true,
  params: z.object({ transactionId: orderKey }),
  /** The address says it all: whatever a client states besides, such as the new status, changes nothing. */
  body: z.looseObject({}),
  answers: { 200: z.object({ ok: z.literal(true) }) },
});

export const getOrder = defineCall({
  name: 'getOrder',
  method: 'GET',
  path: '/v1/orders/:orderKey',
  owner: 'query-service',
  access: 'order-holder',
  reads: ['transactions'],
  params: z.object({ orderKey }),
  answers: { 200: z.object({ success: z.literal(true), order }) },
});

/** Sends the receipt again, only to the address in the order. */
export const sendReceipt = defineCall({
  name: 'sendReceipt',
  method: 'POST',
  path: '/v1/orders/:orderKey/receipt',
  owner: 'command-service',
  access: 'order-holder',
  idempotent: true,
  params: z.object({ orderKey }),
  answers: { 200: succeeded },
});

export const reportNotReceived = defineCall({
  name: 'reportNotReceived',
  method: 'POST',
  path: '/v1/orders/:orderKey/not-received',
  owner: 'command-service',
  access: 'order-holder',
  idempotent: true,
  params: z.object({ orderKey }),
  answers: { 200: succeeded },
});

export const reportProblem = defineCall({
  name: 'reportProblem',
  method: 'POST',
  path: '/v1/orders/:orderKey/problem',
  owner: 'command-service',
  access: 'order-holder',
  idempotent: true,
  params: z.object({ orderKey }),
  body: z.strictObject({
    /** The sellers whose goods have the problem. */
    sellerIds: z.array(id).min(1).max(limits.cartLines.max),
    message: lines.min(1).max(limits.comment.max),
  }),
  answers: { 200: succeededWithMessage },
});

/** The signature covers the raw body. The notice is stored durably before the call is answered. */
export const paystackWebhook = defineCall({
  name: 'paystackWebhook',
  method: 'POST',
  path: '/v1/paystack/webhook',
  owner: 'command-service',
  access: 'provider',
  bodyKind: 'raw',
  answers: { 200: succeeded },
});
