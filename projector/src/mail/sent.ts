import type { LetterKind } from '@oja/contracts/models';
import type { State } from '@oja/platform';

/** What was sent, by `<kind>/<subject>`; never deleted: it says only that something was sent. */
const SENT = 'letters';

/** `forgone`: nobody is to have it. */
export type Outcome = 'sent' | 'nobody' | 'not-owed' | 'forgone';

/** Whether nothing is left to do about a letter. */
export async function isSettled(
  state: State,
  kind: LetterKind,
  subject: string,
  now: number,
): Promise<boolean> {
  return (await state.get(SENT, `${kind}/${subject}`, now)) !== null;
}

export async function settleLetter(
  state: State,
  kind: LetterKind,
  subject: string,
  outcome: Outcome,
  now: number,
): Promise<void> {
  const at = new Date(now).toISOString();
  await state.put(SENT, `${kind}/${subject}`, { outcome, at }, now);
}
