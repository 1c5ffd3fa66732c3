import type { ObligationDocument } from '@oja/contracts/models';
import { DAY_MS } from '@oja/domain/rules';
import type { Deps } from '../../deps.js';
import { command, factId, following, nowOf } from '../commands.js';
import { loadOrder } from '../order.js';
import { endPayout, isOfPayout, standingOf } from './end-payout.js';

/** Which payouts the provider said something odd of when they were asked after last. */
const SPACE = 'payout-checks';

/**
 * Asks once more after a transfer that has arrived, days later: the bank may have sent it back, and the
 * notice of that may have been lost. What has stayed is cleared and never asked after again; what came
 * back is owed again. Whether the provider answered, if it was asked.
 */
export async function checkArrivedPayout(
  deps: Deps,
  { subject, item: payoutId }: Pick<ObligationDocument, 'subject' | 'item'>,
): Promise<boolean> {
  const { state, clock } = deps;
  if (payoutId === null) return true;
  const now = clock.now();
  if ((await state.get(SPACE, payoutId, now)) !== null) return true;
  const order = await loadOrder(deps, subject);
  const share = order?.state.shares.find((each) => each.payoutId === payoutId);
  // It came back meanwhile, which the read model does not know yet.
  if (share?.status !== 'paid-out') return true;
  if (share.payoutMethod === 'transfer') {
    const answer = await deps.payments.verifyTransfer(payoutId);
    if (!answer.ok && answer.reason !== 'not-found') return false;
    const told = answer.ok && isOfPayout(answer.value, payoutId, share.share) ? answer.value : null;
    const standing = told === null ? 'unknown' : standingOf(told.status);
    if (standing === 'ended')
      return endPayout(deps, payoutId, standing, `transfer.${told?.status}`);
    if (standing !== 'arrived') {
      deps.logger.error({ payoutId, told }, 'a transfer that had arrived is not what it was');
      await state.put(SPACE, payoutId, {}, now, { expiresAt: now + DAY_MS });
      return true;
    }
  }
  await command(
    deps,
    subject,
    { type: 'ClearPayout', payoutId, at: nowOf(deps) },
    following(factId('ClearPayout', payoutId), 'sweep'),
  );
  return true;
}
