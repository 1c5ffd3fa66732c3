import { DAY_MS } from '@oja/domain/rules';
import type { PaymentNotice } from '@oja/platform';
import type { Deps } from '../../deps.js';
import { loadOrder } from '../order.js';
import { endPayout, isOfPayout, orderOfPayout, standingOf } from './end-payout.js';

type TransferNotice = Extract<PaymentNotice, { readonly transferCode: string }>;

/**
 * A notice of a transfer says which to look at: how it stands is read from the provider, and holds only
 * for the payout that was asked for, to the kobo. Whether nothing is left to do about the notice: not
 * while the provider does not answer, or, for a day after `at`, still says less than the notice.
 */
export async function settleTransfer(
  deps: Deps,
  notice: TransferNotice,
  at: number,
): Promise<boolean> {
  const { reference: payoutId } = notice;
  const order = await loadOrder(deps, orderOfPayout(payoutId));
  const share = order?.state.shares.find((each) => each.payoutId === payoutId);
  if (share === undefined) {
    // Of one that an operator ended: should it arrive after all, the share was paid twice.
    const isError = notice.type === 'transfer.success';
    deps.logger[isError ? 'error' : 'warn'](
      { payoutId, type: notice.type },
      'a notice of no open payout',
    );
    return true;
  }
  const answer = await deps.payments.verifyTransfer(payoutId);
  if (!answer.ok && answer.reason !== 'not-found') return false;
  if (!answer.ok || !isOfPayout(answer.value, payoutId, share.share)) {
    const told = answer.ok ? answer.value : null;
    deps.logger.error({ payoutId, told }, 'a notice of a transfer that nobody asked for');
    return true;
  }
  const { status } = answer.value;
  const standing = standingOf(status);
  const hasEnded = standing === 'arrived' || standing === 'ended';
  if (hasEnded && !(await endPayout(deps, payoutId, standing, `transfer.${status}`))) return false;
  if (hasEnded && (standing === 'ended' || notice.type === 'transfer.success')) return true;
  if (deps.clock.now() < at + DAY_MS) return false;
  deps.logger.error({ payoutId, status, type: notice.type }, 'a notice was never borne out');
  return true;
}
