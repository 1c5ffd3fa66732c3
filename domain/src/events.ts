import { type BusinessNameEvent, businessNameEvents } from './business-name.js';
import { type ContactEvent, contactEvents } from './contact.js';
import { parserOf } from './decider.js';
import { type InboxEvent, inboxEvents } from './inbox.js';
import { type OperationsEvent, operationsEvents } from './operations.js';
import { type ProductEvent, productEvents } from './product/events.js';
import { type ReviewEvent, reviewEvents } from './review.js';
import { type SellerEvent, sellerEvents } from './seller.js';
import { type TransactionEvent, transactionEvents } from './transaction/events.js';

/** Every type of event there is, with its schema. */
export const eventSchemas = {
  ...sellerEvents,
  ...businessNameEvents,
  ...productEvents,
  ...transactionEvents,
  ...reviewEvents,
  ...inboxEvents,
  ...contactEvents,
  ...operationsEvents,
};

export type AnyEvent =
  | SellerEvent
  | BusinessNameEvent
  | ProductEvent
  | TransactionEvent
  | ReviewEvent
  | InboxEvent
  | ContactEvent
  | OperationsEvent;
export type EventType = AnyEvent['type'];

/** Of any aggregate: null for an unknown type. @throws ZodError when a known type is malformed. */
export const parseAnyEvent: (type: string, data: unknown) => AnyEvent | null =
  parserOf(eventSchemas);
