import { request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import type { z } from 'zod';
import type { JsonObject } from '../../eventstore/port.js';
import { parseJson } from '../../parse-json.js';
import type { PaymentAnswer, PaymentFailure, Payments } from '../port.js';
import * as answers from './answers.js';
import { envelope } from './answers.js';
import { isSignedBy } from './webhook.js';

/** The `Payments` port over Paystack's HTTP API, or over the sandbox, which answers the same calls. */
export function createPaystack(options: PaystackOptions): Payments {
  async function get<T>(path: string, schema: z.ZodType<T>): Promise<PaymentAnswer<T>> {
    return dataOf(await callPaystack(options, 'GET', path, schema));
  }

  async function post<T>(
    path: string,
    schema: z.ZodType<T>,
    body: JsonObject,
  ): Promise<PaymentAnswer<T>> {
    return dataOf(await callPaystack(options, 'POST', path, schema, body));
  }

  return {
    async initialize({ email, amount, currency, reference, callbackUrl, metadata }) {
      const path = '/transaction/initialize';
      const body = { email, amount, currency, reference, callback_url: callbackUrl, metadata };
      const answer = await callPaystack(options, 'POST', path, answers.initialized, body);
      if (!answer.ok) return answer;
      const { data, envelope } = answer.value;
      return { ok: true, value: { ...data, envelope } };
    },
    verify: (reference) =>
      get(`/transaction/verify/${encodeURIComponent(reference)}`, answers.verified),
    refunds: (transactionId) =>
      get(
        `/refund?transaction=${encodeURIComponent(transactionId)}&perPage=100`,
        answers.refundsOf(transactionId),
      ),
    refund: ({ transaction, amount, note }) =>
      post('/refund', answers.refund, { transaction, amount, merchant_note: note }),
    createRecipient: ({ name, accountNumber, bankCode }) =>
      post('/transferrecipient', answers.recipient, {
        type: 'nuban',
        name,
        account_number: accountNumber,
        bank_code: bankCode,
        currency: 'NGN',
      }),
    transfer: ({ amount, recipientCode, reference, reason }) =>
      post('/transfer', answers.transfer, {
        source: 'balance',
        amount,
        recipient: recipientCode,
        reference,
        reason,
      }),
    verifyTransfer: (reference) =>
      get(`/transfer/verify/${encodeURIComponent(reference)}`, answers.verifiedTransfer),
    isSignedByProvider: (rawBody, signature) => isSignedBy(options.secret, rawBody, signature),
  };
}

const dataOf = <T>(answer: PaymentAnswer<Answered<T>>): PaymentAnswer<T> =>
  answer.ok ? { ok: true, value: answer.value.data } : answer;

const DEFAULT_SECONDS = 30;
const LONGEST_SECONDS = 3600;

/**
 * Seconds to wait by a Retry-After header: at least 1, at most an hour. The header holds seconds or an
 * HTTP date (RFC 9110, 10.2.3); 30 s when it is missing or unreadable. `now` is in epoch milliseconds.
 */
function retryAfterSeconds(header: string | null, now: number): number {
  if (header === null) return DEFAULT_SECONDS;
  const text = header.trim();
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000);
  if (Number.isNaN(seconds)) return DEFAULT_SECONDS;
  return Math.min(Math.max(seconds, 1), LONGEST_SECONDS);
}

export interface PaystackOptions {
  /** Without a trailing slash: `https://api.paystack.co`, or the sandbox's address. */
  readonly url: string;
  readonly secret: string;
  /** How long an answer may take, in milliseconds. Default 15,000. */
  readonly timeoutMs?: number;
  /** Is told whether the provider takes our key: its words when it does not, otherwise null. */
  readonly keyAnswered?: (refusal: string | null) => Promise<void>;
  /** Sends the requests. Rejects when no complete answer came. Default: over HTTP. */
  readonly send?: (request: ProviderRequest) => Promise<ProviderAnswer>;
}

interface Answered<T> {
  readonly data: T;
  readonly envelope: JsonObject;
}

const DEFAULT_TIMEOUT_MS = 15_000;
const UNREACHABLE: PaymentFailure = { ok: false, reason: 'unreachable' };

const isObject = (json: unknown): json is JsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json);

/**
 * Calls Paystack's API. Only Paystack's own JSON counts as an answer: after a broken connection, a
 * time-out, a 5xx or another site's page, the outcome is unknown ('unreachable'). Redirects are never
 * followed, so no other host sees the secret.
 */
async function callPaystack<T>(
  options: PaystackOptions,
  method: 'GET' | 'POST',
  path: string,
  schema: z.ZodType<T>,
  body?: JsonObject,
): Promise<PaymentAnswer<Answered<T>>> {
  const answer = await ask(options, method, path, body);
  if (answer === null) return UNREACHABLE;
  if (answer.status === 429) {
    const seconds = retryAfterSeconds(answer.retryAfter, Date.now());
    return { ok: false, reason: 'rate-limited', retryAfterSeconds: seconds };
  }
  if (!isDecided(answer.status)) return UNREACHABLE;
  const json = parseJson(answer.text);
  const wrapped = envelope.safeParse(json);
  if (!isObject(json) || !wrapped.success) return UNREACHABLE;
  const isOurKey = answer.status !== UNAUTHORIZED;
  await options.keyAnswered?.(isOurKey ? null : wrapped.data.message);
  if (answer.status >= 400 || !wrapped.data.status) return failureOf(answer.status, wrapped.data);
  const data = schema.safeParse(json.data);
  if (!data.success) return UNREACHABLE;
  return { ok: true, value: { data: data.data, envelope: json } };
}

/** Whether a status is a decision. A redirect, a 408 or a 5xx is not. */
function isDecided(status: number): boolean {
  return (status >= 200 && status < 300) || (status >= 400 && status < 500 && status !== 408);
}

/** The messages about a used payment or transfer reference, for answers without a code. */
const USED = /duplicate transaction reference|reference already exists on a transfer/i;

/** RFC 9110, 15.5.2 and 15.5.4. A call from an address that is not on the market's list at Paystack is forbidden. */
const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

function failureOf(status: number, answer: z.infer<typeof envelope>): PaymentFailure {
  if (status === UNAUTHORIZED)
    return { ok: false, reason: 'unauthorized', message: answer.message };
  const code = answer.code ?? '';
  if (/^duplicate_(transfer_)?reference$/.test(code) || USED.test(answer.message))
    return { ok: false, reason: 'duplicate-reference' };
  if (status === 404 || code === 'transaction_not_found' || code === 'transfer_not_found')
    return { ok: false, reason: 'not-found' };
  const forbidden = status === FORBIDDEN ? ({ isForbidden: true } as const) : {};
  return { ok: false, reason: 'refused', message: answer.message, ...forbidden };
}

export interface ProviderRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  /** JSON; null for none. */
  readonly body: string | null;
  /** How long the whole answer may take, in milliseconds. */
  readonly timeoutMs: number;
}

interface ProviderAnswer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** Sends a request; null when no complete answer came. */
async function ask(
  { url, secret, timeoutMs = DEFAULT_TIMEOUT_MS, send = sendByHttp }: PaystackOptions,
  method: 'GET' | 'POST',
  path: string,
  body: JsonObject | undefined,
): Promise<ProviderAnswer | null> {
  const headers = {
    authorization: `Bearer ${secret}`,
    accept: 'application/json',
    // What `fetch` says. Firewalls before an API may refuse a program without a name.
    'user-agent': 'node',
    ...(body !== undefined && { 'content-type': 'application/json' }),
  };
  const json = body === undefined ? null : JSON.stringify(body);
  try {
    return await send({ url: `${url}${path}`, method, headers, body: json, timeoutMs });
  } catch {
    return null;
  }
}

/**
 * Sends a request over a connection that is kept for the next one. `fetch` takes six times as much CPU, which every
 * order would pay. @throws when no complete answer came in time
 */
async function sendByHttp(request: ProviderRequest): Promise<ProviderAnswer> {
  const { url, method, headers, body, timeoutMs } = request;
  return new Promise((resolve, reject) => {
    const start = url.startsWith('https:') ? requestByHttps : requestByHttp;
    const sent = start(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers['retry-after'] ?? null,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    const timer = setTimeout(() => sent.destroy(new Error('no answer in time')), timeoutMs);
    sent.on('error', reject);
    sent.on('close', () => clearTimeout(timer));
    sent.end(body);
  });
}
