import { createHash } from 'node:crypto';
import { DAY_MS, ORDER_EXPIRES_AFTER_MS } from '@oja/domain/rules';
import { eachEntry, type JsonObject, type PaymentNotice, traceparent } from '@oja/platform';
import type { Deps } from '../deps.js';

/**
 * State space for the provider's webhooks: `todo/<key>` until handled, then `done/<key>`. Only the
 * parsed fields are stored: the bodies name the buyer, whose data must be erasable.
 */
const SPACE = 'webhooks';
const WAITING = 'todo/';
const waitingKey = (key: string) => `${WAITING}${key}`;
const doneKey = (key: string) => `done/${key}`;
/** Longer than the provider resends a webhook, and long enough for a person to investigate. */
const KEPT_MS = 90 * DAY_MS;

/** How long a webhook waits for a payment of which the provider does not yet say what the webhook reports. */
export const WEBHOOK_RETRIED_FOR_MS = ORDER_EXPIRES_AFTER_MS;

/** A webhook, its arrival in epoch milliseconds, and the trace of the request that delivered it. */
type StoredWebhook = {
  readonly notice: PaymentNotice & JsonObject;
  readonly at: number;
  /** Until when it waits on purpose, in epoch milliseconds; see `postponeWebhook`. */
  readonly waitsUntil?: number;
  readonly traceparent?: string;
};
type WebhookDeps = Pick<Deps, 'state' | 'clock'>;

/** Stores a webhook; returns whether it is new. Durable when it resolves. */
export async function storeWebhook(
  { state, clock }: WebhookDeps,
  notice: PaymentNotice,
): Promise<boolean> {
  const now = clock.now();
  if ((await state.get(SPACE, doneKey(notice.key), now)) !== null) return false;
  const kept = { notice: { ...notice }, at: now, ...traceparent() };
  const version = await state.put(SPACE, waitingKey(notice.key), kept, now, { if: 'absent' });
  if (version === null) return false;
  // A duplicate may have been stored and handled since the first check. Remove this entry then: it
  // would only wait for a sweep.
  const isNew = (await state.get(SPACE, doneKey(notice.key), now)) === null;
  if (!isNew) await state.delete(SPACE, waitingKey(notice.key), version);
  return isNew;
}

/** The stored webhook; null when it was already handled. */
export async function loadWaitingWebhook(
  { state, clock }: WebhookDeps,
  key: string,
): Promise<StoredWebhook | null> {
  return (await state.get<StoredWebhook>(SPACE, waitingKey(key), clock.now()))?.value ?? null;
}

/** Webhooks under one of the two prefixes, in no meaningful order. */
const listed = ({ state, clock }: WebhookDeps, prefix: string) =>
  eachEntry<StoredWebhook>(state, SPACE, prefix, clock.now());

/** The keys of unhandled webhooks, and when each was to be handled, in epoch milliseconds: at once if it does not wait. */
export async function* waitingWebhooks(
  deps: WebhookDeps,
): AsyncGenerator<{ readonly key: string; readonly due: number }> {
  for await (const { key, value } of listed(deps, WAITING))
    yield { key: key.slice(WAITING.length), due: value.waitsUntil ?? value.at };
}

/**
 * Records, and logs once, that a webhook waits on purpose: the provider has answered and does not say yet what the webhook
 * reports. It is asked again until then (epoch milliseconds). Returns false: the webhook is not done with.
 */
export async function postponeWebhook(
  { state, clock, logger }: WebhookDeps & Pick<Deps, 'logger'>,
  { key, type }: PaymentNotice,
  until: number,
): Promise<false> {
  const now = clock.now();
  const kept = await state.get<StoredWebhook>(SPACE, waitingKey(key), now);
  if (kept === null || kept.value.waitsUntil === until) return false;
  const waits = { ...kept.value, waitsUntil: until };
  if ((await state.put(SPACE, waitingKey(key), waits, now, { if: kept.version })) !== null)
    logger.info(
      { key, type, until: new Date(until).toISOString() },
      'a webhook waits: the payment provider does not say yet what it reports',
    );
  return false;
}

/** What is stored of a webhook. `at` is when it was stored or, once done, handled. ISO 8601. */
export interface WebhookSummary {
  readonly type: PaymentNotice['type'];
  readonly reference: string;
  readonly isDone: boolean;
  readonly at: string;
  /** The id of its job in `queues.webhooks`; a sweep may have handled the webhook first. */
  readonly jobId: string;
}

/** All stored webhooks about the payments and transfers that `isAbout` selects by reference. */
export async function findWebhooks(
  deps: WebhookDeps,
  isAbout: (reference: string) => boolean,
): Promise<readonly WebhookSummary[]> {
  const summaries: WebhookSummary[] = [];
  for (const prefix of [WAITING, doneKey('')])
    for await (const { value } of listed(deps, prefix)) {
      const notice: PaymentNotice = value.notice;
      if (!('reference' in notice) || !isAbout(notice.reference)) continue;
      const { type, reference } = notice;
      const isDone = prefix !== WAITING;
      const at = new Date(value.at).toISOString();
      summaries.push({ type, reference, isDone, at, jobId: webhookJobId(notice.key) });
    }
  return summaries;
}

export async function markWebhookDone(
  { state, clock }: WebhookDeps,
  notice: PaymentNotice,
): Promise<void> {
  const now = clock.now();
  const kept = { notice: { ...notice }, at: now };
  await state.put(SPACE, doneKey(notice.key), kept, now, { expiresAt: now + KEPT_MS });
  await state.delete(SPACE, waitingKey(notice.key));
}

/** The job id for a webhook, derived from its key, so that each webhook is queued once. */
export const webhookJobId = (key: string): string => createHash('sha256').update(key).digest('hex');
