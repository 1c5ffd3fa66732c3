import { queues } from '@oja/contracts/models';
import {
  contactEvents,
  type EventOf,
  type EventSchemas,
  operationsEvents,
  parserOf,
  paymentChecksAfterMs,
  transactionEvents,
} from '@oja/domain';
import type { JobRequest, Reaction } from './reaction.js';

/** A reaction to parsed events. */
function reaction<S extends EventSchemas>(
  name: string,
  schemas: S,
  react: (event: EventOf<S>) => readonly JobRequest[],
): Reaction {
  const parse = parserOf(schemas);
  return {
    name,
    events: Object.keys(schemas),
    react({ type, data }) {
      const event = parse(type, data);
      return event === null ? [] : react(event);
    },
  };
}

const { OrderPlaced, PaymentVerified, PaymentMismatched, RefundRequested } = transactionEvents;
const { SellerShareReleased, BuyerRecordRemoved } = transactionEvents;
const { SubjectErased } = operationsEvents;

const receipt = reaction('receipt', { PaymentVerified }, ({ data: { transactionId } }) => [
  {
    queue: queues.letters,
    target: transactionId,
    data: { kind: 'receipt', subject: transactionId },
  },
]);

const contact = reaction('contact', contactEvents, ({ data: { contactId } }) => [
  { queue: queues.letters, target: contactId, data: { kind: 'contact', subject: contactId } },
]);

/** Asks after a payment as often as the obligations do, only more to the minute. */
const paymentCheck = reaction('payment-check', { OrderPlaced }, ({ data: { transactionId } }) =>
  paymentChecksAfterMs.map((delayMs, i) => ({
    queue: queues.paymentChecks,
    target: `${transactionId}-${i + 1}`,
    data: { transactionId },
    delayMs,
  })),
);

const refund = reaction(
  'refund',
  { PaymentMismatched, RefundRequested },
  ({ data: { transactionId, refundId } }) => [
    { queue: queues.refunds, target: transactionId, data: { transactionId, refundId } },
  ],
);

const payout = reaction(
  'payout',
  { SellerShareReleased },
  ({ data: { transactionId, sellerId } }) => [
    { queue: queues.payouts, target: sellerId, data: { transactionId, sellerId } },
  ],
);

const forget = reaction('forget', { BuyerRecordRemoved, SubjectErased }, ({ data }) => {
  const subject = 'subject' in data ? data.subject : `transaction:${data.transactionId}`;
  return [{ queue: queues.keys, target: subject.replace(':', '-'), data: { subject } }];
});

/**
 * What events set going at once. Reminders are not here: they are owed for days, which is what the
 * obligations are for, and no queue need hold a job that long.
 */
export const reactions: readonly Reaction[] = [
  receipt,
  contact,
  paymentCheck,
  refund,
  payout,
  forget,
];
