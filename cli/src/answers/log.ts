import { z } from 'zod';
import { count, event, instant, kobo } from './parts.js';

const asItWas = z.strictObject({
  stream: z.string(),
  at: instant,
  revision: count.nullable().describe('Of the last event that had happened.'),
  state: z.unknown().describe('What the stream tells; null before its first event.'),
  goods: z.record(z.string(), z.unknown()).optional().describe("A store's goods, by their ids."),
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
    .describe('Of those that are done only the ones that had failed before.'),
  tries: count.describe('How often it was begun.'),
  attempts: count.describe('How often it is begun at most.'),
  error: z
    .string()
    .nullable()
    .describe("Why it failed last; null where it did not, or not as this folder's logs know."),
});

const told = z.strictObject({
  time: instant.describe('Of a letter that is tried again, and of a job that waits: when.'),
  source: z.enum(['log', 'webhook', 'letter', 'job', 'service']),
  what: z.string(),
  who: z.string().nullable().describe('The actor of an event; the service of a line.'),
  requestId: z.string().nullable().describe('For oja events --correlation.'),
  traceId: z.string().nullable().describe('Of a market that is traced: as its collector knows it.'),
  details: z.string(),
  job: job.optional().describe('Of a job alone, whose queue is in `what`.'),
});

const wait = z.strictObject({
  who: z.enum(['buyer', 'operator', 'bank', 'sweep']),
  what: z.string(),
  due: instant.nullable().describe('Until then, or not before; null where no time is set.'),
  command: z.string().nullable().describe('That moves it, where one does.'),
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
  story: z.array(told).describe('The oldest first.'),
  waits: z.array(wait).describe('Nobody: it is closed, or has expired.'),
});

const listed = z.strictObject({
  store: z
    .strictObject({ sellerId: z.string(), businessName: z.string() })
    .nullable()
    .describe("Null: they are a buyer's."),
  orders: z
    .array(z.strictObject({ ...order, sellers: z.array(z.string()) }))
    .describe('The newest first.'),
  isCut: z.boolean().describe('There are older ones too.'),
});

export const ofLog = {
  events: { schema: event, perLine: true },
  'events tail': { schema: event, perLine: true },
  'events show': {
    schema: z.union([event, asItWas.describe('With --at: one alone.')]),
    perLine: true,
  },
  'events stats': { schema: stats },
  trace: {
    schema: z.union([
      story,
      listed.describe('Of a store or a buyer with several orders: to choose from.'),
    ]),
  },
  export: {
    schema: z
      .strictObject({ events: count, sha256: z.string() })
      .describe('Without a file standard output has the export itself.'),
  },
  import: {
    schema: z.union([
      z.strictObject({
        added: count,
        known: count.describe('Events that were there already.'),
      }),
      z.strictObject({ dryRun: z.literal(true), added: count, known: count }),
    ]),
  },
} as const;
