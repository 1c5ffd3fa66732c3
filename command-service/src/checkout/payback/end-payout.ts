import type { Deps } from '../../deps.js';
import { command, factId, following, nowOf } from '../commands.js';

type Ending = 'transfer.success' | 'transfer.failed' | 'transfer.reversed';

/** `<transactionId>_…`: the payout's id is the reference of its transfer. */
export const orderOfPayout = (payoutId: string): string => payoutId.split('_')[0] ?? '';

/**
 * Records how a transfer ended; whether that is settled. A transfer that comes back after it had
 * arrived makes the share payable again, under another reference.
 */
export async function endPayout(
  deps: Deps,
  payoutId: string,
  ending: Ending,
  reason: string = ending,
): Promise<boolean> {
  const at = nowOf(deps);
  const what =
    ending === 'transfer.success'
      ? ({ type: 'CompletePayout', payoutId, at } as const)
      : ({ type: 'FailPayout', payoutId, reason, at } as const);
  const context = following(factId(what.type, payoutId), 'paystack');
  const handled = await command(deps, orderOfPayout(payoutId), what, context);
  if (handled.ok) return true;
  if (handled.conflict) return false;
  deps.logger.warn(
    { payoutId, ending, code: handled.refusal.code },
    'a transfer of no open payout',
  );
  return true;
}
