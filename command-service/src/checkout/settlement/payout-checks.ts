import type { ObligationDocument } from '@oja/contracts/models';
import { shareIndexOf } from '@oja/domain';
import { DAY_MS } from '@oja/domain/rules';
import type { PaymentNotice, VerifiedTransfer } from '@oja/platform';
import type { Deps } from '../../deps.js';
import { command, factId, followingOrder, loadOrder, nowOf } from '../order.js';

/** Which payouts the provider said something odd of when they were asked after last. */
const SPACE = 'payout-checks';

/**
 * Asks once more after a transfer, days later. One that has arrived: the bank may have sent it back; one
 * that was given up: it may have arrived after all; one that was under way when the payment was taken back:
 * nobody follows it any more. The notice of any may have been lost. What is as it
 * was is cleared and never asked after again; what came back is owed again. Whether the provider answered,
 * if it was asked.
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
  // Whoever works on payouts still follows it; or it came back, which the read model does not know yet.
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
      return endPayout(deps, payoutId, 'ended', `transfer.${told?.status ?? 'unknown'}`);
    if (isTakenBack && standing === 'arrived')
      return endPayout(deps, payoutId, standing, `transfer.${told?.status}`);
    const isOver = isGivenUp ? standing === 'ended' || isUnheard : standing === 'arrived';
    if (!isOver) {
      deps.logger.error({ payoutId, told }, 'a transfer is not what it was taken for');
      await state.put(SPACE, payoutId, {}, now, { expiresAt: now + DAY_MS });
      return true;
    }
  }
  await command(
    deps,
    subject,
    { type: 'ClearPayout', payoutId, at: nowOf(deps) },
    followingOrder(factId('ClearPayout', payoutId), 'sweep'),
  );
  return true;
}

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
  const index = shareIndexOf(order?.state.transactionId ?? '', payoutId);
  const share = index === null ? undefined : order?.state.shares[index];
  if (share === undefined) {
    deps.logger.warn({ payoutId, type: notice.type }, 'a notice of no payout of ours');
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
  // Of one that an operator ended: should it have arrived after all, nobody else would know.
  if (share.payoutId !== payoutId && standing === 'arrived') return recordLate(deps, payoutId);
  const hasEnded = standing === 'arrived' || standing === 'ended';
  if (hasEnded && !(await endPayout(deps, payoutId, standing, `transfer.${status}`))) return false;
  if (hasEnded && (standing === 'ended' || notice.type === 'transfer.success')) return true;
  if (deps.clock.now() < at + DAY_MS) return false;
  deps.logger.error({ payoutId, status, type: notice.type }, 'a notice was never borne out');
  return true;
}

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
const orderOfPayout = (payoutId: string): string => payoutId.split('_')[0] ?? '';

/** Whether what the provider told is about this payout, to the kobo. */
export const isOfPayout = (told: VerifiedTransfer, payoutId: string, amount: number): boolean =>
  told.reference === payoutId && told.amount === amount;

/**
 * Records that a transfer has arrived which had been ended here: by then its share may have been paid by
 * other means. Whether that is settled.
 */
export async function recordLate(deps: Deps, payoutId: string): Promise<boolean> {
  const handled = await command(
    deps,
    orderOfPayout(payoutId),
    { type: 'RecordLatePayout', payoutId, at: nowOf(deps) },
    followingOrder(factId('RecordLatePayout', payoutId), 'paystack'),
  );
  if (handled.ok && handled.events.some(({ type }) => type === 'PayoutDoubled'))
    deps.logger.error(
      { payoutId },
      'a seller was paid twice: a transfer that was given up arrived',
    );
  return handled.ok || !handled.conflict;
}

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
  const context = followingOrder(factId(what.type, payoutId), 'paystack');
  const handled = await command(deps, orderOfPayout(payoutId), what, context);
  if (handled.ok) return true;
  if (handled.conflict) return false;
  deps.logger.warn(
    { payoutId, reason, code: handled.refusal.code },
    'a transfer of no open payout',
  );
  return true;
}
