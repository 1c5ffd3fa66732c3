import { z } from 'zod';
import { logLine } from '../commands/shared/log-line.js';
import { bytes, count, generation, instant, kobo, position, queues, seconds } from './parts.js';

const modelError = z.strictObject({ model: z.string(), time: instant, message: z.string() });

const served = {
  service: z.string().describe("Name of the service; 'market' is all services in one process."),
  host: z.string(),
  pid: z.int(),
  since: instant,
};

const complaints = count.describe('Number of orders with an open complaint.');
const disputedPayments = count.describe(
  "Number of open disputes of payments at cardholders' banks.",
);
const payableShares = count.describe('Number of shares to be paid by hand.');

/** The part of the status that can be read without the log. */
const fieldsWithoutLog = {
  running: z.boolean(),
  closed: z
    .string()
    .nullable()
    .describe('Why a move out of, or into, this market keeps it closed; null if none does.'),
  processes: z.array(
    z.strictObject({
      ...served,
      listens: z
        .strictObject({ host: z.string().nullable(), port: z.int() })
        .optional()
        .describe('`host` is null if it listens on every address of its machine.'),
      takesNoWrites: z
        .array(z.string())
        .optional()
        .describe('Databases that take no writes: damaged, or on a full or broken disk.'),
    }),
  ),
  demo: z.boolean(),
  dataDir: z.string(),
  free: bytes.describe('Free space on the disk of the data folder.'),
  engines: z.array(
    z.strictObject({
      port: z.string(),
      engine: z.string(),
      bytes: bytes.nullable().describe('Size with the write-ahead log; null for a server.'),
    }),
  ),
  queues,
  obligations: z.array(
    z.strictObject({
      kind: z
        .string()
        .describe(
          '`webhook`: webhooks of the payment provider that are stored but not processed; `seller-news`: news that sellers are to be e-mailed.',
        ),
      open: count.describe('Not done yet, whether due or not.'),
      overdue: count.describe('Due for more than 5 minutes; a sweep runs every minute.'),
      oldest: instant.nullable().describe('When the oldest overdue one became due.'),
    }),
  ),
  money: z
    .strictObject({
      balanced: z.boolean(),
      unbalanced: count.describe(
        "Number of accounts that do not balance, including the market's own.",
      ),
      heldAside: kobo,
      refundsDue: kobo,
      payable: kobo,
    })
    .nullable()
    .describe('Null until a projector has started the ledger.'),
  lastError: z
    .strictObject({
      time: instant,
      service: z.string(),
      message: z.string(),
      model: z
        .string()
        .nullable()
        .describe('The read model that the error is about; null if it is about none.'),
    })
    .nullable(),
  complaints,
  disputedPayments,
  payableShares,
  problems: z
    .array(z.string())
    .describe('What needs attention, in words. With --check, also that nothing serves the market.'),
};

/** What `oja status` prints. */
const status = z.strictObject({
  ...fieldsWithoutLog,
  logId: z.string(),
  head: position.nullable(),
  projections: z.array(z.strictObject({ ...generation.shape, lastError: modelError.nullable() })),
  missing: z.array(z.string()).describe('Read models that no projector has started.'),
  reactions: z.strictObject({ checkpoint: position.nullable() }),
});

const withoutLog = z.strictObject({
  ...fieldsWithoutLog,
  shown: z
    .array(
      z.strictObject({
        projection: z.string(),
        version: z.int(),
        checkpoint: position.nullable().describe('Null if no projector has started it.'),
        checkpointTime: instant
          .nullable()
          .describe('Time at which the event at the checkpoint was recorded.'),
      }),
    )
    .describe('How far each live read model, which people see, has come.'),
});

const withoutStores = z.strictObject({
  running: fieldsWithoutLog.running.describe('Whether this machine serves the market.'),
  services: z
    .array(z.strictObject({ service: z.string(), pid: z.int() }))
    .describe('The services that this machine runs one by one; empty if one process runs all.'),
  demo: fieldsWithoutLog.demo,
  dataDir: fieldsWithoutLog.dataDir,
  free: fieldsWithoutLog.free,
  engines: fieldsWithoutLog.engines,
  logId: z.string().nullable().describe('Null if the log does not answer either.'),
  head: position.nullable(),
  queues,
  lastError: fieldsWithoutLog.lastError,
  problems: fieldsWithoutLog.problems,
});

const callTimes = z.strictObject({
  call: z.string().describe('Method and path pattern.'),
  count,
  p50Ms: z.number(),
  p99Ms: z.number(),
});

/** One frame of `oja top`. */
const frame = z.strictObject({
  time: instant,
  running: z.boolean(),
  demo: z.boolean(),
  processes: z.array(
    z.strictObject({
      ...served,
      answers: z.boolean().describe('False if its figures cannot be read from this machine.'),
      memoryBytes: bytes.nullable(),
      cpu: z.number().nullable().describe('Processors in use: 1 is all of one processor.'),
      eventLoopP99Ms: z
        .number()
        .nullable()
        .describe('How late the event loop was, in 99 of 100 looks at most.'),
    }),
  ),
  requestsPerSecond: z
    .number()
    .nullable()
    .describe('Since the previous look; null if no process answers.'),
  failedPerSecond: z.number().nullable().describe('Requests answered with a 5xx status.'),
  eventsPerSecond: z.number(),
  ordersPlaced: count.describe('Orders placed in the last minute.'),
  ordersPaid: count.describe('Orders paid in the last minute.'),
  readModels: z.array(
    z.strictObject({ projection: z.string(), events: count, seconds, parked: count }),
  ),
  queues,
  callsSeconds: seconds
    .nullable()
    .describe('Length of the period covered by `calls`; null: since each process started.'),
  calls: z.array(callTimes).describe('Slowest first.'),
  complaints,
  disputedPayments,
  payable: payableShares,
  problems: z.array(z.string()).describe('What else needs attention, in words.'),
});

export const watchAnswers = {
  status: {
    schema: z.union([
      status.describe('With --watch, one object per line.'),
      withoutLog.describe(
        'If the log does not answer: what is known without it; the exit code is 1.',
      ),
      withoutStores.describe(
        'If MongoDB does not answer: what is known without it; the exit code is 1.',
      ),
    ]),
  },
  top: { schema: frame },
  // Fields that the schema does not name are printed as the process wrote them.
  logs: {
    schema: z.union([
      logLine,
      z.strictObject({
        torn: z.string().describe('A line that is incomplete or was not written by Oja.'),
      }),
    ]),
    perLine: true,
  },
} as const;
