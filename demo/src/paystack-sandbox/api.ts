import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { z } from 'zod';
import { failure, type Reply } from './bodies.js';
import { createRefund, initializeTransaction, listRefunds, verifyTransaction } from './charges.js';
import type { Inside } from './inside.js';
import { createRecipient, createTransfer, verifyTransfer } from './transfers.js';

const LONGEST_BODY = 64 * 1024;

/** The JSON of a request's body; undefined when it is no JSON or longer than 64 KB. */
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
export function carriesKey(authorization: string | undefined, secret: string): boolean {
  const given = Buffer.from(authorization ?? '');
  const expected = Buffer.from(`Bearer ${secret}`);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

const VERIFY = '/transaction/verify/';
const VERIFY_TRANSFER = '/transfer/verify/';

/** The part of Paystack's API that Oja calls; null for any other call. */
function handle(inside: Inside, { method, path, query, body }: Call): Promise<Reply> | null {
  switch (`${method} ${path}`) {
    case 'POST /transaction/initialize':
      return initializeTransaction(inside, body);
    case 'POST /refund':
      return createRefund(inside, body);
    case 'GET /refund':
      return listRefunds(inside, query.get('transaction'));
    case 'POST /transferrecipient':
      return createRecipient(inside, body);
    case 'POST /transfer':
      return createTransfer(inside, body);
  }
  const payment = verifiedReference(VERIFY, method, path);
  if (payment !== null) return verifyTransaction(inside, payment);
  const transfer = verifiedReference(VERIFY_TRANSFER, method, path);
  return transfer === null ? null : verifyTransfer(inside, transfer);
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

/** The reference that a call is about, so that faults can be planned for it; '' where it has none. */
function subjectOf(inside: Inside, { method, path, query, body }: Call): Promise<string> | string {
  const verified =
    verifiedReference(VERIFY, method, path) ?? verifiedReference(VERIFY_TRANSFER, method, path);
  if (verified !== null) return verified;
  const { reference, transaction } = named.safeParse(body).data ?? {};
  const text = reference ?? transaction ?? query.get('transaction');
  return text === null ? '' : inside.store.referenceOf(text);
}

const noSuchCall = failure(404, 'unknown_route', 'No such call', 'See the list of calls');
const tooMany = failure(429, 'rate_limited', 'Too many requests', 'Wait and call again');

/** Answers a call of the API whose key has been checked. `path` begins after the base path. */
export async function answerApi(inside: Inside, ctx: Context, path: string): Promise<void> {
  const method = ctx.method === 'POST' ? 'POST' : 'GET';
  const body = method === 'POST' ? await readJson(ctx.req) : undefined;
  const call: Call = { method, path, query: ctx.URL.searchParams, body };
  const subject = await subjectOf(inside, call);
  const limited = await inside.faults.take('rate-limit', subject);
  if (limited !== null) {
    const headers = { 'retry-after': String(limited.retryAfterSeconds) };
    return reply(ctx, { ...tooMany, headers });
  }
  const answer = (await handle(inside, call)) ?? noSuchCall;
  if ((await inside.faults.take('lost-answer', subject)) !== null) {
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
