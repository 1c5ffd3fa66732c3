import type { Clock, State } from '@oja/platform';
import type { Middleware } from 'koa';
import { z } from 'zod';
import { answerApi, carriesKey, readJson, reply } from './api.js';
import {
  disputeNotice,
  failure,
  invalidParams,
  type Reply,
  success,
  transactionFees,
  transactionNotFound,
} from './bodies.js';
import { answerCheckout } from './checkout.js';
import type { SandboxContext } from './context.js';
import { createFaults, FAULTS, faultRequest, MOST_COPIES } from './faults.js';
import { createStore, newCode, newId, refundable } from './store.js';
import { createOutbox, resendWebhooks, type SendWebhook } from './webhooks.js';

export { webhookSender } from './webhooks.js';

interface SandboxOptions {
  readonly state: State;
  /** The key that calls must carry and that webhooks are signed with. */
  readonly secret: string;
  /** Base URL of the market as browsers reach it, without a trailing slash. */
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly send: SendWebhook;
  /** Receives errors of background work, which has no caller. */
  readonly report: (error: unknown) => void;
}

export interface Sandbox {
  /** Answers every request below the base path. Reads bodies itself: mount it before any body parser. */
  readonly middleware: Middleware;
  /** From now on sends webhooks as they fall due. Before `start` they wait for `deliverDue`. */
  start(): void;
  /** Sends every webhook that is due, in order; returns the number of attempts. */
  deliverDue(): Promise<number>;
  /** Stops sending, after the webhook that is being sent. */
  stop(): Promise<void>;
}

/** Prefix of Paystack's paths. */
const BASE_PATH = '/sandbox';
const LONGEST_SLEEP_MS = 60_000;
/** When the sending of webhooks goes on after an error, in milliseconds. */
const AFTER_ERROR_MS = 5_000;

const invalidKey = failure(
  401,
  'invalid_Key',
  'Invalid key',
  'Send the secret key in the Authorization header, after the word Bearer',
);

/**
 * A payment provider for one machine: the calls, the checkout page and the webhooks of Paystack, over
 * records in `State`. It moves no money and can be told to misbehave. Only demo markets may mount it.
 */
export function createSandbox(options: SandboxOptions): Sandbox {
  const { state, secret, publicUrl, clock, send, report } = options;
  const faults = createFaults(state, clock);
  const outbox = createOutbox({ state, faults, secret, clock, send });
  let started = false;
  let timer: NodeJS.Timeout | undefined;
  let delivering: Promise<void> = Promise.resolve();

  const context: SandboxContext = {
    address: `${publicUrl}${BASE_PATH}`,
    clock,
    store: createStore(state, clock),
    faults,
    async notify(notice) {
      await outbox.add(notice);
      wake();
    },
  };

  function wake(): void {
    if (!started) return;
    clearTimeout(timer);
    delivering = delivering.then(deliverAndSleep).catch((error) => {
      wakeIn(AFTER_ERROR_MS);
      report(error);
    });
  }

  function wakeIn(ms: number): void {
    if (!started) return;
    clearTimeout(timer);
    timer = setTimeout(wake, ms);
    timer.unref();
  }

  async function deliverAndSleep(): Promise<void> {
    if (!started) return;
    await outbox.deliverDue(() => started);
    const next = await outbox.nextDue();
    if (next !== null) wakeIn(Math.min(Math.max(next - clock.now(), 0), LONGEST_SLEEP_MS));
  }

  const middleware: Middleware = async (ctx, next) => {
    if (!ctx.path.startsWith(`${BASE_PATH}/`)) return next();
    const path = ctx.path.slice(BASE_PATH.length);
    if (await answerCheckout(context, ctx, path)) return;
    if (!carriesKey(ctx.headers.authorization, secret)) return reply(ctx, invalidKey);
    if (ctx.method === 'POST' && path === '/control') {
      return reply(ctx, await control(context, await readJson(ctx.req)));
    }
    await answerApi(context, ctx, path);
  };

  return {
    middleware,
    start() {
      started = true;
      wake();
    },
    deliverDue: () => outbox.deliverDue(),
    async stop() {
      started = false;
      clearTimeout(timer);
      await delivering;
    },
  };
}

const RAISED = ['dispute', 'chargeback', 'dispute-won', 'dispute-lost'] as const;
const disputeRequest = z.strictObject({
  raise: z.enum(RAISED),
  reference: z.string().min(1),
  /** Id of the dispute, from the answer to `dispute`. */
  id: z.int().optional(),
  /** `dispute-lost`: how much goes, in kobo, if it is a part of the payment. */
  amount: z.int().positive().optional(),
});

const resendRequest = z.strictObject({
  /** Reference of a payment or a transfer. */
  resend: z.string().min(1),
  copies: z.int().min(1).max(MOST_COPIES).default(1),
});

/**
 * `POST /control` takes one of three bodies:
 * - `{ fault, reference?, times?, delayMs?, retryAfterSeconds?, copies?, outcome? }` plans a fault.
 * - `{ resend: <reference>, copies? }` sends every webhook of a payment or transfer again at once.
 * - `{ raise, reference, id?, amount? }` lets a cardholder's bank act at once: `dispute` opens a dispute, during which the
 *   payment stays a success; `chargeback` takes the money back without a webhook; `dispute-lost` and `dispute-won`
 *   resolve a dispute, with the money gone (with `amount`, by a refund of so much) or back.
 *
 * It requires the secret key like every call, so no web page can reach it.
 */
async function control(context: SandboxContext, body: unknown): Promise<Reply> {
  const dispute = disputeRequest.safeParse(body);
  if (dispute.success) return raise(context, dispute.data);
  const again = resendRequest.safeParse(body);
  if (again.success) return resend(context, again.data);
  const request = faultRequest.safeParse(body);
  if (!request.success) return invalidParams(`fault is one of ${FAULTS.join(', ')}`);
  await context.faults.plan(request.data);
  return success('Fault planned', request.data);
}

/** What the sandbox's own call answers, which is none of Paystack's. */
const unknownReference: Reply = { ...transactionNotFound, status: 404 };

async function resend(
  context: SandboxContext,
  { resend: reference, copies }: z.infer<typeof resendRequest>,
): Promise<Reply> {
  let events: readonly string[] = [];
  for (let copy = 0; copy < copies; copy += 1) {
    const sent = await resendWebhooks(context, reference);
    if (sent === null) return unknownReference;
    events = sent;
  }
  if (events.length === 0) return invalidParams('Nothing was told of this reference yet');
  return success('Sent again', { events });
}

async function raise(
  context: SandboxContext,
  { raise: what, reference, id = newId(), amount }: z.infer<typeof disputeRequest>,
): Promise<Reply> {
  const now = context.clock.now();
  const isPart = what === 'dispute-lost' && amount !== undefined;
  const transaction = await context.store.changeTransaction(reference, (record) => {
    if (what === 'dispute') return record;
    if (isPart) {
      if (amount >= refundable(record, now)) return null;
      const made = { createdAt: now, settlesAt: now, outcome: 'processed' } as const;
      const refund = { id: newId(), amount, disputeId: id, ...made };
      return { ...record, refunds: [...record.refunds, refund] };
    }
    return { ...record, takenBackAt: what === 'dispute-won' ? null : (record.takenBackAt ?? now) };
  });
  if (transaction === null)
    return isPart
      ? invalidParams('amount is less than what is left of a known payment')
      : unknownReference;
  const [event, resolution] =
    what === 'dispute'
      ? (['create', null] as const)
      : (['resolve', what === 'dispute-won' ? 'declined' : 'merchant-accepted'] as const);
  if (what !== 'chargeback') {
    const data = disputeNotice(transaction, id, now, resolution, amount);
    await context.notify({ event: `charge.dispute.${event}`, data, reference, at: now });
  }
  return success('Done', { id });
}

/** A payment that the sandbox takes as already made. */
interface AdoptedPayment {
  readonly reference: string;
  /** Kobo. */
  readonly amount: number;
  /** Epoch milliseconds. */
  readonly paidAt: number;
  /** Address that the payer would have returned to. */
  readonly callbackUrl: string;
}

interface Adopted {
  /** The payment's id at the provider, as a verification reports it. */
  readonly providerId: string;
  /** The provider's fee, in kobo. */
  readonly fees: number;
}

/** The first twelve hexadecimal digits of a reference as a number: whole numbers below 2^48. */
const idOf = (reference: string): number =>
  Number.parseInt(reference.replaceAll('-', '').slice(0, 12), 16);

/**
 * Records a payment that nobody made in the sandbox, so that a sample order can be verified and
 * refunded like any other. No webhook is sent. The id is derived from the reference, which must be
 * a UUID: adopting it again changes nothing.
 */
export async function adoptPayment(
  state: State,
  clock: Clock,
  { reference, amount, paidAt, callbackUrl }: AdoptedPayment,
): Promise<Adopted> {
  const id = idOf(reference);
  await createStore(state, clock).addTransaction({
    id,
    reference,
    accessCode: newCode(''),
    amount,
    callbackUrl,
    createdAt: paidAt,
    outcome: 'success',
    settlesAt: paidAt,
    refunds: [],
  });
  return { providerId: String(id), fees: transactionFees(amount) };
}
