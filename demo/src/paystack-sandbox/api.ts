import type { IncomingMessage } from 'node:http';
import { isSameSecret } from '@oja/platform';
import type { Context } from 'koa';
import { z } from 'zod';
import {
  failure,
  invalidParams,
  type Reply,
  refundBody,
  success,
  transactionBody,
  transactionNotFound,
  transferBody,
  transferNotFound,
  transferReferenceUsed,
} from './bodies.js';
import { type SandboxContext, SETTLING_MS } from './context.js';
import {
  newCode,
  newId,
  type RefundRecord,
  refundable,
  type TransferRecord,
  transactionStatus,
} from './store.js';
import { noticeOfRefund, noticesOfTransfer } from './webhooks.js';

const LONGEST_BODY = 64 * 1024;

/** The parsed JSON body of a request; undefined when it is not JSON or is longer than 64 KB. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= LONGEST_BODY) chunks.push(chunk);
  }
  if (length > LONGEST_BODY) return undefined;
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Whether the Authorization header carries the secret key, compared in constant time. */
export const carriesKey = (authorization: string | undefined, secret: string): boolean =>
  isSameSecret(authorization ?? '', `Bearer ${secret}`);

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

const VERIFY = '/transaction/verify/';
const VERIFY_TRANSFER = '/transfer/verify/';

/** The part of Paystack's API that Oja calls; null for any other call. */
function handle(
  context: SandboxContext,
  { method, path, query, body }: Call,
): Promise<Reply> | null {
  switch (`${method} ${path}`) {
    case 'POST /transaction/initialize':
      return initializeTransaction(context, body);
    case 'POST /refund':
      return createRefund(context, body);
    case 'GET /refund':
      return listRefunds(context, query.get('transaction'));
    case 'POST /transferrecipient':
      return createRecipient(context, body);
    case 'POST /transfer':
      return createTransfer(context, body);
  }
  const payment = verifiedReference(VERIFY, method, path);
  if (payment !== null) return verifyTransaction(context, payment);
  const transfer = verifiedReference(VERIFY_TRANSFER, method, path);
  return transfer === null ? null : verifyTransfer(context, transfer);
}

function verifiedReference(prefix: string, method: string, path: string): string | null {
  if (method !== 'GET' || !path.startsWith(prefix)) return null;
  try {
    return decodeURIComponent(path.slice(prefix.length)) || null;
  } catch {
    return null;
  }
}

const named = z.object({
  reference: z.string().optional().catch(undefined),
  transaction: z.string().optional().catch(undefined),
});

/** The reference that a call concerns, for which faults may be planned; empty when it has none. */
function subjectOf(
  context: SandboxContext,
  { method, path, query, body }: Call,
): Promise<string> | string {
  const verified =
    verifiedReference(VERIFY, method, path) ?? verifiedReference(VERIFY_TRANSFER, method, path);
  if (verified !== null) return verified;
  const { reference, transaction } = named.safeParse(body).data ?? {};
  const text = reference ?? transaction ?? query.get('transaction');
  return text === null ? '' : context.store.referenceOf(text);
}

const noSuchCall = failure(404, 'unknown_route', 'No such call', 'See the list of calls');
const tooMany = failure(429, 'rate_limited', 'Too many requests', 'Wait and call again');

/** Answers an API call whose key has been checked. `path` is the part after the base path. */
export async function answerApi(
  context: SandboxContext,
  ctx: Context,
  path: string,
): Promise<void> {
  const method = ctx.method === 'POST' ? 'POST' : 'GET';
  const body = method === 'POST' ? await readJson(ctx.req) : undefined;
  const call: Call = { method, path, query: new URLSearchParams(ctx.querystring), body };
  const subject = await subjectOf(context, call);
  const limited = await context.faults.take('rate-limit', subject);
  if (limited !== null) {
    const headers = { 'retry-after': String(limited.retryAfterSeconds) };
    return reply(ctx, { ...tooMany, headers });
  }
  const answer = (await handle(context, call)) ?? noSuchCall;
  if ((await context.faults.take('lost-answer', subject)) !== null) {
    ctx.respond = false;
    ctx.req.socket.destroy();
    return;
  }
  reply(ctx, answer);
}

export function reply(ctx: Context, { status, body, headers }: Reply): void {
  ctx.status = status;
  ctx.set(headers ?? {});
  ctx.body = body;
}

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

/** `POST /transaction/initialize`. A reference works once; a second use is refused. */
async function initializeTransaction(context: SandboxContext, body: unknown): Promise<Reply> {
  const parsed = initializeBody.safeParse(body);
  if (!parsed.success) return invalidParams(parsed.error.issues[0]?.message ?? 'Invalid body');
  const { amount, callback_url: callbackUrl, reference = newCode('T') } = parsed.data;
  const accessCode = newCode('');
  const now = context.clock.now();
  const isNew = await context.store.addTransaction({
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
    authorization_url: `${context.address}/checkout/${accessCode}`,
    access_code: accessCode,
    reference,
  });
}

/** `GET /transaction/verify/:reference`. Answers 200 for failed payments too. */
async function verifyTransaction(context: SandboxContext, reference: string): Promise<Reply> {
  const record = await context.store.transaction(reference);
  if (record === null) return transactionNotFound;
  return success('Verification successful', transactionBody(record, context.clock.now()));
}

const refundRequest = z.object({
  transaction: z.union([z.string().min(1), z.int()]).transform(String),
  amount: z.int().positive().optional(),
  merchant_note: z.string().max(200).optional(),
});

/**
 * `POST /refund`. A refund is pending first, then processed, failed, or in need of attention. Refunds never exceed what
 * was paid.
 */
async function createRefund(context: SandboxContext, body: unknown): Promise<Reply> {
  const { store, faults, clock } = context;
  const parsed = refundRequest.safeParse(body);
  if (!parsed.success) return invalidParams('transaction and amount (kobo) are needed');
  const reference = await store.referenceOf(parsed.data.transaction);
  const found = await store.transaction(reference);
  if (found === null) return transactionNotFound;
  const now = clock.now();
  const stalls = (await faults.take('stall-refund', reference)) !== null;
  const fails = (await faults.take('fail-refund', reference)) !== null;
  const unplanned = stalls ? 'needs-attention' : 'processed';
  const refund: RefundRecord = {
    id: newId(),
    amount: parsed.data.amount ?? refundable(found, now),
    ...(parsed.data.merchant_note !== undefined && { note: parsed.data.merchant_note }),
    outcome: fails ? 'failed' : unplanned,
    createdAt: now,
    settlesAt: now + SETTLING_MS,
  };
  const changed = await store.changeTransaction(reference, (record) =>
    ['success', 'reversal_pending'].includes(transactionStatus(record, now)) &&
    refund.amount > 0 &&
    refund.amount <= refundable(record, now)
      ? { ...record, refunds: [...record.refunds, refund] }
      : null,
  );
  if (changed === null) {
    return failure(
      400,
      'invalid_refund',
      'Refund amount is more than what can be refunded of this transaction',
      'Read the refunds of the transaction first',
    );
  }
  await context.notify(noticeOfRefund(changed, refund));
  return success('Refund has been queued for processing', refundBody(changed, refund, now));
}

/** `GET /refund?transaction=`: by the transaction's id. Whatever else it is given, Paystack finds nothing. */
async function listRefunds(context: SandboxContext, transaction: string | null): Promise<Reply> {
  if (transaction === null) return invalidParams('transaction is needed');
  const record = await context.store.transaction(await context.store.referenceOf(transaction));
  const now = context.clock.now();
  const listed =
    record !== null && String(record.id) === transaction
      ? record.refunds.map((refund) => refundBody(record, refund, now))
      : [];
  return success('Refunds retrieved', listed);
}

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

/** `POST /transferrecipient`. Checks the account's fields but stores only the recipient code. */
async function createRecipient(context: SandboxContext, body: unknown): Promise<Reply> {
  const parsed = recipientRequest.safeParse(body);
  if (!parsed.success) return invalidParams(fieldNamed(parsed.error));
  const code = newCode('RCP_');
  await context.store.addRecipient(code);
  return success('Transfer recipient created successfully', {
    active: true,
    currency: 'NGN',
    domain: 'test',
    type: 'nuban',
    recipient_code: code,
  });
}

/** `POST /transfer`. A reference works once; a second use is refused without details of the first transfer. */
async function createTransfer(context: SandboxContext, body: unknown): Promise<Reply> {
  const { store, clock } = context;
  const parsed = transferRequest.safeParse(body);
  if (!parsed.success) return invalidParams(fieldNamed(parsed.error));
  const { amount, recipient: recipientCode, reference } = parsed.data;
  if ((await store.transfer(reference)) !== null) return transferReferenceUsed;
  if (!(await store.isRecipient(recipientCode)))
    return invalidParams('Recipient specified is invalid');
  const now = clock.now();
  const { outcome, settlingMs } = await outcomeOf(context, reference);
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
  // Two simultaneous calls can both pass the check above; only one of them stores its record.
  if (!(await store.addTransfer(record))) return transferReferenceUsed;
  for (const notice of noticesOfTransfer(record)) await context.notify(notice);
  return success('Transfer has been queued', transferBody(record, now));
}

/** `GET /transfer/verify/:reference`. */
async function verifyTransfer(context: SandboxContext, reference: string): Promise<Reply> {
  const record = await context.store.transfer(reference);
  if (record === null) return transferNotFound;
  return success('Transfer retrieved', transferBody(record, context.clock.now()));
}

interface Planned {
  readonly outcome: TransferRecord['outcome'];
  readonly settlingMs: number;
}

async function outcomeOf({ faults }: SandboxContext, reference: string): Promise<Planned> {
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
