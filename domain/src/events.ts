import { type BusinessNameEvent, businessNameEvents } from './businessName/events.js';
import { type ContactEvent, contactEvents } from './contact/events.js';
import { parserOf } from './decider.js';
import { type InboxEvent, inboxEvents } from './inbox/events.js';
import { type OperationsEvent, operationsEvents } from './operations/events.js';
import { type ProductEvent, productEvents } from './product/events.js';
import { type ReviewEvent, reviewEvents } from './review/events.js';
import { type SellerEvent, sellerEvents } from './seller/events.js';
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
