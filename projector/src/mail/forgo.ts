import type { MoneyLetterKind } from '@oja/contracts/models';
import { reminderDays } from '@oja/domain';
import type { State } from '@oja/platform';
import { settleLetter } from './sent.js';

/** No letter is ever sent about this order: its buyer is a sample, or was written to elsewhere. */
export async function forgoLetters(
  state: State,
  transactionId: string,
  now: number,
): Promise<void> {
  const reminders = reminderDays.map((days) => `reminder-${days}` as const);
  for (const kind of ['receipt', ...reminders] as const)
    await settleLetter(state, kind, transactionId, 'forgone', now);
}

/** The support was told elsewhere that money is held aside, was taken back or could not be refunded. */
export async function forgoMoneyLetter(
  state: State,
  kind: MoneyLetterKind,
  transactionId: string,
  now: number,
): Promise<void> {
  await settleLetter(state, kind, transactionId, 'forgone', now);
}

/** A message to the support that is not forwarded: it was, elsewhere. */
export async function forgoContact(state: State, contactId: string, now: number): Promise<void> {
  await settleLetter(state, 'contact', contactId, 'forgone', now);
}
