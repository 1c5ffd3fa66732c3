import { z } from 'zod';
import { transferBody } from './bodies.js';
import { type Inside, SETTLING_MS } from './inside.js';
import { comesBackAt, type TransferRecord } from './records.js';
import { invalidParams, type Reply, success, transferNotFound } from './replies.js';
import { newCode, newId } from './store.js';

const recipientRequest = z.object({
  type: z.literal('nuban'),
  name: z.string().min(1),
  account_number: z.string().regex(/^\d{10}$/),
  bank_code: z.string().min(1),
  currency: z.literal('NGN'),
});

const transferRequest = z.object({
  source: z.literal('balance'),
  amount: z.int().positive(),
  recipient: z.string().min(1),
  reference: z.string().regex(/^[a-z0-9_-]{16,50}$/),
});

/** `POST /transferrecipient`: the account is checked and forgotten, only the code is kept. */
export async function createRecipient(inside: Inside, body: unknown): Promise<Reply> {
  const parsed = recipientRequest.safeParse(body);
  if (!parsed.success) return invalidParams(fieldNamed(parsed.error));
  const code = newCode('RCP_');
  await inside.store.addRecipient(code);
  return success('Transfer recipient created successfully', {
    active: true,
    currency: 'NGN',
    domain: 'test',
    type: 'nuban',
    recipient_code: code,
  });
}

/** `POST /transfer`: the same reference again answers the first transfer and pays nothing more. */
export async function createTransfer(inside: Inside, body: unknown): Promise<Reply> {
  const { store, clock } = inside;
  const parsed = transferRequest.safeParse(body);
  if (!parsed.success) return invalidParams(fieldNamed(parsed.error));
  const { amount, recipient: recipientCode, reference } = parsed.data;
  if (!(await store.isRecipient(recipientCode))) {
    return invalidParams('Recipient specified is invalid');
  }
  const earlier = await store.transfer(reference);
  if (earlier !== null) return again(earlier, amount, recipientCode, clock.now());
  const now = clock.now();
  const record: TransferRecord = {
    id: newId(),
    reference,
    transferCode: newCode('TRF_'),
    recipientCode,
    amount,
    outcome: await outcomeOf(inside, reference),
    createdAt: now,
    settlesAt: now + SETTLING_MS,
  };
  // Of two calls at once the second finds the first one's record.
  if (!(await store.addTransfer(record))) return createTransfer(inside, body);
  const { settlesAt, outcome } = record;
  if (outcome === 'reversed')
    await inside.notify('transfer.success', transferBody(record, settlesAt), reference, settlesAt);
  const endsAt = outcome === 'reversed' ? comesBackAt(record) : settlesAt;
  await inside.notify(`transfer.${outcome}`, transferBody(record, endsAt), reference, endsAt);
  return success('Transfer has been queued', transferBody(record, now));
}

/** `GET /transfer/verify/:reference`. */
export async function verifyTransfer(inside: Inside, reference: string): Promise<Reply> {
  const record = await inside.store.transfer(reference);
  if (record === null) return transferNotFound;
  return success('Transfer retrieved', transferBody(record, inside.clock.now()));
}

async function outcomeOf(inside: Inside, reference: string): Promise<TransferRecord['outcome']> {
  if ((await inside.faults.take('fail-transfer', reference)) !== null) return 'failed';
  if ((await inside.faults.take('reverse-transfer', reference)) !== null) return 'reversed';
  return 'success';
}

function again(earlier: TransferRecord, amount: number, recipient: string, now: number): Reply {
  return earlier.amount === amount && earlier.recipientCode === recipient
    ? success('Transfer has been queued', transferBody(earlier, now))
    : invalidParams('This reference belongs to another transfer');
}

const fieldNamed = (error: z.ZodError): string =>
  `Invalid value for ${error.issues[0]?.path.join('.') || 'the body'}`;
