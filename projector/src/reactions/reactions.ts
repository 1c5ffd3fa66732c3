import { noticeEvents, paymentCheckJobId, queues } from '@oja/contracts/models';
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
  /** What the job is for; part of the job's id, with event and reaction. Only letters, digits and `-`. */
  readonly target: string;
  /** Ids only. */
  readonly data: JsonObject;
  readonly delayMs?: number;
}

/** Turns events into jobs. It only makes things sooner: whatever must happen is an obligation as well. */
export interface Reaction {
  readonly name: string;
  readonly events: readonly string[];
  /** Events older than this are ignored, in milliseconds; absent: none is too old. */
  readonly staleAfterMs?: number;
  /** Pure. */
  react(event: RecordedEvent): readonly JobRequest[];
}

/** `<eventId>-<reaction>-<target>`: reacting to the same event again adds no further job. */
export function jobId(event: RecordedEvent, reaction: Reaction, request: JobRequest): string {
  return `${event.id}-${reaction.name}-${request.target}`;
}

/** A notice older than this is not pushed. In milliseconds. */
export const PUSH_STALE_AFTER_MS = HOUR_MS;

const { OrderPlaced, PaymentVerified, PaymentMismatched, RefundRequested } = transactionEvents;
const { ReceiptRequested, SellerShareReleased, BuyerRecordRemoved } = transactionEvents;
const { SellerEmailAsked } = sellerLetterEvents;
const { SubjectErased } = operationsEvents;

/**
 * Notifies the browsers of sellers. The read model knows whom an event concerns once it has passed
 * the event: the first job looks there and adds one job per browser.
 */
export const push: Reaction = {
  name: 'push',
  events: noticeEvents,
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

/** The first check. As long as the order may still be paid, the job of each adds that of the next. */
const paymentCheck: Reaction = {
  ...reaction('payment-check', { OrderPlaced }, ({ data: { transactionId } }) => [
    {
      queue: queues.paymentChecks,
      target: `${transactionId}-1`,
      data: { transactionId, check: 1 },
      delayMs: paymentChecksAfterMs[0],
    },
  ]),
  // What has been due for so long, a sweep has done or is doing.
  staleAfterMs: HOUR_MS,
};

const refund = reaction(
  'refund',
  { PaymentMismatched, RefundRequested },
  ({ data: { transactionId } }) => [
    { queue: queues.refunds, target: transactionId, data: { transactionId } },
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
 * What events trigger at once. Reminders are not here: they are owed for days, which is what
 * obligations are for, and no queue has to keep a job that long.
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

/** A job that an event added, as its queue still knows it. */
interface AddedJob {
  readonly event: RecordedEvent;
  readonly job: KeptJob;
}

/** The ids of a job and of those that it may add. */
const followUpIds = (queue: string, id: string): readonly string[] =>
  queue === queues.paymentChecks
    ? paymentChecksAfterMs.map((_, i) => paymentCheckJobId(id, i + 1))
    : [id];

/** The jobs that an event adds, at once or one after the other; none when it cannot be parsed. */
function jobIdsOf(event: RecordedEvent): readonly (readonly [queue: string, id: string])[] {
  try {
    return [...reactions, push]
      .filter(({ events }) => events.includes(event.type))
      .flatMap((reaction) =>
        reaction.react(event).flatMap((request) => {
          const id = jobId(event, reaction, request);
          return followUpIds(request.queue, id).map((each) => [request.queue, each] as const);
        }),
      );
  } catch {
    return [];
  }
}

/** The jobs that these events added, as far as their queues still know them. */
export async function findAddedJobs(
  jobs: Pick<Jobs, 'find'>,
  events: readonly RecordedEvent[],
): Promise<readonly AddedJob[]> {
  const found: AddedJob[] = [];
  for (const event of events)
    for (const [queue, id] of jobIdsOf(event)) {
      const job = await jobs.find(queue, id);
      if (job !== null) found.push({ event, job });
    }
  return found;
}
