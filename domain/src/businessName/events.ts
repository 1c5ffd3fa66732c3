import { z } from 'zod';
import type { EventOf } from '../decider.js';
import { id, instant } from '../fields.js';

/** The reservation that makes a name unique: free, or held by one seller. */
export const businessNameEvents = {
  BusinessNameClaimed: z.object({
    nameKey: z.string().min(1),
    businessName: z.string().min(1),
    sellerId: id,
    at: instant,
  }),
  BusinessNameReleased: z.object({ nameKey: z.string().min(1), sellerId: id }),
};
export type BusinessNameEvent = EventOf<typeof businessNameEvents>;
