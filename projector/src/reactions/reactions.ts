import { noticedEvents, queues } from '@oja/contracts/models';
import {
  contactEvents,
  type EventOf,
  type EventSchemas,
  HOUR_MS,
  keySubject,
  operationsEvents,
  parserOf,
  paymentChecksAfterMs,
  sellerLetterEvents,
  streamSubject,
  transactionEvents,
} from '@oja/domain';
import type { Jobs, JsonObject, KeptJob, RecordedEvent } from '@oja/platform';

/** A job that an event asks for. */
interface JobRequest {
  readonly queue: string;
  /** Whom or what it is for: with event and reaction it makes the job's id. Letters, digits, `-`. */
  readonly target: string;
  /** Ids only. */
  readonly data: JsonObject;
  readonly delayMs?: number;
}

/** Events → jobs. Only makes things sooner: whatever must happen is an obligation as well. */
export interface Reaction {
  readonly name: string;
  readonly events: readonly string[];
  /** Older events are passed over, in milliseconds; absent: never. */
  readonly staleAfterMs?: number;
  /** Pure. */
  react(event: RecordedEvent): readonly JobRequest[];
}

/** `<eventId>-<reaction>-<target>`: the same event never asks twice. */
export function jobId(event: RecordedEvent, reaction: Reaction, request: JobRequest): string {
  return `${event.id}-${reaction.name}-${request.target}`;
}

/** News that comes later than this is no news. In milliseconds. */
export const PUSH_STALE_AFTER_MS = HOUR_MS;

const { OrderPlaced, PaymentVerified, PaymentMismatched, RefundRequested } = transactionEvents;
const { ReceiptRequested, SellerShareReleased, BuyerRecordRemoved } = transactionEvents;
const { SellerEmailAsked } = sellerLetterEvents;
const { SubjectErased } = operationsEvents;

/**
 * Tells the browsers of sellers what there is word of. Whom an event concerns stands in the read model, once it has
 * passed the event: the first job looks there and asks for one job a browser.
 */
export const push: Reaction = {
  name: 'push',
  events: noticedEvents,
  staleAfterMs: PUSH_STALE_AFTER_MS,
  react: ({ id, position, stream }) => [
    {
      queue: queues.orderPushes,
      target: streamSubject(stream),
      data: { eventId: id, position },
    },
  ],
};

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

const receipt = reaction('receipt', { PaymentVerified }, ({ data: { transactionId } }) => [
  {
    queue: queues.letters,
    target: transactionId,
    data: { kind: 'receipt', subject: transactionId },
  },
]);

const receiptAgain = reaction(
  'receipt-again',
  { ReceiptRequested },
  ({ data: { transactionId, requestId } }) => [
    {
      queue: queues.letters,
      target: transactionId,
      data: { kind: 'receipt-again', subject: `${transactionId}/${requestId}` },
    },
  ],
);

const emailCode = reaction('email-code', { SellerEmailAsked }, ({ data: { sellerId, ask } }) => [
  {
    queue: queues.letters,
    target: `${sellerId}-${ask}`,
    data: { kind: 'email-code', subject: `${sellerId}/${ask}` },
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
  const subject = 'subject' in data ? data.subject : keySubject('transaction', data.transactionId);
  return [{ queue: queues.keys, target: subject.replace(':', '-'), data: { subject } }];
});

/**
 * What events set going at once. Reminders are not here: they are owed for days, which is what the
 * obligations are for, and no queue need hold a job that long.
 */
export const reactions: readonly Reaction[] = [
  receipt,
  receiptAgain,
  emailCode,
  contact,
  paymentCheck,
  refund,
  payout,
  forget,
];

/** A job that an event asked for, as its queue still knows it. */
interface AskedJob {
  readonly event: RecordedEvent;
  readonly job: KeptJob;
}

/** What an event asks for; nothing where it cannot be read. */
function asked(event: RecordedEvent): readonly (readonly [queue: string, id: string])[] {
  try {
    return [...reactions, push]
      .filter(({ events }) => events.includes(event.type))
      .flatMap((reaction) =>
        reaction.react(event).map((request) => [request.queue, jobId(event, reaction, request)]),
      );
  } catch {
    return [];
  }
}

/** The jobs that these events asked for and that are not forgotten yet. */
export async function jobsAskedFor(
  jobs: Pick<Jobs, 'find'>,
  events: readonly RecordedEvent[],
): Promise<readonly AskedJob[]> {
  const found: AskedJob[] = [];
  for (const event of events)
    for (const [queue, id] of asked(event)) {
      const job = await jobs.find(queue, id);
      if (job !== null) found.push({ event, job });
    }
  return found;
}
