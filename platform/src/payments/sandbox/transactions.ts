import { z } from 'zod';
import { transactionBody } from './bodies.js';
import type { Inside } from './inside.js';
import { failure, invalidParams, type Reply, success, transactionNotFound } from './replies.js';
import { newCode, newId } from './store.js';

const initializeBody = z.object({
  email: z.email('Invalid Email Address Passed'),
  amount: z.int('Invalid Amount Sent').positive('Invalid Amount Sent'),
  currency: z.literal('NGN', 'Currency not supported by merchant').default('NGN'),
  reference: z
    .string()
    .regex(/^[A-Za-z0-9.=-]{1,100}$/, 'Invalid reference')
    .optional(),
  callback_url: z.url({ protocol: /^https?$/, error: 'Invalid callback_url' }),
});

/** `POST /transaction/initialize`. A reference is used once; a second use replays nothing. */
export async function initializeTransaction(inside: Inside, body: unknown): Promise<Reply> {
  const parsed = initializeBody.safeParse(body);
  if (!parsed.success) return invalidParams(parsed.error.issues[0]?.message ?? 'Invalid body');
  const { amount, callback_url: callbackUrl, reference = newCode('T') } = parsed.data;
  const accessCode = newCode('');
  const now = inside.clock.now();
  const isNew = await inside.store.addTransaction({
    id: newId(),
    reference,
    accessCode,
    amount,
    callbackUrl,
    createdAt: now,
    outcome: 'abandoned',
    settlesAt: now,
    refunds: [],
  });
  if (!isNew) {
    return failure(
      400,
      'duplicate_reference',
      'Duplicate Transaction Reference',
      'Use a reference that has not been used before',
    );
  }
  return success('Authorization URL created', {
    authorization_url: `${inside.address}/checkout/${accessCode}`,
    access_code: accessCode,
    reference,
  });
}

/** `GET /transaction/verify/:reference`: 200 for failed payments too. */
export async function verifyTransaction(inside: Inside, reference: string): Promise<Reply> {
  const record = await inside.store.transaction(reference);
  if (record === null) return transactionNotFound;
  return success('Verification successful', transactionBody(record, inside.clock.now()));
}
