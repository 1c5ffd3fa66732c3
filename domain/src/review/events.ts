import { z } from 'zod';
import type { EventOf } from '../decider.js';
import { id, instant } from '../fields.js';

export const reviewEvents = {
  ReviewPosted: z.object({
    reviewId: id,
    /** Null: anonymous. */
    businessName: z.string().nullable(),
    sellerId: id.nullable(),
    comment: z.string().min(1),
    stars: z.number().int().min(1).max(5),
    at: instant,
  }),
};
export type ReviewEvent = EventOf<typeof reviewEvents>;
