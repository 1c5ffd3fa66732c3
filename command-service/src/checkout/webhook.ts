import { createHash } from 'node:crypto';
import { DAY_MS, ORDER_EXPIRES_AFTER_MS, transactionOfReference } from '@oja/domain/rules';
import { refuse } from '@oja/http';
import {
  following,
  inTrace,
  type JsonObject,
  type PaymentNotice,
  readWebhook,
  type StateEntry,
  traceparent,
} from '@oja/platform';
import type { Deps, Handler } from '../deps.js';
import { settleDisputed } from './settlement/disputed-payments.js';
import { settleTransfer } from './settlement/payout-checks.js';
import { workRefunds } from './settlement/refunds.js';
import { verifyPayment } from './verify-payment.js';

/**
 * Notices of the provider in State: `todo/<key>` until they were worked on, then `done/<key>`. Only
 * what was read of them is kept, since their bodies name the buyer, who must be forgettable.
 */
const SPACE = 'webhooks';
const WAITING = 'todo/';
const todo = (key: string) => `${WAITING}${key}`;
const done = (key: string) => `done/${key}`;
/** Longer than the provider repeats itself, and long enough for a person to look. */
const KEPT_MS = 90 * DAY_MS;
/** So many are held in memory at once. */
const PAGE = 200;

/** A notice, when it came, in epoch milliseconds, and the trace of the request that brought it. */
type Kept = {
  readonly notice: PaymentNotice & JsonObject;
  readonly at: number;
  readonly traceparent?: string;
};
type Inbox = Pick<Deps, 'state' | 'clock'>;

/** Whether it is new. Durable when it resolves. */
async function keepNotice({ state, clock }: Inbox, notice: PaymentNotice): Promise<boolean> {
  const now = clock.now();
  if ((await state.get(SPACE, done(notice.key), now)) !== null) return false;
  const kept = { notice: { ...notice }, at: now, ...traceparent() };
  const version = await state.put(SPACE, todo(notice.key), kept, now, { if: 'absent' });
  if (version === null) return false;
  // Its twin may have been worked on since the first look: then nothing would take it up before a sweep.
  const isNew = (await state.get(SPACE, done(notice.key), now)) === null;
  if (!isNew) await state.delete(SPACE, todo(notice.key), version);
  return isNew;
}

/** Null when it was worked on. */
async function noticeToWork({ state, clock }: Inbox, key: string): Promise<Kept | null> {
  return (await state.get<Kept>(SPACE, todo(key), clock.now()))?.value ?? null;
}

/** Notices under one of the two prefixes, in no order that means anything. */
async function* listed({ state, clock }: Inbox, prefix: string): AsyncGenerator<StateEntry<Kept>> {
  let after: string | null = null;
  for (;;) {
    const options = { limit: PAGE, ...(after !== null && { after }) };
    const entries: readonly StateEntry<Kept>[] = await state.list<Kept>(
      SPACE,
      prefix,
      clock.now(),
      options,
    );
    yield* entries;
    after = entries.at(-1)?.key ?? null;
    if (entries.length < PAGE || after === null) return;
  }
}

/** Notices that wait, by their keys, and when each came, in epoch milliseconds. */
export async function* waitingNotices(
  inbox: Inbox,
): AsyncGenerator<{ readonly key: string; readonly at: number }> {
  for await (const { key, value } of listed(inbox, WAITING))
    yield { key: key.slice(WAITING.length), at: value.at };
}

/** A notice as it is remembered; `at` is when it was kept or, once it is done with, worked on. ISO 8601. */
interface NoticeStory {
  readonly type: PaymentNotice['type'];
  readonly reference: string;
  readonly isDone: boolean;
  readonly at: string;
  /** Of the job in `WEBHOOK_QUEUE` that works on it, unless a sweep was sooner. */
  readonly jobId: string;
}

/** What the provider has told of these payments and transfers, and is still known of it. */
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

/** Notices that wait for a worker of this service. */
export const WEBHOOK_QUEUE = 'webhooks';

/** Of the job that works on a notice. */
const jobId = (key: string): string => createHash('sha256').update(key).digest('hex');

/** So long the provider is asked after a payment that it has told us of and does not yet confirm. */
const NOTICE_ASKED_FOR_MS = ORDER_EXPIRES_AFTER_MS;

/** Asks a worker to take it; without queues, or when they are down, the sweep finds it. */
async function workNoticeSoon({ jobs, logger }: Deps, key: string): Promise<void> {
  await jobs
    ?.add(WEBHOOK_QUEUE, following({ key }), { id: jobId(key) })
    .catch((error: unknown) => logger.warn({ err: error }, 'a notice waits for the sweep'));
}

/** Works on a notice that was kept; whether it is done with. Doing it again changes nothing. */
export async function workNotice(deps: Deps, key: string): Promise<boolean> {
  const kept = await noticeToWork(deps, key);
  if (kept === null) return true;
  const { notice, at, traceparent: from = '' } = kept;
  // A job or a sweep, whichever comes first: it belongs to the request that brought it.
  return inTrace(`notice ${notice.type}`, { kind: 'consumer', from }, async () => {
    if (!(await isSettled(deps, notice, at))) return false;
    await noticeIsDone(deps, notice);
    return true;
  });
}

/** A notice says where to look, hardly ever what is there: the facts are read from the provider. */
async function isSettled(deps: Deps, notice: PaymentNotice, at: number): Promise<boolean> {
  switch (notice.type) {
    case 'charge.success':
      return isBorneOut(deps, notice.reference, at);
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
 * Whether nothing is left to do about a notice that a payment was made. While the provider itself does
 * not say so yet it is asked again: nobody else may do so for this reference, or for this order any more.
 */
async function isBorneOut(deps: Deps, reference: string, at: number): Promise<boolean> {
  const told = await verifyPayment(deps, reference, 'webhook');
  if (told.kind === 'unknown') deps.logger.warn({ reference }, 'a notice of no payment of ours');
  if (told.kind !== 'told') return told.kind === 'unknown';
  if (told.status === 'success' || told.status === 'reversed') return true;
  if (deps.clock.now() < at + NOTICE_ASKED_FOR_MS) return false;
  deps.logger.error({ reference, status: told.status }, 'a notice was never borne out');
  return true;
}

function ignored({ logger }: Deps, { type, key }: PaymentNotice): true {
  logger.warn({ type, key }, 'a notice of the provider was kept and not worked on');
  return true;
}

const SIGNATURE_HEADER = 'x-paystack-signature';

/**
 * What the provider tells by itself. Only what it signed is looked at; it is kept durably before it is
 * answered and worked on afterwards, so that neither a crash nor a slow provider loses it.
 */
export function paystackWebhook(deps: Deps): Handler<'paystackWebhook'> {
  return async ({ body, header }) => {
    if (!deps.payments.isSignedByProvider(body, header(SIGNATURE_HEADER)))
      return refuse(401, 'The signature does not belong to this body');
    const notice = readWebhook(body);
    try {
      if (await keepNotice(deps, notice)) await workNoticeSoon(deps, notice.key);
    } catch (error) {
      // Whatever is wrong, the provider understands no other word for it, and tells us again.
      deps.logger.error({ err: error, key: notice.key }, 'a notice could not be kept');
      return refuse(500, 'It could not be kept. Please send it again.');
    }
    return { status: 200, body: { success: true } };
  };
}
