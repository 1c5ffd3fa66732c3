import { z } from 'zod';
import type { EventOf } from '../decider.js';
import { id, instant } from '../fields.js';

/** What operators do to the market itself. */
export const operationsEvents = {
  ReplayRequested: z.object({ projection: z.string(), generation: z.number().int(), at: instant }),
  ReplaySwitched: z.object({
    projection: z.string(),
    from: z.number().int(),
    to: z.number().int(),
    at: instant,
  }),
  StreamQuarantined: z.object({
    projection: z.string(),
    stream: z.string(),
    reason: z.string(),
    at: instant,
  }),
  StreamReleased: z.object({
    projection: z.string(),
    stream: z.string(),
    how: z.enum(['retry', 'skip']),
    reason: z.string(),
    /** The revisions that are passed over for ever: every rebuild passes over them too. */
    skipped: z.array(z.number().int()).optional(),
    at: instant,
  }),
  /** `transaction:<id>`, `seller:<id>` or `contact:<id>`: the key is to be destroyed, again after each restore. */
  SubjectErased: z.object({ subject: id, at: instant }),
};
export type OperationsEvent = EventOf<typeof operationsEvents>;
