import { z } from 'zod';
import type { EventOf } from '../decider.js';
import { id, instant } from '../fields.js';
import { sealed } from '../sealed.js';

/** Sealed under `contact:<id>`. */
export const contactEvents = {
  ContactMessageReceived: z.object({
    contactId: id,
    name: sealed,
    email: sealed,
    subject: sealed,
    message: sealed,
    at: instant,
  }),
};
export type ContactEvent = EventOf<typeof contactEvents>;
