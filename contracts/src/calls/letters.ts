import { emailCodes, limits } from '@oja/domain/rules';
import { z } from 'zod';
import { defineCall } from '../call.js';
import { instant, succeeded } from '../schemas/common.js';

/** Where letters about the seller's own money and store go, and whether they are wanted. */
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
      /** An address whose code has not been typed yet, and until when it is good for something. */
      asked: z.object({ email: z.string(), ends_at: instant }).nullable(),
    }),
  },
});

/** Sends a code to an address. A confirmed one stays in use until the code of the new one was typed. */
export const askLetterAddress = defineCall({
  name: 'askLetterAddress',
  method: 'POST',
  path: '/v1/user/letters/address',
  owner: 'command-service',
  access: 'seller',
  idempotent: true,
  body: z.strictObject({
    email: z.email('must be an e-mail address').max(limits.email.max),
    /** Asked again: whoever finds a browser signed in must not read of its owner's money elsewhere. */
    password: z.string().min(1, 'is required').max(limits.password.max),
  }),
  answers: { 200: z.object({ success: z.literal(true), ends_at: instant }) },
});

/** The code, as the letter has it: letters are on from then on. */
export const confirmLetterAddress = defineCall({
  name: 'confirmLetterAddress',
  method: 'PUT',
  path: '/v1/user/letters/address',
  owner: 'command-service',
  access: 'seller',
  idempotent: true,
  body: z.strictObject({
    code: z
      .string()
      .regex(
        new RegExp(`^\\d{${emailCodes.digits}}$`),
        `must be the ${emailCodes.digits} digits of the letter`,
      ),
  }),
  answers: { 200: succeeded },
});

/** Takes the address away, and a code that is under way with it. */
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
