import { type LetterKind, noticeId, type ObligationDocument } from '@oja/contracts/models';
import {
  LETTER_PUT_OFF_MAX_MS,
  LETTER_RETRY_PAUSE_MAX_MS,
  MINUTE_MS,
  refusedLetterRetryAfterMs,
  reminderDays,
} from '@oja/domain';
import {
  backOff,
  eachEntry,
  isPosition,
  isWithin,
  LETTER_SENT_WITHIN_MS,
  redactText,
  type State,
} from '@oja/platform';
import type { AnswerVerdict } from './server-answers.js';

/** State space of settled letters, by `<kind>/<subject>`. Never deleted: an entry only says how a letter ended. */
const SENT = 'letters';
/** State space of letters to retry, by the same key, so that one failing letter does not block the others. */
const LATER = 'letters-later';
/** State space of letters that are being sent right now, by the same key. */
const SENDING = 'letters-sending';
/** Longer than a mail server is waited for. When a process dies while it sends, the letter is tried again after this time. */
const SENDING_MS = LETTER_SENT_WITHIN_MS + MINUTE_MS;

/**
 * `nobody`: there is no address any more. `not-owed`: settled, read or too old by now. `forgone`:
 * nobody is to get it. `refused`: given up, as the mail server refused it every time, or put
 * it off for days.
 */
export type Outcome = 'sent' | 'nobody' | 'not-owed' | 'forgone' | 'refused';

/** How a letter ended, and when (ISO 8601). */
type SettledLetter = { readonly outcome: Outcome; readonly at: string };

/** A letter that will be retried. */
type RetryState = {
  /** All failed tries, and how many of them were permanent refusals. */
  readonly tries: number;
  readonly refusals: number;
  /** Epoch milliseconds. */
  readonly nextAt: number;
  /** When the last try failed, in epoch milliseconds; absent in entries of earlier releases. */
  readonly failedAt?: number;
  /** Since when the mail server has put it off, in epoch milliseconds; absent when it has not. */
  readonly putOffSince?: number;
  /** The run of letters not taken (`classifyAnswer`) that it belongs to; absent when the server has said nothing of it. */
  readonly run?: string;
  readonly error: string;
};

/** Why a try has failed. `down`: no mail can be sent; otherwise what the server answered about this letter. */
export type Failure = { readonly error: string } & (
  | { readonly answer: 'down' }
  | { readonly answer: 'refused' | 'put-off'; readonly verdict: AnswerVerdict }
);

/** Whether a letter waits for its receiver's mail server: an operator can do nothing about it. */
export const isWaitingForReceiver = (retry: RetryState | null): boolean =>
  retry !== null && (retry.refusals > 0 || retry.putOffSince !== undefined);

/** Whether it is time to try again. After the clock was set back nothing waits longer than it was meant to. */
export const isRetryDue = ({ nextAt, failedAt }: RetryState, now: number): boolean =>
  failedAt === undefined ? nextAt <= now : !isWithin(nextAt - failedAt, failedAt, now);

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

/** Kinds whose obligation is listed once for an order, with time and id of the last event that caused it. */
const listedOncePerOrder: readonly LetterKind[] = ['taken-back', 'refund-failed'];

/**
 * The subject of the letter that an obligation asks for: its own, or `<order>/<event>` when its
 * cause has happened again since that letter was settled (a further refund that failed, or a payment
 * that was taken back once more). Earlier releases named such a letter by the event's position, which is another one in
 * a log that the market has moved into: one of theirs is the letter if it was settled since, or waits.
 */
export async function letterSubject(
  state: State,
  kind: LetterKind,
  { subject, due, item }: ObligationDocument,
  now: number,
): Promise<string> {
  if (!listedOncePerOrder.includes(kind)) return subject;
  const settled = await state.get<SettledLetter>(SENT, keyOf(kind, subject), now);
  if (settled === null || settled.value.at >= due || item === null) return subject;
  const prefix = keyOf(kind, `${subject}/`);
  for (const space of [SENT, LATER])
    for await (const { key, value } of eachEntry<Partial<SettledLetter>>(
      state,
      space,
      prefix,
      now,
    )) {
      const named = key.slice(prefix.length);
      if (isPosition(named) && (value.at ?? due) >= due) return `${subject}/${named}`;
    }
  return `${subject}/${item}`;
}

/** Records how a letter ended, so that it is never sent again. `now`: epoch milliseconds. */
export async function settleLetter(
  state: State,
  kind: LetterKind,
  subject: string,
  outcome: Outcome,
  now: number,
): Promise<void> {
  const settled: SettledLetter = { outcome, at: new Date(now).toISOString() };
  await state.put(SENT, keyOf(kind, subject), settled, now);
  await state.delete(LATER, keyOf(kind, subject));
}

/**
 * Claims a letter for sending, so that a job and the walk over owed letters do not both send it.
 * Returns what ends the claim; null when another has it.
 */
export async function claimLetter(
  state: State,
  kind: LetterKind,
  subject: string,
  now: number,
): Promise<(() => Promise<void>) | null> {
  const key = keyOf(kind, subject);
  const options = { if: 'absent', expiresAt: now + SENDING_MS, durable: false } as const;
  const claim = await state.put(SENDING, key, {}, now, options);
  if (claim === null) return null;
  return async () => {
    // If State is down, the claim expires by itself.
    await state.delete(SENDING, key, claim).catch(() => undefined);
  };
}

/** The retry state of a letter; null when it has not failed yet or is settled. */
export async function readRetryState(
  state: State,
  kind: LetterKind,
  subject: string,
  now: number,
): Promise<RetryState | null> {
  return (await state.get<RetryState>(LATER, keyOf(kind, subject), now))?.value ?? null;
}

/**
 * Records a failed try and when to try again. Returns null when the letter was refused so often, or put off for so
 * long, that it is given up.
 */
export async function recordFailure(
  state: State,
  kind: LetterKind,
  subject: string,
  failure: Failure,
  now: number,
): Promise<RetryState | null> {
  const before = await readRetryState(state, kind, subject, now);
  const tries = (before?.tries ?? 0) + 1;
  const counted = countFailure(before, failure, now);
  const wait = waitAfterFailure(failure, { ...counted, tries }, now);
  if (wait === null) {
    await settleLetter(state, kind, subject, 'refused', now);
    return null;
  }
  // A mail server repeats the address that it refuses, and State is where no erasure would find it.
  const error = redactText(failure.error);
  const retry: RetryState = { tries, ...counted, nextAt: now + wait, failedAt: now, error };
  await state.put(LATER, keyOf(kind, subject), retry, now);
  return retry;
}

type FailureCounts = Pick<RetryState, 'refusals' | 'putOffSince' | 'run'>;

/** What is known against a letter after a failure. What the server answers every letter is not held against it. */
function countFailure(before: RetryState | null, failure: Failure, now: number): FailureCounts {
  const { refusals = 0, putOffSince, run } = before ?? {};
  if (failure.answer === 'down')
    return {
      refusals,
      ...(putOffSince !== undefined && { putOffSince }),
      ...(run !== undefined && { run }),
    };
  const { verdict } = failure;
  if (verdict.fault === 'server') return { refusals, run: verdict.run };
  // A clock that was ahead must not make it wait longer.
  const since = Math.min(putOffSince ?? now, now);
  return failure.answer === 'refused'
    ? { refusals: refusals + 1, run: verdict.run }
    : { refusals, putOffSince: since, run: verdict.run };
}

/** In milliseconds; null: it is given up. */
function waitAfterFailure(
  failure: Failure,
  { tries, refusals, putOffSince }: FailureCounts & Pick<RetryState, 'tries'>,
  now: number,
): number | null {
  if (failure.answer === 'down' || failure.verdict.fault === 'server') return waitAfter(tries);
  const isOwn = failure.verdict.fault === 'own';
  if (failure.answer === 'put-off')
    return isOwn && now - (putOffSince ?? now) >= LETTER_PUT_OFF_MAX_MS ? null : waitAfter(tries);
  const again = refusedLetterRetryAfterMs[refusals - 1];
  if (again === undefined && isOwn) return null;
  return again ?? Math.max(...refusedLetterRetryAfterMs);
}

/** In milliseconds. After its first failure a letter is retried in the next round. */
const waitAfter = (tries: number): number =>
  tries === 1 ? 0 : backOff(tries - 1, MINUTE_MS, LETTER_RETRY_PAUSE_MAX_MS);

/** The subjects of a kind whose retry is due. */
export async function dueRetries(
  state: State,
  kind: LetterKind,
  now: number,
): Promise<readonly string[]> {
  const prefix = keyOf(kind, '');
  const subjects: string[] = [];
  for await (const { key, value } of eachEntry<RetryState>(state, LATER, prefix, now))
    if (isRetryDue(value, now)) subjects.push(key.slice(prefix.length));
  return subjects;
}

/** Earliest first. */
export const reminders: readonly LetterKind[] = reminderDays.map(
  (days) => `reminder-${days}` as const,
);

/** The kinds of letters about an order. Some subjects have a further part after the order's id. */
const aboutOrders: readonly LetterKind[] = [
  'receipt',
  'receipt-again',
  ...reminders,
  'sold-out',
  'held-aside',
  'disputed',
  'taken-back',
  'returned-in-part',
  'refund-failed',
  'paid-twice',
];

/** The sellers of an order, and the ids of the events that they may have been mailed about. */
interface LetterSubjects {
  readonly sellerIds: readonly string[];
  readonly eventIds: readonly string[];
}

/** What became of a letter. `later`: not sent yet, and `at` is the time of the next try. ISO 8601. */
interface LetterRecord {
  readonly kind: LetterKind;
  readonly outcome: Outcome | 'later';
  readonly at: string;
  readonly error: string | null;
}

/** Everything that is recorded about an order's letters. */
export async function readLettersOfOrder(
  state: State,
  transactionId: string,
  { sellerIds, eventIds }: LetterSubjects,
  now: number,
): Promise<readonly LetterRecord[]> {
  const records: LetterRecord[] = [];
  const collect = async (kind: LetterKind, subject: string) => {
    const prefix = keyOf(kind, subject);
    for await (const { value } of eachEntry<SettledLetter>(state, SENT, prefix, now))
      records.push({ kind, ...value, error: null });
    for await (const { value } of eachEntry<RetryState>(state, LATER, prefix, now)) {
      const at = new Date(value.nextAt).toISOString();
      records.push({ kind, outcome: 'later', at, error: value.error });
    }
  };
  for (const kind of aboutOrders) await collect(kind, transactionId);
  for (const eventId of eventIds)
    for (const sellerId of sellerIds) await collect('seller-news', noticeId(sellerId, eventId));
  return records;
}

/**
 * Marks the receipt and reminders of an order as never to be sent: its buyer is a sample, or was
 * written to by the market that the order was imported from.
 */
export async function suppressLetters(
  state: State,
  transactionId: string,
  now: number,
): Promise<void> {
  for (const kind of ['receipt', ...reminders] as const)
    await suppressLetter(state, kind, transactionId, now);
}

/** Marks a letter as never to be sent: the market that its subject was imported from has sent it. */
export async function suppressLetter(
  state: State,
  kind: LetterKind,
  subject: string,
  now: number,
): Promise<void> {
  await settleLetter(state, kind, subject, 'forgone', now);
}
