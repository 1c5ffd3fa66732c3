import { createHash } from 'node:crypto';
import { DAY_MS, ORDER_EXPIRES_AFTER_MS, transactionOfReference } from '@oja/domain/rules';
import { refuse } from '@oja/http';
import {
  concernsOrder,
  eachEntry,
  inTrace,
  type JsonObject,
  type PaymentNotice,
  readWebhook,
  traceparent,
  withCurrentCorrelation,
} from '@oja/platform';
import type { Deps, Handler } from '../deps.js';
import { settleDisputed } from './settlement/disputed-payments.js';
import { settleTransfer } from './settlement/payout-checks.js';
import { workRefunds } from './settlement/refunds.js';
import { verifyPayment } from './verify-payment.js';

/**
 * State space for the provider's notices: `todo/<key>` until handled, then `done/<key>`. Only the
 * parsed fields are stored: the bodies name the buyer, whose data must be erasable.
 */
const SPACE = 'webhooks';
const WAITING = 'todo/';
const todo = (key: string) => `${WAITING}${key}`;
const done = (key: string) => `done/${key}`;
/** Longer than the provider resends a notice, and long enough for a person to investigate. */
const KEPT_MS = 90 * DAY_MS;

/** A notice, its arrival in epoch milliseconds, and the trace of the request that delivered it. */
type Kept = {
  readonly notice: PaymentNotice & JsonObject;
  readonly at: number;
  readonly traceparent?: string;
};
type Inbox = Pick<Deps, 'state' | 'clock'>;

/** Stores a notice; returns whether it is new. Durable when it resolves. */
async function keepNotice({ state, clock }: Inbox, notice: PaymentNotice): Promise<boolean> {
  const now = clock.now();
  if ((await state.get(SPACE, done(notice.key), now)) !== null) return false;
  const kept = { notice: { ...notice }, at: now, ...traceparent() };
  const version = await state.put(SPACE, todo(notice.key), kept, now, { if: 'absent' });
  if (version === null) return false;
  // A duplicate may have been stored and handled since the first check. Remove this entry then: it
  // would only wait for a sweep.
  const isNew = (await state.get(SPACE, done(notice.key), now)) === null;
  if (!isNew) await state.delete(SPACE, todo(notice.key), version);
  return isNew;
}

/** The stored notice; null when it was already handled. */
async function noticeToWork({ state, clock }: Inbox, key: string): Promise<Kept | null> {
  return (await state.get<Kept>(SPACE, todo(key), clock.now()))?.value ?? null;
}

/** Notices under one of the two prefixes, in no meaningful order. */
const listed = ({ state, clock }: Inbox, prefix: string) =>
  eachEntry<Kept>(state, SPACE, prefix, clock.now());

/** The keys of unhandled notices, and when each arrived, in epoch milliseconds. */
export async function* waitingNotices(
  inbox: Inbox,
): AsyncGenerator<{ readonly key: string; readonly at: number }> {
  for await (const { key, value } of listed(inbox, WAITING))
    yield { key: key.slice(WAITING.length), at: value.at };
}

/** What is stored of a notice. `at` is when it was stored or, once done, handled. ISO 8601. */
interface NoticeStory {
  readonly type: PaymentNotice['type'];
  readonly reference: string;
  readonly isDone: boolean;
  readonly at: string;
  /** The id of its job in `WEBHOOK_QUEUE`; a sweep may have handled the notice first. */
  readonly jobId: string;
}

/** All stored notices about the payments and transfers that `isAbout` selects by reference. */
export async function noticesAbout(
  inbox: Inbox,
  isAbout: (reference: string) => boolean,
): Promise<readonly NoticeStory[]> {
  const stories: NoticeStory[] = [];
  for (const prefix of [WAITING, done('')])
    for await (const { value } of listed(inbox, prefix)) {
      const notice: PaymentNotice = value.notice;
      if (!('reference' in notice) || !isAbout(notice.reference)) continue;
      const { type, reference } = notice;
      const isDone = prefix !== WAITING;
      const at = new Date(value.at).toISOString();
      stories.push({ type, reference, isDone, at, jobId: jobId(notice.key) });
    }
  return stories;
}

async function noticeIsDone({ state, clock }: Inbox, notice: PaymentNotice): Promise<void> {
  const now = clock.now();
  const kept = { notice: { ...notice }, at: now };
  await state.put(SPACE, done(notice.key), kept, now, { expiresAt: now + KEPT_MS });
  await state.delete(SPACE, todo(notice.key));
}

/** The queue of stored notices that wait for a worker. */
export const WEBHOOK_QUEUE = 'webhooks';

/** The job id for a notice, derived from its key, so that each notice is queued once. */
const jobId = (key: string): string => createHash('sha256').update(key).digest('hex');

/** How long to keep asking the provider about a payment that its notice reported and it does not confirm. */
const NOTICE_ASKED_FOR_MS = ORDER_EXPIRES_AFTER_MS;

/** Queues a notice for a worker. Without queues, or when they are down, the sweep handles it. */
async function workNoticeSoon({ jobs, logger }: Deps, key: string): Promise<void> {
  await jobs
    ?.add(WEBHOOK_QUEUE, withCurrentCorrelation({ key }), { id: jobId(key) })
    .catch((error: unknown) =>
      logger.warn({ err: error }, 'a webhook could not be queued: the sweep works it off'),
    );
}

/** Handles a stored notice; returns whether it is done with. Repeating it changes nothing. */
export async function workNotice(deps: Deps, key: string): Promise<boolean> {
  const kept = await noticeToWork(deps, key);
  if (kept === null) return true;
  const { notice, at, traceparent: from = '' } = kept;
  // Whether a job or a sweep handles it, it belongs to the trace of the request that delivered it.
  return inTrace(`notice ${notice.type}`, { kind: 'consumer', from }, async () => {
    if (!(await settleNotice(deps, notice, at))) return false;
    await noticeIsDone(deps, notice);
    return true;
  });
}

/**
 * Handles a notice by its type; returns whether it is done with. A notice mostly says where to
 * look; the facts are read from the provider.
 */
async function settleNotice(deps: Deps, notice: PaymentNotice, at: number): Promise<boolean> {
  switch (notice.type) {
    case 'charge.success':
      return settleCharge(deps, notice.reference, at);
    case 'charge.dispute.create':
    case 'charge.dispute.remind':
    case 'charge.dispute.resolve':
      return settleDisputed(deps, notice);
    case 'refund.processed':
    case 'refund.failed': {
      const order = transactionOfReference(notice.reference);
      return order === null ? ignored(deps, notice) : workRefunds(deps, order);
    }
    case 'transfer.success':
    case 'transfer.failed':
    case 'transfer.reversed':
      return settleTransfer(deps, notice, at);
    case 'other':
    case 'unreadable':
      return ignored(deps, notice);
  }
}

/**
 * Verifies a payment that a notice reported as successful; returns whether the notice is done with. While the
 * provider does not confirm it, the provider is asked again, because nothing else may be checking this reference or
 * order any more.
 */
async function settleCharge(deps: Deps, reference: string, at: number): Promise<boolean> {
  const verification = await verifyPayment(deps, reference, 'webhook');
  if (verification.kind === 'unknown')
    deps.logger.warn(
      { reference },
      'ignored a webhook: it is about a payment that this market does not know',
    );
  if (verification.kind !== 'answered') return verification.kind === 'unknown';
  if (verification.status === 'success' || verification.status === 'reversed') return true;
  if (deps.clock.now() < at + NOTICE_ASKED_FOR_MS) return false;
  deps.logger.error(
    { reference, status: verification.status },
    'the provider did not confirm a webhook about a payment in time',
  );
  return true;
}

function ignored({ logger }: Deps, { type, key }: PaymentNotice): true {
  logger.warn(
    { type, key },
    'ignored a webhook of the payment provider: it needs no action or cannot be read',
  );
  return true;
}

const SIGNATURE_HEADER = 'x-paystack-signature';

/**
 * Receives the provider's webhook. Only signed bodies are read. The notice is stored durably before
 * the answer and handled afterwards, so that neither a crash nor a slow provider loses it.
 */
export function paystackWebhook(deps: Deps): Handler<'paystackWebhook'> {
  return async ({ body, header }) => {
    if (!deps.payments.isSignedByProvider(body, header(SIGNATURE_HEADER)))
      return refuse(401, 'The signature does not belong to this body');
    const notice = readWebhook(body);
    const order = 'reference' in notice ? transactionOfReference(notice.reference) : null;
    if (order !== null) concernsOrder(order);
    try {
      if (await keepNotice(deps, notice)) await workNoticeSoon(deps, notice.key);
    } catch (error) {
      // Whatever went wrong: the provider only knows success and failure, and resends the notice after a failure.
      deps.logger.error(
        { err: error, key: notice.key },
        'a webhook could not be stored: the payment provider is asked to send it again',
      );
      return refuse(500, 'It could not be kept. Please send it again.');
    }
    return { status: 200, body: { success: true } };
  };
}
