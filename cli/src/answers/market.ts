import { z } from 'zod';
import { bytes, count } from './parts.js';

const plan = z.strictObject({
  refusal: z.string().nullable().describe('Why a start would be refused; null: it would open.'),
  release: z.string(),
  dataDir: z.string(),
  format: z.int(),
  logId: z.string().nullable().describe('Null: a new market would be made.'),
  events: count,
  readModels: z.array(
    z.strictObject({
      projection: z.string(),
      version: z.int(),
      others: z.array(z.int()).describe('Versions of other releases, which stay.'),
      goes: z.enum(['anew', 'on']).describe('`anew`: built from the log at the start.'),
      events: count.describe('That it has to read.'),
      bytes: bytes.nullable().describe('About how much it takes; null where that is not known.'),
    }),
  ),
  filesMade: z.array(z.string()),
  filesMigrated: z.array(z.string()).describe('Databases whose tables this release changes.'),
  free: bytes.describe('On the disk of the data folder.'),
});

const headAdmin = z.strictObject({
  sellerId: z.string(),
  isHeadAdmin: z.boolean(),
  changed: z.boolean().describe('False: it was so already.'),
});

const rotation = z.union([
  z.strictObject({
    dryRun: z.literal(false),
    keys: count,
    rewrapped: count,
    lingers: z.boolean().describe('A reader keeps old bytes in a write-ahead log: run it again.'),
  }),
  z.strictObject({ dryRun: z.literal(true), keys: count, rewrapped: count }),
]);

const places = z.array(
  z.strictObject({
    path: z.string().describe("A command by all its words, '' for the program itself."),
    words: z
      .array(z.strictObject({ word: z.string(), about: z.string() }))
      .describe('What may follow it.'),
  }),
);

const schemas = z.union([
  z.array(
    z.strictObject({
      command: z.string(),
      perLine: z.boolean().describe('It prints one JSON text a line, each of which is of it.'),
    }),
  ),
  z.looseObject({ $schema: z.string() }).describe('A JSON Schema.'),
]);

export const ofMarket = {
  start: { schema: plan },
  config: { schema: z.record(z.string(), z.string()).describe('By the name of the variable.') },
  seed: {
    schema: z.strictObject({
      sellers: count,
      products: count,
      orders: count,
      seed: z.int(),
      password: z.string().describe("Every sample seller's."),
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
