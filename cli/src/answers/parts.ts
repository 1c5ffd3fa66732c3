import { z } from 'zod';

export const instant = z.iso.datetime();
/** Position of an event in the whole log: 20 digits, so that positions sort as text. */
export const position = z.string().regex(/^\d{20}$/);
export const count = z.int().min(0);
export const bytes = z.int().min(0);
export const seconds = z.number().min(0);
export const kobo = z.int().describe('Kobo: hundredths of a naira.');

/** An event as the log holds it; personal values stay sealed. */
export const event = z.strictObject({
  id: z.string(),
  stream: z.string(),
  revision: count,
  position,
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  metadata: z.strictObject({
    actor: z.string(),
    commandId: z.string(),
    correlationId: z.string(),
    causationId: z.string(),
    time: instant,
    schemaVersion: z.int(),
    traceparent: z.string().optional(),
  }),
});

export const parkedStream = z.strictObject({
  model: z.string().describe('The read model, its version and its generation.'),
  stream: z.string(),
  revision: count.describe('Revision of the first waiting event.'),
  position,
  eventId: z.string(),
  eventType: z.string(),
  since: instant.describe('When the stream was parked.'),
  error: z.string(),
  events: count.describe('Number of waiting events.'),
  holdsAll: z
    .literal(true)
    .optional()
    .describe('True if the whole read model waits before this event.'),
});

/** One generation of a read model, as the document store records it. */
export const generation = z.strictObject({
  projection: z.string(),
  version: z.int(),
  generation: z.int(),
  role: z.enum(['live', 'built', 'building']),
  checkpoint: position.nullable(),
  checkpointTime: instant.nullable(),
  lag: z.strictObject({ events: count.describe('10,000 means at least 10,000.'), seconds }),
  aheadOfLog: z.boolean().describe('True if it is ahead of the end of a restored log.'),
  parked: z.array(parkedStream),
});

export const queues = z
  .record(
    z.string(),
    z.strictObject({ waiting: count, delayed: count, active: count, failed: count }),
  )
  .nullable()
  .describe('Null if Redis does not answer.');
