import type { ObligationDocument } from '@oja/contracts/models';
import { type ShareState, shareIndexOf } from '@oja/domain';
import { DAY_MS } from '@oja/domain/rules';
import type { PaymentNotice, VerifiedTransfer } from '@oja/platform';
import type { Deps } from '../../deps.js';
import { factCommandId, loadOrder, nowOf, orderFactContext, runOrderCommand } from '../order.js';

/** State space for payouts whose last check gave an unexpected status; they are checked again a day later. */
const SPACE = 'payout-checks';

/**
 * Checks a transfer again, days later, because the provider's notice may have been lost. An arrived transfer may
 * have been returned by the bank; a given-up one may have arrived after all; one that was under way when the
 * payment was reversed is followed by nobody else. If nothing changed, the payout is cleared and never checked
 * again. If the money came back, it is owed again. Returns false when the provider did not answer.
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
  const index = shareIndexOf(subject, payoutId);
  const share = index === null ? undefined : order?.state.shares[index];
  if (share === undefined) return true;
  const isGivenUp = share.payoutId !== payoutId;
  // In any other status `workPayout` still follows it, or it came back and the read model does not know yet.
  const isTakenBack = !isGivenUp && share.status === 'reversed';
  if (!isGivenUp && !isTakenBack && share.status !== 'paid-out') return true;
  if (isGivenUp || share.payoutMethod === 'transfer') {
    const answer = await deps.payments.verifyTransfer(payoutId);
    if (!answer.ok && answer.reason !== 'not-found') return false;
    const told = answer.ok && isOfPayout(answer.value, payoutId, share.share) ? answer.value : null;
    const standing = told === null ? 'unknown' : standingOf(told.status);
    if (isGivenUp && standing === 'arrived') return recordLate(deps, payoutId);
    const isUnheard = !answer.ok && answer.reason === 'not-found';
    if (!isGivenUp && (standing === 'ended' || (isTakenBack && isUnheard)))
      return endPayout(deps, payoutId, 'ended', `transfer.${told?.status ?? 'unknown'}`, share);
    if (isTakenBack && standing === 'arrived')
      return endPayout(deps, payoutId, standing, `transfer.${told?.status}`);
    const isOver = isGivenUp ? standing === 'ended' || isUnheard : standing === 'arrived';
    if (!isOver) {
      deps.logger.error(
        { payoutId, told },
        'the provider contradicts how a transfer was recorded: check it at the provider',
      );
      await state.put(SPACE, payoutId, {}, now, { expiresAt: now + DAY_MS });
      return true;
    }
  }
  await runOrderCommand(
    deps,
    subject,
    { type: 'ClearPayout', payoutId, at: nowOf(deps) },
    orderFactContext(factCommandId('ClearPayout', payoutId), 'sweep'),
  );
  return true;
}

type TransferNotice = Extract<PaymentNotice, { readonly transferCode: string }>;

/**
 * Handles a notice about a transfer. The notice only says which transfer to look up; its status is
 * read from the provider, and counts only for the payout that we requested, to the kobo. Returns
 * whether the notice is done with. It is not while the provider does not answer or, for a day after
 * `at` (epoch milliseconds), does not yet confirm the notice.
 */
export async function settleTransfer(
  deps: Deps,
  notice: TransferNotice,
  at: number,
): Promise<boolean> {
  const { reference: payoutId } = notice;
  const order = await loadOrder(deps, orderOfPayout(payoutId));
  const index = shareIndexOf(order?.state.transactionId ?? '', payoutId);
  const share = index === null ? undefined : order?.state.shares[index];
  if (share === undefined) {
    deps.logger.warn(
      { payoutId, type: notice.type },
      'ignored a webhook: it is about a payout that this market does not know',
    );
    return true;
  }
  const answer = await deps.payments.verifyTransfer(payoutId);
  if (!answer.ok && answer.reason !== 'not-found') return false;
  if (!answer.ok || !isOfPayout(answer.value, payoutId, share.share)) {
    const told = answer.ok ? answer.value : null;
    deps.logger.error(
      { payoutId, told },
      'ignored a webhook: the provider knows no transfer that matches the payout',
    );
    return true;
  }
  const { status } = answer.value;
  const standing = standingOf(status);
  // An operator had ended this payout. If it arrived after all, only this notice tells us.
  if (share.payoutId !== payoutId && standing === 'arrived') return recordLate(deps, payoutId);
  const hasEnded = standing === 'arrived' || standing === 'ended';
  if (hasEnded && !(await endPayout(deps, payoutId, standing, `transfer.${status}`, share)))
    return false;
  if (hasEnded && (standing === 'ended' || notice.type === 'transfer.success')) return true;
  if (deps.clock.now() < at + DAY_MS) return false;
  deps.logger.error(
    { payoutId, status, type: notice.type },
    'the provider did not confirm a webhook about a transfer in time',
  );
  return true;
}

/**
 * What the provider's status of a transfer means. `arrived` and `ended` are final; with `ended` no
 * money was paid. `waits`: a person must act at the provider (one-time password or approval).
 * `on-its-way`: all other statuses, including unknown ones. Source: Paystack, 'How transfers work'.
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

/** The order id in a payout id (`<transactionId>_…`). The payout id is the transfer's reference. */
const orderOfPayout = (payoutId: string): string => payoutId.split('_')[0] ?? '';

/** Whether the provider's answer is about this payout, to the kobo. */
export const isOfPayout = (told: VerifiedTransfer, payoutId: string, amount: number): boolean =>
  told.reference === payoutId && told.amount === amount;

/**
 * Records that a transfer has arrived after it was ended here. Its share may have been paid by
 * other means since. Returns false after a write conflict.
 */
export async function recordLate(deps: Deps, payoutId: string): Promise<boolean> {
  const handled = await runOrderCommand(
    deps,
    orderOfPayout(payoutId),
    { type: 'RecordLatePayout', payoutId, at: nowOf(deps) },
    orderFactContext(factCommandId('RecordLatePayout', payoutId), 'paystack'),
  );
  const isNew = handled.ok && !handled.repeated;
  if (isNew && handled.events.some(({ type }) => type === 'PayoutDoubled'))
    deps.logger.error(
      { payoutId },
      'a seller was paid twice: a transfer that was given up arrived',
    );
  return handled.ok || !handled.conflict;
}

/**
 * Records how a transfer ended; returns false after a write conflict. If a transfer comes back
 * after it had arrived, the share is payable again under another reference. A transfer that had been
 * ended before and arrived late (`heardLate`) ends a second time, so that is another command.
 */
export async function endPayout(
  deps: Deps,
  payoutId: string,
  standing: 'arrived' | 'ended',
  reason: string,
  { heardLate }: Pick<ShareState, 'heardLate'> = { heardLate: [] },
): Promise<boolean> {
  const at = nowOf(deps);
  const what =
    standing === 'arrived'
      ? ({ type: 'CompletePayout', payoutId, at } as const)
      : ({ type: 'FailPayout', payoutId, reason, at } as const);
  const again = heardLate.includes(payoutId) ? ['late'] : [];
  const context = orderFactContext(factCommandId(what.type, payoutId, ...again), 'paystack');
  const handled = await runOrderCommand(deps, orderOfPayout(payoutId), what, context);
  if (handled.ok) return true;
  if (handled.conflict) return false;
  deps.logger.warn(
    { payoutId, reason, code: handled.refusal.code },
    'the end of a transfer was not recorded: its payout is not open',
  );
  return true;
}
