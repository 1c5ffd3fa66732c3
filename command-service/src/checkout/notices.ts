import { createHash } from 'node:crypto';
import { DAY_MS, ORDER_EXPIRES_AFTER_MS } from '@oja/domain/rules';
import { eachEntry, type JsonObject, type PaymentNotice, traceparent } from '@oja/platform';
import type { Deps } from '../deps.js';

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

/** How long a notice waits for a payment of which the provider does not yet say what the notice reports. */
export const NOTICE_ASKED_FOR_MS = ORDER_EXPIRES_AFTER_MS;

/** A notice, its arrival in epoch milliseconds, and the trace of the request that delivered it. */
type StoredNotice = {
  readonly notice: PaymentNotice & JsonObject;
  readonly at: number;
  /** Until when it waits on purpose, in epoch milliseconds; see `noticeWaits`. */
  readonly waitsUntil?: number;
  readonly traceparent?: string;
};
type Inbox = Pick<Deps, 'state' | 'clock'>;

/** Stores a notice; returns whether it is new. Durable when it resolves. */
export async function keepNotice({ state, clock }: Inbox, notice: PaymentNotice): Promise<boolean> {
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
export async function noticeToWork(
  { state, clock }: Inbox,
  key: string,
): Promise<StoredNotice | null> {
  return (await state.get<StoredNotice>(SPACE, todo(key), clock.now()))?.value ?? null;
}

/** Notices under one of the two prefixes, in no meaningful order. */
const listed = ({ state, clock }: Inbox, prefix: string) =>
  eachEntry<StoredNotice>(state, SPACE, prefix, clock.now());

/** The keys of unhandled notices, and when each was to be handled, in epoch milliseconds: at once if it does not wait. */
export async function* waitingNotices(
  inbox: Inbox,
): AsyncGenerator<{ readonly key: string; readonly due: number }> {
  for await (const { key, value } of listed(inbox, WAITING))
    yield { key: key.slice(WAITING.length), due: value.waitsUntil ?? value.at };
}

/**
 * Records, and logs once, that a notice waits on purpose: the provider has answered and does not say yet what the notice
 * reports. It is asked again until then (epoch milliseconds). Returns false: the notice is not done with.
 */
export async function noticeWaits(
  { state, clock, logger }: Inbox & Pick<Deps, 'logger'>,
  { key, type }: PaymentNotice,
  until: number,
): Promise<false> {
  const now = clock.now();
  const kept = await state.get<StoredNotice>(SPACE, todo(key), now);
  if (kept === null || kept.value.waitsUntil === until) return false;
  const waits = { ...kept.value, waitsUntil: until };
  if ((await state.put(SPACE, todo(key), waits, now, { if: kept.version })) !== null)
    logger.info(
      { key, type, until: new Date(until).toISOString() },
      'a webhook waits: the payment provider does not say yet what it reports',
    );
  return false;
}

/** What is stored of a notice. `at` is when it was stored or, once done, handled. ISO 8601. */
export interface NoticeStory {
  readonly type: PaymentNotice['type'];
  readonly reference: string;
  readonly isDone: boolean;
  readonly at: string;
  /** The id of its job in `queues.webhooks`; a sweep may have handled the notice first. */
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

export async function noticeIsDone({ state, clock }: Inbox, notice: PaymentNotice): Promise<void> {
  const now = clock.now();
  const kept = { notice: { ...notice }, at: now };
  await state.put(SPACE, done(notice.key), kept, now, { expiresAt: now + KEPT_MS });
  await state.delete(SPACE, todo(notice.key));
}

/** The job id for a notice, derived from its key, so that each notice is queued once. */
export const jobId = (key: string): string => createHash('sha256').update(key).digest('hex');
