import { z } from 'zod';
import { bytes, count, event, generation, parkedStream, seconds } from './parts.js';

const place = z.strictObject({ collection: z.string(), id: z.string() });

const compared = {
  documents: count.describe('That were looked at.'),
  differences: z.array(
    z.strictObject({
      ...place.shape,
      kind: z.enum(['missing', 'extra', 'different', 'moving', 'misindexed']),
      fields: z.array(z.string()).describe('The top-level fields that are not the same.'),
    }),
  ),
};

const verdict = z.strictObject({
  projection: z.string(),
  version: z.int(),
  generation: z.int(),
  ...compared,
  parked: z
    .array(z.strictObject({ stream: z.string(), error: z.string() }))
    .describe('Streams that wait: their documents are not what the log says.'),
});

const books = z.strictObject({
  unbalanced: z
    .array(z.string())
    .describe("Accounts whose two sides differ: transaction ids, or 'all'."),
  wrongSums: z
    .array(z.string())
    .describe("Figures of the market that are not the sum of its orders' or sellers'."),
});

const planned = z.strictObject({
  projection: z.string(),
  version: z.int(),
  events: count.describe('In the log.'),
  read: count.describe('Those that it reads.'),
  seconds: seconds.describe('About how long, measured on the beginning of this log.'),
  room: z
    .strictObject({ folder: z.string(), needed: bytes, free: bytes })
    .nullable()
    .describe('Null: the read models are in MongoDB.'),
});

const replayed = z.strictObject({
  projection: z.string(),
  generation: z.int(),
  documents: count
    .nullable()
    .describe('That were compared; null where a killed replay had done that before.'),
});

/** What `oja replay` prints, by step; `whole` and `several` when no step is named. */
export const replaySteps = {
  whole: replayed.describe('Of one projection.'),
  several: z.array(replayed).describe('Of several, or --all.'),
  stream: z.strictObject({ repaired: z.array(place) }).describe('--stream'),
  plan: planned.describe('plan'),
  start: z.strictObject({ projection: z.string(), generation: z.int() }).describe('start'),
  watch: z.array(generation).describe('watch'),
  verify: z
    .strictObject({ ok: z.boolean(), live: z.int(), next: z.int(), ...compared })
    .describe('verify'),
  switch: z
    .strictObject({ ok: z.literal(true), from: z.int(), to: z.int() })
    .describe('switch, rollback'),
  clean: z
    .strictObject({
      generations: z.array(z.int()),
      versions: z.array(z.int()).describe('That other releases had built.'),
    })
    .describe('clean'),
};

const released = z.strictObject({
  model: z.string(),
  stream: z.string(),
  events: count,
});

export const ofReadModels = {
  verify: {
    schema: z.strictObject({
      ok: z.boolean(),
      models: z.array(verdict),
      ledger: books.nullable().describe('Null where it was not asked for.'),
    }),
  },
  replay: { schema: z.union(Object.values(replaySteps)) },
  'quarantine list': {
    schema: z.array(z.strictObject({ role: generation.shape.role, ...parkedStream.shape })),
  },
  'quarantine show': {
    schema: z.strictObject({ ...parkedStream.shape, waiting: z.array(event) }),
    perLine: true,
  },
  'quarantine retry': { schema: released, perLine: true },
  'quarantine skip': { schema: released, perLine: true },
} as const;
