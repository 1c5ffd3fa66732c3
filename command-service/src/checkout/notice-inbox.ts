import { createHash } from 'node:crypto';
import { DAY_MS } from '@oja/domain/rules';
import { type JsonObject, type PaymentNotice, type StateEntry, traceparent } from '@oja/platform';
import type { Deps } from '../deps.js';

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
export async function keepNotice({ state, clock }: Inbox, notice: PaymentNotice): Promise<boolean> {
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
export async function noticeToWork({ state, clock }: Inbox, key: string): Promise<Kept | null> {
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

export async function noticeIsDone({ state, clock }: Inbox, notice: PaymentNotice): Promise<void> {
  const now = clock.now();
  const kept = { notice: { ...notice }, at: now };
  await state.put(SPACE, done(notice.key), kept, now, { expiresAt: now + KEPT_MS });
  await state.delete(SPACE, todo(notice.key));
}

/** Notices that wait for a worker of this service. */
export const WEBHOOK_QUEUE = 'webhooks';

/** Of the job that works on a notice. */
export const jobId = (key: string): string => createHash('sha256').update(key).digest('hex');
