import { z } from 'zod';
import { bytes, count } from './parts.js';

const plan = z.strictObject({
  refusal: z
    .string()
    .nullable()
    .describe('Why the start would be refused; null if the market would open.'),
  release: z.string(),
  dataDir: z.string(),
  format: z.int(),
  logId: z.string().nullable().describe('Null if the start would create a new market.'),
  events: count,
  readModels: z.array(
    z.strictObject({
      projection: z.string(),
      version: z.int(),
      others: z.array(z.int()).describe('Versions built by other releases; they are kept.'),
      goes: z
        .enum(['anew', 'on'])
        .describe('`anew`: rebuilt from the log at the start; `on`: continues where it is.'),
      events: count.describe('Number of events it has to read.'),
      bytes: bytes.nullable().describe('Estimated size of a rebuilt read model; null if unknown.'),
    }),
  ),
  filesMade: z.array(z.string()),
  filesMigrated: z.array(z.string()).describe('Databases in which this release changes tables.'),
  spare: bytes.describe(
    'Free pages in the file of the read models, which rebuilt ones take first.',
  ),
  free: bytes.describe('Free space on the disk of the data folder.'),
});

const headAdmin = z.strictObject({
  sellerId: z.string(),
  isHeadAdmin: z.boolean(),
  changed: z.boolean().describe('False if it already was so.'),
});

const rotation = z.union([
  z.strictObject({
    dryRun: z.literal(false),
    keys: count,
    rewrapped: count,
    lingers: z
      .boolean()
      .describe('True if a reader keeps old bytes in a write-ahead log: run the command again.'),
  }),
  z.strictObject({ dryRun: z.literal(true), keys: count, rewrapped: count }),
]);

const places = z.array(
  z.strictObject({
    path: z.string().describe("Full name of a command; '' is the program itself."),
    words: z
      .array(
        z.strictObject({
          word: z.string(),
          about: z.string(),
          value: z
            .union([z.literal('file'), z.array(z.string())])
            .optional()
            .describe(
              'What follows the option: a file or folder, or one of these words (none: any text). Absent: the option takes no value.',
            ),
        }),
      )
      .describe('Words that can follow it.'),
    takesFiles: z.boolean().describe('True if a file or folder can follow it, too.'),
  }),
);

const schemas = z.union([
  z.array(
    z.strictObject({
      command: z.string(),
      perLine: z
        .boolean()
        .describe(
          'True if the command prints one JSON text per line, each of which matches the schema.',
        ),
    }),
  ),
  z.looseObject({ $schema: z.string() }).describe('A JSON Schema.'),
]);

export const marketAnswers = {
  start: { schema: plan },
  config: {
    schema: z.record(z.string(), z.string()).describe('Settings by the name of their variable.'),
  },
  seed: {
    schema: z.strictObject({
      sellers: count,
      products: count,
      orders: count,
      seed: z.int(),
      password: z.string().describe('Password of every sample seller.'),
    }),
  },
  'admin grant': { schema: headAdmin },
  'admin revoke': { schema: headAdmin },
  'seller reset-password': {
    schema: z.strictObject({ password: z.string(), sessionsEnded: count }),
  },
  'keys rotate': { schema: rotation },
  completion: { schema: places },
  schema: { schema: schemas },
} as const;
