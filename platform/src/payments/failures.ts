import { type Clock, isWithin } from '../clock.js';
import type { Logger } from '../logging/port.js';
import { redactText } from '../logging/redaction.js';
import type { State } from '../state/port.js';
import type { PaymentFailure } from './port.js';

/** Account and telephone numbers: the provider's words may repeat what it was sent. */
const LONG_NUMBERS = /\d{6,}/g;

const withoutData = (words: string): string => redactText(words).replace(LONG_NUMBERS, '[number]');

/** What a log line says of a failure: its reason, and the provider's own words, without secrets and personal data. */
export const loggedFailure = (
  failure: PaymentFailure,
): { readonly reason: PaymentFailure['reason']; readonly message?: string } =>
  'message' in failure
    ? { reason: failure.reason, message: withoutData(failure.message) }
    : { reason: failure.reason };

/** State space of what the payment provider refuses, whatever it is asked. */
const REFUSALS = 'payment-provider';
const KEY = 'key';

/** `since`: ISO 8601. `message`: the provider's words, redacted. */
type KeyRefusal = { readonly since: string; readonly message: string };

/** Since when the provider refuses the market's key, and its words; null while it takes the key. */
export async function keyRefusal(state: State, now: number): Promise<KeyRefusal | null> {
  return (await state.get<KeyRefusal>(REFUSALS, KEY, now))?.value ?? null;
}

/** After this time, what a process has noted of the key is noted again: another may have noted the opposite since. */
const NOTED_FOR_MS = 60_000;

/**
 * Notes in State when the provider refuses the key, and when it takes it again. Returns what each of its answers is
 * told to: its words for a refusal of the key, otherwise null.
 */
export function createKeyWatch({
  state,
  clock,
  logger,
}: {
  readonly state: State;
  readonly clock: Clock;
  readonly logger: Logger;
}): (refusal: string | null) => Promise<void> {
  /** What this process has last noted, and when; null: nothing yet. */
  let noted: { readonly isRefused: boolean; readonly at: number } | null = null;
  return async (refusal) => {
    const isRefused = refusal !== null;
    const now = clock.now();
    const isNews = noted?.isRefused !== isRefused;
    if (noted !== null && !isNews && isWithin(NOTED_FOR_MS, noted.at, now)) return;
    try {
      if (refusal === null) await state.delete(REFUSALS, KEY);
      else {
        const message = withoutData(refusal);
        if (isNews)
          logger.error(
            { error: message },
            'the payment provider refuses the key of this market: nobody can pay (PAYSTACK_SECRET)',
          );
        const entry: KeyRefusal = { since: new Date(now).toISOString(), message };
        await state.put(REFUSALS, KEY, entry, now, { if: 'absent' });
      }
      noted = { isRefused, at: now };
    } catch (error) {
      // Noted with the next answer. What was asked of the provider is not to fail for it.
      logger.warn({ err: error }, 'what the payment provider says of the key could not be noted');
    }
  };
}
