import { z } from 'zod';
import { count, event, instant, kobo } from './parts.js';

const streamAtTime = z.strictObject({
  stream: z.string(),
  at: instant,
  revision: count
    .nullable()
    .describe('Revision of the last event up to that time; null if there was none.'),
  state: z.unknown().describe('State of the stream at that time; null before its first event.'),
  goods: z.record(z.string(), z.unknown()).optional().describe('Products of a store, by id.'),
});

const stats = z.strictObject({
  events: count,
  streams: count,
  first: instant.nullable(),
  last: instant.nullable(),
  types: z.record(z.string(), count),
  categories: z.record(z.string(), z.strictObject({ events: count, streams: count })),
});

const job = z.strictObject({
  id: z.string(),
  state: z
    .enum(['waiting', 'active', 'done', 'failed'])
    .describe('`done` jobs are listed only if an earlier attempt failed.'),
  tries: count.describe('Number of attempts so far.'),
  attempts: count.describe('Maximum number of attempts.'),
  error: z
    .string()
    .nullable()
    .describe(
      'Error of the last failed attempt; null if none failed, or if the logs in this data folder do not have it.',
    ),
});

const storyEntry = z.strictObject({
  time: instant.describe(
    'For a waiting job, and for an e-mail that could not be sent: the time of the next attempt.',
  ),
  source: z.enum(['log', 'webhook', 'letter', 'job', 'service']),
  what: z.string(),
  who: z
    .string()
    .nullable()
    .describe('The actor of an event, or the service that wrote a log line.'),
  requestId: z
    .string()
    .nullable()
    .describe('Correlation id of the request, for oja events --correlation.'),
  traceId: z.string().nullable().describe('Trace id at the collector, if the market is traced.'),
  details: z.string(),
  job: job
    .optional()
    .describe('Present only if `source` is `job`; `what` is then the name of the queue.'),
});

const wait = z.strictObject({
  who: z.enum(['buyer', 'seller', 'operator', 'bank', 'sweep']),
  what: z.string(),
  due: instant.nullable().describe('Deadline, or earliest time; null if no time is set.'),
  command: z.string().nullable().describe('Command that ends the wait; null if there is none.'),
});

const order = {
  transactionId: z.string(),
  number: z.string(),
  placedAt: instant,
  amount: kobo,
  payment: z.enum(['paid', 'not paid', 'expired', 'taken back']),
  received: z.string(),
};

const story = z.strictObject({
  order: z.strictObject({
    ...order,
    references: z.array(z.string()),
    goods: count,
    sellers: z.array(
      z.strictObject({ sellerId: z.string(), businessName: z.string(), status: z.string() }),
    ),
    buyerRemoved: z.boolean(),
  }),
  story: z.array(storyEntry).describe('Oldest first.'),
  waits: z.array(wait).describe('What the order waits for; empty if it is closed or has expired.'),
});

const listed = z.strictObject({
  store: z
    .strictObject({ sellerId: z.string(), businessName: z.string() })
    .nullable()
    .describe('Null if the orders are those of a buyer.'),
  orders: z
    .array(z.strictObject({ ...order, sellers: z.array(z.string()) }))
    .describe('Newest first.'),
  isCut: z.boolean().describe('True if there are older orders that are not listed.'),
});

export const logAnswers = {
  events: { schema: event, perLine: true },
  'events tail': { schema: event, perLine: true },
  'events show': {
    schema: z.union([event, streamAtTime.describe('With --at: a single object.')]),
    perLine: true,
  },
  'events stats': { schema: stats },
  trace: {
    schema: z.union([
      story,
      listed.describe('For a store or a buyer with several orders: a list to choose from.'),
    ]),
  },
  export: {
    schema: z
      .strictObject({ events: count, sha256: z.string() })
      .describe(
        'Printed only if a file is named; otherwise standard output has the export itself.',
      ),
  },
  import: {
    schema: z.union([
      z.strictObject({
        added: count,
        known: count.describe('Number of events that were already there.'),
      }),
      z.strictObject({ dryRun: z.literal(true), added: count, known: count }),
    ]),
  },
} as const;
