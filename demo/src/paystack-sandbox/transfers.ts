import { z } from 'zod';
import {
  invalidParams,
  type Reply,
  success,
  transferBody,
  transferNotFound,
  transferReferenceUsed,
} from './bodies.js';
import { type Inside, SETTLING_MS } from './inside.js';
import { noticesOfTransfer } from './notices.js';
import type { TransferRecord } from './records.js';
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

/** `POST /transfer`. A reference is used once: a second use is refused and says nothing of the first. */
export async function createTransfer(inside: Inside, body: unknown): Promise<Reply> {
  const { store, clock } = inside;
  const parsed = transferRequest.safeParse(body);
  if (!parsed.success) return invalidParams(fieldNamed(parsed.error));
  const { amount, recipient: recipientCode, reference } = parsed.data;
  if ((await store.transfer(reference)) !== null) return transferReferenceUsed;
  if (!(await store.isRecipient(recipientCode)))
    return invalidParams('Recipient specified is invalid');
  const now = clock.now();
  const { outcome, settlingMs } = await outcomeOf(inside, reference);
  const record: TransferRecord = {
    id: newId(),
    reference,
    transferCode: newCode('TRF_'),
    recipientCode,
    amount,
    outcome,
    createdAt: now,
    settlesAt: now + settlingMs,
  };
  // Of two calls at once one is the first.
  if (!(await store.addTransfer(record))) return transferReferenceUsed;
  for (const notice of noticesOfTransfer(record)) await inside.notify(notice);
  return success('Transfer has been queued', transferBody(record, now));
}

/** `GET /transfer/verify/:reference`. */
export async function verifyTransfer(inside: Inside, reference: string): Promise<Reply> {
  const record = await inside.store.transfer(reference);
  if (record === null) return transferNotFound;
  return success('Transfer retrieved', transferBody(record, inside.clock.now()));
}

interface Planned {
  readonly outcome: TransferRecord['outcome'];
  readonly settlingMs: number;
}

async function outcomeOf({ faults }: Inside, reference: string): Promise<Planned> {
  const settlingMs = SETTLING_MS;
  if ((await faults.take('fail-transfer', reference)) !== null)
    return { outcome: 'failed', settlingMs };
  if ((await faults.take('reverse-transfer', reference)) !== null)
    return { outcome: 'reversed', settlingMs };
  const ended = await faults.take('end-transfer', reference);
  return ended === null
    ? { outcome: 'success', settlingMs }
    : { outcome: ended.outcome ?? 'abandoned', settlingMs: ended.delayMs };
}

const fieldNamed = (error: z.ZodError): string =>
  `Invalid value for ${error.issues[0]?.path.join('.') || 'the body'}`;
