import { emailCodes, limits } from '@oja/domain/rules';
import { z } from 'zod';
import { defineCall } from '../call.js';
import { instant, line, succeeded, typedEmail } from '../schemas/common.js';

/** The address for e-mails about the seller's money and store, and whether they are on. */
export const userLetters = defineCall({
  name: 'userLetters',
  method: 'GET',
  path: '/v1/user/letters',
  owner: 'query-service',
  access: 'seller',
  suspended: 'allowed',
  reads: ['sellers'],
  answers: {
    200: z.object({
      success: z.literal(true),
      /** The confirmed address; null while there is none. */
      email: z.string().nullable(),
      on: z.boolean(),
      /** The address that waits for its code, and when the code expires. */
      asked: z.object({ email: z.string(), ends_at: instant }).nullable(),
    }),
  },
});

/** Sends a code to a new address. A confirmed address stays in use until the new one is confirmed. */
export const askLetterAddress = defineCall({
  name: 'askLetterAddress',
  method: 'POST',
  path: '/v1/user/letters/address',
  owner: 'command-service',
  access: 'seller',
  idempotent: true,
  body: z.strictObject({
    email: typedEmail('must be an e-mail address'),
    /**
     * The password is required again, so that someone who finds a signed-in browser cannot have the
     * owner's letters sent elsewhere.
     */
    password: z.string().min(1, 'is required').max(limits.password.max),
  }),
  answers: { 200: z.object({ success: z.literal(true), ends_at: instant }) },
});

/** Confirms the address with the code from the letter, and turns letters on. */
export const confirmLetterAddress = defineCall({
  name: 'confirmLetterAddress',
  method: 'PUT',
  path: '/v1/user/letters/address',
  owner: 'command-service',
  access: 'seller',
  idempotent: true,
  body: z.strictObject({
    code: line.regex(
      new RegExp(`^\\d{${emailCodes.digits}}$`),
      `must be the ${emailCodes.digits} digits of the letter`,
    ),
  }),
  answers: { 200: succeeded },
});

/** Removes the address, and a pending address with its code. */
export const removeLetterAddress = defineCall({
  name: 'removeLetterAddress',
  method: 'DELETE',
  path: '/v1/user/letters/address',
  owner: 'command-service',
  access: 'seller',
  suspended: 'allowed',
  idempotent: true,
  answers: { 200: succeeded },
});

export const switchLetters = defineCall({
  name: 'switchLetters',
  method: 'PUT',
  path: '/v1/user/letters',
  owner: 'command-service',
  access: 'seller',
  suspended: 'allowed',
  idempotent: true,
  body: z.strictObject({ on: z.boolean() }),
  answers: { 200: succeeded },
});
