import { z } from 'zod';

/** The first line of an export: what follows, and from which log. */
export const header = z.object({
  kind: z.literal('oja-export'),
  format: z.literal(1),
  logId: z.string(),
  at: z.string(),
});
export type Header = z.infer<typeof header>;

/**
 * An event as it was recorded. Its position belongs to the log it came from: it is here only for the
 * events that name a place of that log. Exports of earlier releases are without it.
 */
export const line = z.object({
  position: z.string().optional(),
  stream: z.string().min(1),
  revision: z.number().int().min(0),
  id: z.uuid(),
  type: z.string().min(1),
  data: z.record(z.string(), z.json()),
  metadata: z.object({
    actor: z.string(),
    commandId: z.string(),
    correlationId: z.string(),
    causationId: z.string(),
    time: z.string(),
    schemaVersion: z.number().int(),
  }),
});
export type Line = z.infer<typeof line>;

/** The last line: how many events there are, and the SHA-256 of every byte before it. */
export const trailer = z.object({
  kind: z.literal('oja-export-end'),
  events: z.number().int(),
  sha256: z.string(),
});
export type Trailer = z.infer<typeof trailer>;
