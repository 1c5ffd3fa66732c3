import { type LetterKind, type MoneyLetterKind, noticeId } from '@oja/contracts/models';
import {
  LETTER_AGAIN_AT_MOST_MS,
  MINUTE_MS,
  refusedLetterAgainAfterMs,
  reminderDays,
} from '@oja/domain';
import type { State } from '@oja/platform';

/** What was sent, by `<kind>/<subject>`; never deleted: it says only that something was sent. */
const SENT = 'letters';
/** What could not be sent yet, by the same key: so that no letter holds up those behind it. */
const LATER = 'letters-later';

/** `forgone`: nobody is to have it. `refused`: the mail server would not take it, however often asked. */
export type Outcome = 'sent' | 'nobody' | 'not-owed' | 'forgone' | 'refused';

/** A letter that is to be tried again. */
type Later = {
  /** How often it could not be sent, and how often of these it was refused for good. */
  readonly tries: number;
  readonly refusals: number;
  /** Epoch milliseconds. */
  readonly nextAt: number;
  readonly error: string;
};

const keyOf = (kind: LetterKind, subject: string) => `${kind}/${subject}`;

/** Whether nothing is left to do about a letter. */
export async function isSettled(
  state: State,
  kind: LetterKind,
  subject: string,
  now: number,
): Promise<boolean> {
  return (await state.get(SENT, keyOf(kind, subject), now)) !== null;
}

/** Notes how a letter ended, so that it is never sent again. `now`: epoch milliseconds. */
export async function settleLetter(
  state: State,
  kind: LetterKind,
  subject: string,
  outcome: Outcome,
  now: number,
): Promise<void> {
  const at = new Date(now).toISOString();
  await state.put(SENT, keyOf(kind, subject), { outcome, at }, now);
  await state.delete(LATER, keyOf(kind, subject));
}

/** Null where it has not been tried, or is settled. */
export async function laterOf(
  state: State,
  kind: LetterKind,
  subject: string,
  now: number,
): Promise<Later | null> {
  return (await state.get<Later>(LATER, keyOf(kind, subject), now))?.value ?? null;
}

/**
 * Remembers that a letter could not be sent, and when to try again. Null: it was refused for good so
 * often that it is given up.
 */
export async function putOff(
  state: State,
  kind: LetterKind,
  subject: string,
  { error, isRefused }: { readonly error: string; readonly isRefused: boolean },
  now: number,
): Promise<Later | null> {
  const before = await laterOf(state, kind, subject, now);
  const tries = (before?.tries ?? 0) + 1;
  const refusals = (before?.refusals ?? 0) + (isRefused ? 1 : 0);
  const wait = isRefused ? refusedLetterAgainAfterMs[refusals - 1] : waitAfter(tries);
  if (wait === undefined) {
    await settleLetter(state, kind, subject, 'refused', now);
    return null;
  }
  const later: Later = { tries, refusals, nextAt: now + wait, error };
  await state.put(LATER, keyOf(kind, subject), later, now);
  return later;
}

/** The first time at the next round. */
const waitAfter = (tries: number): number =>
  tries === 1 ? 0 : Math.min(MINUTE_MS * 2 ** (tries - 2), LETTER_AGAIN_AT_MOST_MS);

/** The subjects of a kind whose time to be tried again has come. */
export async function triedAgainNow(
  state: State,
  kind: LetterKind,
  now: number,
): Promise<readonly string[]> {
  const prefix = keyOf(kind, '');
  const subjects: string[] = [];
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof state.list<Later>>> = await state.list<Later>(
      LATER,
      prefix,
      now,
      after === null ? {} : { after },
    );
    for (const { key, value } of page)
      if (value.nextAt <= now) subjects.push(key.slice(prefix.length));
    const last = page.at(-1);
    if (last === undefined) return subjects;
    after = last.key;
  }
}

const reminders = reminderDays.map((days) => `reminder-${days}` as const);

/** The letters that may be written about an order; some have its id and a further part as their subject. */
const aboutOrders: readonly LetterKind[] = [
  'receipt',
  'receipt-again',
  ...reminders,
  'sold-out',
  'held-aside',
  'taken-back',
  'refund-failed',
  'paid-twice',
];

/** The sellers of an order who may have been written to about it, and the events they may have been written to about. */
interface SellerNews {
  readonly sellerIds: readonly string[];
  readonly eventIds: readonly string[];
}

/** What became of a letter: `later` could not be sent yet, and `at` is when it is tried again. ISO 8601. */
interface LetterStory {
  readonly kind: LetterKind;
  readonly outcome: Outcome | 'later';
  readonly at: string;
  readonly error: string | null;
}

/** All that is known of an order's letters. */
export async function lettersAbout(
  state: State,
  transactionId: string,
  { sellerIds, eventIds }: SellerNews,
  now: number,
): Promise<readonly LetterStory[]> {
  const stories: LetterStory[] = [];
  const tell = async (kind: LetterKind, subject: string) => {
    const prefix = keyOf(kind, subject);
    type Settled = { readonly outcome: Outcome; readonly at: string };
    for (const { value } of await state.list<Settled>(SENT, prefix, now))
      stories.push({ kind, ...value, error: null });
    for (const { value } of await state.list<Later>(LATER, prefix, now)) {
      const at = new Date(value.nextAt).toISOString();
      stories.push({ kind, outcome: 'later', at, error: value.error });
    }
  };
  for (const kind of aboutOrders) await tell(kind, transactionId);
  for (const eventId of eventIds)
    for (const sellerId of sellerIds) await tell('seller-news', noticeId(sellerId, eventId));
  return stories;
}

/** No letter is ever sent about this order: its buyer is a sample, or was written to elsewhere. */
export async function forgoLetters(
  state: State,
  transactionId: string,
  now: number,
): Promise<void> {
  for (const kind of ['receipt', ...reminders] as const)
    await settleLetter(state, kind, transactionId, 'forgone', now);
}

/** Whoever this letter is for has had it elsewhere. */
export async function forgoLetter(
  state: State,
  kind: MoneyLetterKind | 'sold-out' | 'receipt-again' | 'email-code',
  subject: string,
  now: number,
): Promise<void> {
  await settleLetter(state, kind, subject, 'forgone', now);
}

/** No seller is written to about what an event, by its id, has told them: they were, elsewhere. */
export async function forgoNews(state: State, eventId: string, now: number): Promise<void> {
  await settleLetter(state, 'seller-news', eventId, 'forgone', now);
}

/** A message to the support that is not forwarded: it was, elsewhere. */
export async function forgoContact(state: State, contactId: string, now: number): Promise<void> {
  await settleLetter(state, 'contact', contactId, 'forgone', now);
}
