import { z } from 'zod';
import { bytes, count, event, generation, parkedStream, seconds } from './parts.js';

const place = z.strictObject({ collection: z.string(), id: z.string() });

const compared = {
  documents: count.describe('Number of documents compared.'),
  differences: z.array(
    z.strictObject({
      ...place.shape,
      kind: z.enum(['missing', 'extra', 'different', 'moving', 'misindexed']),
      fields: z.array(z.string()).describe('Top-level fields that differ.'),
    }),
  ),
};

const verdict = z.strictObject({
  projection: z.string(),
  version: z.int(),
  generation: z.int(),
  ...compared,
  parked: z
    .array(
      z.strictObject({
        stream: z.string(),
        error: z.string(),
        holdsAll: parkedStream.shape.holdsAll,
      }),
    )
    .describe('Parked streams, whose documents do not match the log.'),
});

const books = z.strictObject({
  unbalanced: z
    .array(z.string())
    .describe("Accounts that do not balance: transaction ids, or 'all' for the whole market."),
  wrongSums: z
    .array(z.string())
    .describe('Figures of the market that differ from the sum over its orders or sellers.'),
});

const planned = z.strictObject({
  projection: z.string(),
  version: z.int(),
  events: count.describe('Number of events in the log.'),
  read: count.describe('Number of events that this projection reads.'),
  seconds: seconds.describe('Estimated duration, measured on the first events of this log.'),
  room: z
    .strictObject({ folder: z.string(), needed: bytes, free: bytes })
    .nullable()
    .describe('Null if the read models are in MongoDB.'),
});

const replayed = z.strictObject({
  projection: z.string(),
  generation: z.int(),
  documents: count
    .nullable()
    .describe('Number of documents compared; null if an earlier, killed replay compared them.'),
});

/** What `oja replay` prints, by step; `whole` and `several` when no step is named. */
export const replaySteps = {
  whole: replayed.describe('One projection, no step.'),
  several: z.array(replayed).describe('Several projections, or --all.'),
  stream: z.strictObject({ repaired: z.array(place) }).describe('With --stream.'),
  plan: planned.describe('Step plan.'),
  start: z.strictObject({ projection: z.string(), generation: z.int() }).describe('Step start.'),
  watch: z.array(generation).describe('Step watch.'),
  verify: z
    .strictObject({ ok: z.boolean(), live: z.int(), next: z.int(), ...compared })
    .describe('Step verify.'),
  switch: z
    .strictObject({ ok: z.literal(true), from: z.int(), to: z.int() })
    .describe('Steps switch and rollback.'),
  clean: z
    .strictObject({
      generations: z.array(z.int()),
      versions: z.array(z.int()).describe('Versions that other releases had built.'),
    })
    .describe('Step clean.'),
};

const released = z.strictObject({
  model: z.string(),
  stream: z.string(),
  events: count,
});

export const readModelAnswers = {
  verify: {
    schema: z.strictObject({
      ok: z.boolean(),
      models: z.array(verdict),
      unverified: z
        .array(z.strictObject({ projection: z.string(), why: z.string() }))
        .describe('Read models that could not be checked, with the reason in words.'),
      ledger: books.nullable().describe('Null if the ledger was not verified.'),
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
