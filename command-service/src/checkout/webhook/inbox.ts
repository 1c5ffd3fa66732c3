import { DAY_MS } from '@oja/domain/rules';
import type { JsonObject, PaymentNotice } from '@oja/platform';
import type { Deps } from '../../deps.js';

/**
 * Notices of the provider in State: `todo/<key>` until they were worked on, then `done/<key>`. Only
 * what was read of them is kept, since their bodies name the buyer, who must be forgettable.
 */
const SPACE = 'webhooks';
const TODO = 'todo/';
const todo = (key: string) => `${TODO}${key}`;
const done = (key: string) => `done/${key}`;
/** Longer than the provider repeats itself, and long enough for a person to look. */
const KEPT_MS = 90 * DAY_MS;
/** So many are held in memory at once. */
const PAGE = 200;

/** A notice, and when it came, in epoch milliseconds. */
export type Kept = { readonly notice: PaymentNotice & JsonObject; readonly at: number };
type Inbox = Pick<Deps, 'state' | 'clock'>;

/** Whether it is new. Durable when it resolves. */
export async function keepNotice({ state, clock }: Inbox, notice: PaymentNotice): Promise<boolean> {
  const now = clock.now();
  if ((await state.get(SPACE, done(notice.key), now)) !== null) return false;
  const kept = { notice: { ...notice }, at: now };
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

/** Keys of notices that wait, in no order that means anything. */
export async function* waitingNotices({ state, clock }: Inbox): AsyncGenerator<string> {
  let after: string | null = null;
  for (;;) {
    const options = { limit: PAGE, ...(after !== null && { after }) };
    const entries: readonly { readonly key: string }[] = await state.list(
      SPACE,
      TODO,
      clock.now(),
      options,
    );
    for (const { key } of entries) yield key.slice(TODO.length);
    after = entries.at(-1)?.key ?? null;
    if (entries.length < PAGE || after === null) return;
  }
}

export async function noticeIsDone({ state, clock }: Inbox, notice: PaymentNotice): Promise<void> {
  const now = clock.now();
  const kept = { notice: { ...notice }, at: now };
  await state.put(SPACE, done(notice.key), kept, now, { expiresAt: now + KEPT_MS });
  await state.delete(SPACE, todo(notice.key));
}
