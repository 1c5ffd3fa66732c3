import { queues } from '@oja/contracts/models';
import { HOUR_MS, parserOf, transactionEvents } from '@oja/domain';
import type { Reaction } from './reaction.js';

/** News of an order that comes later than this is no news. In milliseconds. */
export const PUSH_STALE_AFTER_MS = HOUR_MS;

const { PaymentVerified } = transactionEvents;
const parse = parserOf({ PaymentVerified });

/**
 * Tells the browsers of an order's sellers that it was paid. Who they are stands in the read model, once it
 * has passed the event: the first job looks there and asks for one job a browser.
 */
export const push: Reaction = {
  name: 'push',
  events: ['PaymentVerified'],
  staleAfterMs: PUSH_STALE_AFTER_MS,
  react({ id, position, type, data }) {
    const event = parse(type, data);
    if (event === null) return [];
    const { transactionId } = event.data;
    const job = { eventId: id, position, transactionId };
    return [{ queue: queues.orderPushes, target: transactionId, data: job }];
  },
};
