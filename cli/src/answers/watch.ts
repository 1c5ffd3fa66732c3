import { z } from 'zod';
import { logLine } from '../commands/shared/log-line.js';
import { bytes, count, generation, instant, kobo, position, queues, seconds } from './parts.js';

const modelError = z.strictObject({ model: z.string(), time: instant, message: z.string() });

const served = {
  service: z.string().describe("'market': all services in one."),
  host: z.string(),
  pid: z.int(),
  since: instant,
};

/** The part of the status that can be read without the log. */
const besideLog = {
  running: z.boolean(),
  processes: z.array(
    z.strictObject({
      ...served,
      listens: z
        .strictObject({ host: z.string().nullable(), port: z.int() })
        .optional()
        .describe('`host` null: every address of its machine.'),
      takesNoWrites: z
        .array(z.string())
        .optional()
        .describe('Databases: damaged, or of a disk that is full or broken.'),
    }),
  ),
  demo: z.boolean(),
  dataDir: z.string(),
  free: bytes.describe('On the disk of the data folder.'),
  engines: z.array(
    z.strictObject({
      port: z.string(),
      engine: z.string(),
      bytes: bytes.nullable().describe('Of an embedded one, with its write-ahead log.'),
    }),
  ),
  queues,
  obligations: z.array(
    z.strictObject({
      kind: z
        .string()
        .describe(
          '`webhook`: a notice of the provider that was kept and not worked on; `seller-news`: one of a seller, to be written about.',
        ),
      open: count.describe('Not done yet, due or not.'),
      overdue: count.describe('Due for longer than a sweep or two takes.'),
      oldest: instant.nullable().describe('Since when the oldest of those is due.'),
    }),
  ),
  money: z
    .strictObject({
      balanced: z.boolean(),
      unbalanced: count.describe("Accounts that do not balance, the market's own among them."),
      heldAside: kobo,
      refundsDue: kobo,
      payable: kobo,
    })
    .nullable()
    .describe('Null before the ledger has been begun.'),
  lastError: z
    .strictObject({
      time: instant,
      service: z.string(),
      message: z.string(),
      model: z.string().nullable().describe('Where it is about a read model.'),
    })
    .nullable(),
  problems: z.array(z.string()).describe('What needs a person, in words.'),
};

/** What `oja status` prints. */
const status = z.strictObject({
  ...besideLog,
  logId: z.string(),
  head: position.nullable(),
  projections: z.array(z.strictObject({ ...generation.shape, lastError: modelError.nullable() })),
  missing: z.array(z.string()).describe('Read models that no projector has begun.'),
  reactions: z.strictObject({ checkpoint: position.nullable() }),
});

const withoutLog = z.strictObject({
  ...besideLog,
  shown: z
    .array(
      z.strictObject({
        projection: z.string(),
        version: z.int(),
        checkpoint: position.nullable().describe('Null: no projector has begun it.'),
        checkpointTime: instant
          .nullable()
          .describe('When the event at the checkpoint was recorded.'),
      }),
    )
    .describe('How far what people see has come.'),
});

const callTimes = z.strictObject({
  call: z.string().describe('The method and the pattern of the path.'),
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
      answers: z.boolean().describe('False: it cannot be asked for its figures from here.'),
      memoryBytes: bytes.nullable(),
      cpu: z.number().nullable().describe('Of one processor: 1 is all of it.'),
      eventLoopP99Ms: z.number().nullable(),
    }),
  ),
  requestsPerSecond: z
    .number()
    .nullable()
    .describe('Since the look before; null where no process answers.'),
  failedPerSecond: z.number().nullable().describe('Answered with 5xx.'),
  eventsPerSecond: z.number(),
  ordersPlaced: count.describe('In the last minute.'),
  ordersPaid: count.describe('In the last minute.'),
  readModels: z.array(
    z.strictObject({ projection: z.string(), events: count, seconds, parked: count }),
  ),
  queues,
  callsSeconds: seconds
    .nullable()
    .describe('Since when calls are counted: so long ago, or null: since each process began.'),
  calls: z.array(callTimes).describe('The slowest first.'),
  complaints: count.describe('Orders that somebody has complained about.'),
  payable: count.describe('Shares that are to be paid by hand.'),
  problems: z.array(z.string()).describe('What else needs a person, in words.'),
});

export const ofWatching = {
  status: {
    schema: z.union([
      status.describe('With --watch one a line.'),
      withoutLog.describe('Where the log does not answer: what is known all the same, and exit 1.'),
    ]),
  },
  top: { schema: frame },
  // Fields that the schema does not name are printed as the process wrote them.
  logs: {
    schema: z.union([
      logLine,
      z.strictObject({ torn: z.string().describe('No line of ours: cut, or written by others.') }),
    ]),
    perLine: true,
  },
} as const;
