import { limits } from '@oja/domain/rules';
import { z } from 'zod';
import { defineCall } from '../call.js';
import { id, line, lines, succeeded, succeededWithMessage } from '../schemas/common.js';
import { bars, comment, news, notification } from '../schemas/market.js';

export const getComments = defineCall({
  name: 'getComments',
  method: 'GET',
  path: '/v1/comments',
  owner: 'query-service',
  access: 'anyone',
  reads: ['reviews'],
  answers: { 200: z.object({ success: z.literal(true), result: z.array(comment) }) },
});

export const getRatings = defineCall({
  name: 'getRatings',
  method: 'GET',
  path: '/v1/ratings',
  owner: 'query-service',
  access: 'anyone',
  reads: ['reviews'],
  answers: { 200: z.object({ success: z.literal(true), result: z.array(bars).length(1) }) },
});

const bar = z.union([z.literal(0), z.literal(1)]);

export const addComment = defineCall({
  name: 'addComment',
  method: 'POST',
  path: '/v1/add-comment',
  owner: 'command-service',
  access: 'anyone',
  idempotent: true,
  body: z.strictObject({
    comment_text: lines.min(1, 'Please enter your comment').max(limits.comment.max),
    ratingData: z
      .strictObject({ bar1: bar, bar2: bar, bar3: bar, bar4: bar, bar5: bar })
      .refine(
        (b) => b.bar1 + b.bar2 + b.bar3 + b.bar4 + b.bar5 === 1,
        'must have exactly one star chosen',
      ),
    /** Must be the signed-in seller's own business name. Without it, or with null, the review is anonymous. */
    businessName: line.max(limits.businessName.max).nullish(),
  }),
  answers: { 201: z.object({ success: z.literal(true), comment_id: id }) },
});

export const sendEmail = defineCall({
  name: 'sendEmail',
  method: 'POST',
  path: '/v1/email/sendEmail',
  owner: 'command-service',
  access: 'anyone',
  idempotent: true,
  /**
   * Optional in the schema, so that the handler can list absent fields in `missingFields` and
   * report a malformed address as `emailError`.
   */
  body: z.strictObject({
    name: line.max(limits.buyerName.max).optional(),
    email: line.max(limits.email.max).optional(),
    subject: line.max(limits.contactSubject.max).optional(),
    message: lines.max(limits.contactMessage.max).optional(),
  }),
  answers: { 200: succeededWithMessage },
});

export const unreadNotifications = defineCall({
  name: 'unreadNotifications',
  method: 'GET',
  path: '/v1/notifications/unread/:userId',
  owner: 'query-service',
  access: 'seller',
  suspended: 'allowed',
  reads: ['notifications'],
  params: z.object({ userId: id }),
  answers: {
    200: z.object({
      success: z.literal(true),
      /** Notices of paid orders only. Everything else is in `news`. */
      result: z.array(notification),
      news: z.array(news),
      /** The client sends it back when it clears, so that only notices it has shown are cleared. */
      position: z.string().nullable(),
    }),
  },
});

export const clearNotifications = defineCall({
  name: 'clearNotifications',
  method: 'DELETE',
  path: '/v1/notifications/read/:userId',
  owner: 'command-service',
  access: 'seller',
  suspended: 'allowed',
  idempotent: true,
  params: z.object({ userId: id }),
  answers: { 200: succeededWithMessage },
});

const subscription = z.strictObject({
  endpoint: z.url({ protocol: /^https$/ }).max(limits.pushEndpoint.max),
  expirationTime: z.number().nullable().optional(),
  keys: z.strictObject({ p256dh: line.max(200), auth: line.max(100) }),
});
const subscribing = z.strictObject({ newSubscription: subscription, sellerId: id });

export const checkSubscription = defineCall({
  name: 'checkSubscription',
  method: 'POST',
  path: '/subscription/check-subscription',
  owner: 'command-service',
  access: 'seller',
  suspended: 'allowed',
  body: subscribing,
  answers: { 200: z.object({ exists: z.boolean() }) },
});

export const addSubscription = defineCall({
  name: 'addSubscription',
  method: 'POST',
  path: '/subscription',
  owner: 'command-service',
  access: 'seller',
  suspended: 'allowed',
  idempotent: true,
  body: subscribing,
  answers: { 201: succeeded },
});

export const removeSubscription = defineCall({
  name: 'removeSubscription',
  method: 'DELETE',
  path: '/subscription',
  owner: 'command-service',
  access: 'seller',
  suspended: 'allowed',
  idempotent: true,
  body: z.strictObject({ endpoint: line.max(limits.pushEndpoint.max), sellerId: id }),
  answers: { 200: succeeded },
});
