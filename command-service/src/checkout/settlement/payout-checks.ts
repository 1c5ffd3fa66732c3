import type { ObligationDocument } from '@oja/contracts/models';
import { type ShareState, shareIndexOf, wasNeverSent } from '@oja/domain';
import { DAY_MS } from '@oja/domain/rules';
import { nowOf, type PaymentNotice, type VerifiedTransfer } from '@oja/platform';
import { factCommandId, orderFactContext } from '../../commands.js';
import type { Deps } from '../../deps.js';
import { loadOrder, runOrderCommand } from '../order.js';
import { postponeWebhook } from '../stored-webhooks.js';
import { loadFailedAccount, loadPayout, storeFailedAccount } from './progress.js';

/** State space for payouts whose last check gave an unexpected status; they are checked again a day later. */
const SPACE = 'payout-checks';

/** How a payout stands in the order. `taken-back`: requested when the payment was reversed, and followed by nobody. */
type Recorded = 'paid-out' | 'given-up' | 'doubled' | 'taken-back';

/** What to do about a payout, by how it is recorded and what the provider says. All else is a contradiction. */
const actions: Readonly<
  Record<
    Recorded,
    Partial<Record<TransferOutcome | 'not-found', 'clear' | 'end' | 'complete' | 'late'>>
  >
> = {
  'paid-out': { arrived: 'clear', ended: 'end' },
  'given-up': { arrived: 'late', ended: 'clear', 'not-found': 'clear' },
  doubled: { arrived: 'clear', ended: 'end' },
  'taken-back': { arrived: 'complete', ended: 'end', 'not-found': 'end' },
};

/**
 * How a payout of this share is recorded; null if there is nothing to check: `workPayout` still follows it, or it came
 * back and the read model does not know yet.
 */
function recordedAs(share: ShareState, payoutId: string): Recorded | null {
  if (share.doubled.includes(payoutId)) return 'doubled';
  if (share.payoutId !== payoutId) return 'given-up';
  if (share.status === 'reversed') return 'taken-back';
  return share.status === 'paid-out' ? 'paid-out' : null;
}

/**
 * Checks a transfer again, days later, because the provider's notice may have been lost. One that arrived, even as one
 * too many, may have been returned by the bank; a given-up one may have arrived after all. If nothing changed, the
 * payout is cleared and never checked again. Returns false when the provider did not answer.
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
  const recorded = share === undefined ? null : recordedAs(share, payoutId);
  if (share === undefined || recorded === null) return true;
  // No bank returns what was paid by hand.
  if (recorded === 'paid-out' && share.payoutMethod === 'manual')
    return clearPayout(deps, subject, payoutId, recorded);
  const answer = await deps.payments.verifyTransfer(payoutId);
  if (!answer.ok && answer.reason !== 'not-found') return false;
  const transfer =
    answer.ok && isOfPayout(answer.value, payoutId, share.share) ? answer.value : null;
  const outcome = answer.ok ? transfer && toTransferOutcome(transfer.status) : 'not-found';
  const reason = `transfer.${transfer?.status ?? 'unknown'}`;
  switch (outcome && actions[recorded][outcome]) {
    case 'clear':
      return clearPayout(deps, subject, payoutId, recorded);
    case 'end':
      return endPayout(deps, payoutId, 'ended', reason, share);
    case 'complete':
      return endPayout(deps, payoutId, 'arrived', reason, { sellerId: share.sellerId });
    case 'late':
      return recordLateArrival(deps, payoutId, share);
    default:
      deps.logger.error(
        { payoutId, transfer },
        'the provider contradicts how a transfer was recorded: check it at the provider',
      );
      await state.put(SPACE, payoutId, {}, now, { expiresAt: now + DAY_MS });
      return true;
  }
}

/** Records that nothing more is expected of a payout. One that was too many may pay its share later, and is checked again then. */
async function clearPayout(
  deps: Deps,
  transactionId: string,
  payoutId: string,
  recorded: Recorded,
): Promise<boolean> {
  const doubled = recorded === 'doubled' ? [recorded] : [];
  await runOrderCommand(
    deps,
    transactionId,
    { type: 'ClearPayout', payoutId, at: nowOf(deps) },
    orderFactContext(factCommandId('ClearPayout', payoutId, ...doubled), 'sweep'),
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
  const order = await loadOrder(deps, orderIdOfPayout(payoutId));
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
    const transfer = answer.ok ? answer.value : null;
    deps.logger.error(
      { payoutId, transfer },
      'ignored a webhook: the provider knows no transfer that matches the payout',
    );
    return true;
  }
  const { status } = answer.value;
  const outcome = toTransferOutcome(status);
  // An operator had ended this payout. If it arrived after all, only this notice tells us.
  if (share.payoutId !== payoutId && outcome === 'arrived')
    return recordLateArrival(deps, payoutId, share);
  const hasEnded = outcome === 'arrived' || outcome === 'ended';
  if (hasEnded && !(await endPayout(deps, payoutId, outcome, `transfer.${status}`, share)))
    return false;
  if (hasEnded && (outcome === 'ended' || notice.type === 'transfer.success')) return true;
  const until = at + DAY_MS;
  if (deps.clock.now() < until) return postponeWebhook(deps, notice, until);
  deps.logger.error(
    { payoutId, says: status, type: notice.type },
    'the provider did not confirm a webhook about a transfer in time',
  );
  return true;
}

/**
 * What the provider's status of a transfer means. `arrived` and `ended` are final; with `ended` no
 * money was paid. `waits`: a person must act at the provider (one-time password or approval).
 * `on-its-way`: all other statuses, including unknown ones. Source: Paystack, 'How transfers work'.
 */
export type TransferOutcome = 'arrived' | 'ended' | 'waits' | 'on-its-way';

const outcomes: Readonly<Record<string, TransferOutcome>> = {
  success: 'arrived',
  failed: 'ended',
  reversed: 'ended',
  abandoned: 'ended',
  blocked: 'ended',
  rejected: 'ended',
  otp: 'waits',
  received: 'waits',
};

export const toTransferOutcome = (status: string): TransferOutcome =>
  Object.hasOwn(outcomes, status) ? (outcomes[status] ?? 'on-its-way') : 'on-its-way';

/** The order id in a payout id (`<transactionId>_…`). The payout id is the transfer's reference. */
const orderIdOfPayout = (payoutId: string): string => payoutId.split('_')[0] ?? '';

/** Whether the provider's answer is about this payout, to the kobo. */
export const isOfPayout = (transfer: VerifiedTransfer, payoutId: string, amount: number): boolean =>
  transfer.reference === payoutId && transfer.amount === amount;

/**
 * Records that a transfer to a seller has arrived after it was ended here. Its share may have been paid by
 * other means since. Returns false after a write conflict.
 */
export async function recordLateArrival(
  deps: Deps,
  payoutId: string,
  { sellerId }: Pick<ShareState, 'sellerId'>,
): Promise<boolean> {
  await storeFailedAccount(deps, sellerId, null);
  const handled = await runOrderCommand(
    deps,
    orderIdOfPayout(payoutId),
    { type: 'RecordLatePayout', payoutId, at: nowOf(deps) },
    orderFactContext(factCommandId('RecordLatePayout', payoutId), 'paystack'),
  );
  const events = handled.ok && !handled.repeated ? handled.events : [];
  if (events.some(({ type }) => type === 'PayoutDoubled'))
    deps.logger.error(
      { payoutId },
      'a seller was paid twice: a transfer that was given up arrived',
    );
  return handled.ok || !handled.conflict;
}

/**
 * Records how a transfer ended; returns false after a write conflict. If a transfer comes back
 * after it had arrived, the share is payable again under another reference. A transfer that had been
 * ended before and arrived late (`reportedLate`) ends a second time, so that is another command.
 * A failure is recorded as news for the seller only once for each bank account, until money arrives.
 */
export async function endPayout(
  deps: Deps,
  payoutId: string,
  outcome: 'arrived' | 'ended',
  reason: string,
  { sellerId, reportedLate = [] }: Pick<ShareState, 'sellerId'> & Partial<ShareState>,
): Promise<boolean> {
  const at = nowOf(deps);
  const transactionId = orderIdOfPayout(payoutId);
  const kept = outcome === 'arrived' ? null : await loadPayout(deps, transactionId, sellerId);
  const sentTo = kept?.progress.payoutId === payoutId ? kept.progress.sentTo : undefined;
  const repeated = sentTo !== undefined && sentTo === (await loadFailedAccount(deps, sellerId));
  const what =
    outcome === 'arrived'
      ? ({ type: 'CompletePayout', payoutId, at } as const)
      : ({ type: 'FailPayout', payoutId, reason, repeated, at } as const);
  if (outcome === 'arrived') await storeFailedAccount(deps, sellerId, null);
  const again = reportedLate.includes(payoutId) ? ['late'] : [];
  const context = orderFactContext(factCommandId(what.type, payoutId, ...again), 'paystack');
  const handled = await runOrderCommand(deps, transactionId, what, context);
  if (handled.ok) {
    if (handled.repeated) return true;
    // Of a transfer that was ended here, or was one too many, the seller does not hear that it failed.
    const isTold = handled.events.some(({ type }) => type === 'PayoutFailed');
    const isOwed = handled.state.status !== 'none' && !handled.state.reversed;
    const isOfAccount = isTold && isOwed && !wasNeverSent({ reason, reversed: false });
    if (isOfAccount && sentTo !== undefined) await storeFailedAccount(deps, sellerId, sentTo);
    return true;
  }
  if (handled.conflict) return false;
  deps.logger.warn(
    { payoutId, reason, code: handled.refusal.code },
    'the end of a transfer was not recorded: its payout is not open',
  );
  return true;
}
