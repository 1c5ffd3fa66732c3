import { z } from 'zod';
import type { EventOf } from '../decider.js';
import { id } from '../fields.js';
import { sealed } from '../sealed.js';

/** What a seller does with notices; the notices themselves are made from paid orders. */
export const inboxEvents = {
  PushSubscribed: z.object({
    sellerId: id,
    /** Hash of the endpoint. */
    subscriptionId: id,
    subscription: sealed,
  }),
  PushUnsubscribed: z.object({ sellerId: id, subscriptionId: id }),
  /** Everything up to this position of the log has been seen. */
  NotificationsCleared: z.object({ sellerId: id, upTo: z.string() }),
};
export type InboxEvent = EventOf<typeof inboxEvents>;
