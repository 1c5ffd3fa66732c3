import type { VerifiedTransfer } from '@oja/platform';
import type { Deps } from '../../deps.js';
import { command, factId, following, nowOf } from '../commands.js';

/**
 * What a transfer's status means. `arrived` and `ended` are final, `ended` without the money having
 * gone; `waits`: for somebody at the provider, who types a one-time password or approves it; `on-its-way`:
 * all others, those that nobody knows among them. Source: Paystack, 'How transfers work'.
 */
export type Standing = 'arrived' | 'ended' | 'waits' | 'on-its-way';

const standings: Readonly<Record<string, Standing>> = {
  success: 'arrived',
  failed: 'ended',
  reversed: 'ended',
  abandoned: 'ended',
  blocked: 'ended',
  rejected: 'ended',
  otp: 'waits',
  received: 'waits',
};

export const standingOf = (status: string): Standing =>
  Object.hasOwn(standings, status) ? (standings[status] ?? 'on-its-way') : 'on-its-way';

/** `<transactionId>_…`: the payout's id is the reference of its transfer. */
export const orderOfPayout = (payoutId: string): string => payoutId.split('_')[0] ?? '';

/** Whether what the provider told is about this payout, to the kobo. */
export const isOfPayout = (told: VerifiedTransfer, payoutId: string, amount: number): boolean =>
  told.reference === payoutId && told.amount === amount;

/**
 * Records how a transfer ended; whether that is settled. A transfer that comes back after it had
 * arrived makes the share payable again, under another reference.
 */
export async function endPayout(
  deps: Deps,
  payoutId: string,
  standing: 'arrived' | 'ended',
  reason: string,
): Promise<boolean> {
  const at = nowOf(deps);
  const what =
    standing === 'arrived'
      ? ({ type: 'CompletePayout', payoutId, at } as const)
      : ({ type: 'FailPayout', payoutId, reason, at } as const);
  const context = following(factId(what.type, payoutId), 'paystack');
  const handled = await command(deps, orderOfPayout(payoutId), what, context);
  if (handled.ok) return true;
  if (handled.conflict) return false;
  deps.logger.warn(
    { payoutId, reason, code: handled.refusal.code },
    'a transfer of no open payout',
  );
  return true;
}
