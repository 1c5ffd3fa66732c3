import { keySubject, type PayoutDestination, type ShareState, streamNames } from '@oja/domain';
import { DAY_MS, MINUTE_MS } from '@oja/domain/rules';
import {
  backOff,
  loggedFailure,
  nowOf,
  type PaymentFailure,
  type VerifiedTransfer,
} from '@oja/platform';
import type { PayoutAccount } from '../../accounts/seller-facts.js';
import { factCommandId, orderFactContext } from '../../commands.js';
import type { Deps } from '../../deps.js';
import { loadOrder, loadShare, runOrderCommand } from '../order.js';
import { verifyDisputed, wasDisputed } from '../verify-payment.js';
import { isDisputedNow } from './disputed-payments.js';
import {
  type GivenAccount,
  isOfAccount,
  loadPayoutAccount,
  openDestination,
  toShown,
} from './payout-account.js';
import { endPayout, isOfPayout, recordLateArrival, toTransferOutcome } from './payout-checks.js';
import {
  isPostponed,
  loadPayout,
  type PayoutProgress,
  SEND_WITHIN_MS,
  type StoredPayout,
  storePayout,
} from './progress.js';

/** The pause between two checks of a pending transfer, and after the first failure; doubled after each failure. */
const PAUSE_MS = 5 * MINUTE_MS;

/**
 * Pays a released share by transfer, if transfers are on and the seller has a bank account. One that was sent before they
 * were switched off is still followed, so that nobody pays by hand what has arrived. The transfer's reference is the
 * payout id, which the provider accepts only once. So the transfer is looked up first, and sent only if the provider does
 * not know it. Returns false when the provider did not answer.
 */
export async function workPayout(
  deps: Deps,
  transactionId: string,
  sellerId: string,
): Promise<boolean> {
  const { payouts } = deps.settings;
  // Checked before the order is read, because most sweeps come too early.
  const before = await loadPayout(deps, transactionId, sellerId);
  if (before !== null && isPostponed(before.progress, deps.clock.now())) return true;
  const share = await loadShare(deps, transactionId, sellerId);
  if (share?.status !== 'released' && share?.status !== 'payout-requested') return true;
  if (share.status === 'released' && !payouts) return true;
  // A manual payout that an operator has begun is finished by the operator.
  if (share.payoutMethod === 'manual') return true;
  const to = await loadPayoutAccount(deps, sellerId);
  if (to === null) return true;
  const version = before?.version ?? null;
  const transferOf = (payoutId: string): Transfer => ({
    transactionId,
    sellerId,
    amount: share.share,
    kept: { progress: progressFor(before, payoutId), version },
  });
  if (share.status === 'released') {
    const obstacle = await findObstacle(deps, transferOf(share.payoutId ?? ''), to, before);
    if (obstacle !== null) return obstacle;
  }
  const requested = await ensureRequested(deps, transactionId, share, to.account);
  if (requested === null) return true;
  const transfer = transferOf(requested.payoutId);
  const found = await deps.payments.verifyTransfer(requested.payoutId);
  if (found.ok) return applyStatus(deps, transfer, found.value);
  if (found.reason !== 'not-found') return retryLater(deps, transfer, found);
  if (!payouts) {
    await updateProgress(deps, transfer, { notBefore: deps.clock.now() + PAUSE_MS });
    return true;
  }
  // Requested by an earlier sweep: the payment may have been disputed since.
  if (share.status === 'payout-requested') {
    const safety = await checkRisk(deps, transactionId);
    if (safety !== 'safe') return safety === 'wait';
  }
  return sendTransfer(deps, transfer, to, requested.payoutAccount);
}

/**
 * Checks whether a payout of a released share may begin: null if it may, otherwise whether the provider answered.
 */
async function findObstacle(
  deps: Deps,
  transfer: Transfer,
  to: GivenAccount,
  before: StoredPayout | null,
): Promise<boolean | null> {
  const safety = await checkRisk(deps, transfer.transactionId);
  if (safety !== 'safe') return safety === 'wait';
  if (before === null) return null;
  if (before.progress.payoutId !== '') {
    const earlier = await checkEarlier(deps, transfer, before.progress);
    if (earlier !== 'over') return earlier === 'wait';
  }
  if (before.progress.refusedAccount !== to.given) return null;
  const recipient = await deps.payments.createRecipient(to.account);
  // The failure is recorded and its seller was told, so no payout begins before the account details are accepted.
  return recipient.ok ? null : retryLater(deps, { ...transfer, kept: before }, recipient);
}

/**
 * Whether the share can be paid out: 'wait' while the payment may still be reversed, 'unanswered' when the provider
 * did not answer. A payment whose disputes are over is checked first; while one is open, the daily check does that.
 */
async function checkRisk(
  deps: Deps,
  transactionId: string,
): Promise<'safe' | 'wait' | 'unanswered'> {
  const before = await loadOrder(deps, transactionId);
  if (before === null || !wasDisputed(before.state)) return 'safe';
  if (isDisputedNow(before.state, deps.clock.now())) return 'wait';
  if (!(await verifyDisputed(deps, before.state))) return 'unanswered';
  const after = await loadOrder(deps, transactionId);
  if (after === null || after.state.reversed) return 'wait';
  return isDisputedNow(after.state, deps.clock.now()) ? 'wait' : 'safe';
}

/** The progress to continue with for this payout, derived from the last one of the share. */
function progressFor(before: StoredPayout | null, payoutId: string): PayoutProgress {
  const { progress } = before ?? {};
  const isSame = progress?.payoutId === payoutId;
  return {
    payoutId,
    recipientCode: isSame ? progress.recipientCode : null,
    failures: progress?.failures ?? 0,
    notBefore: 0,
    says: isSame ? (progress.says ?? null) : null,
    ...(isSame && progress.refusal !== undefined && { refusal: progress.refusal }),
    ...(isSame && progress.sentTo !== undefined && { sentTo: progress.sentTo }),
    ...(progress?.refusedAccount !== undefined && { refusedAccount: progress.refusedAccount }),
  };
}

/**
 * Whether another payout may follow the earlier one: 'wait' while the provider may still pay the earlier one, even
 * though it was ended here, 'unanswered' when the provider did not answer.
 */
async function checkEarlier(
  deps: Deps,
  transfer: Transfer,
  { payoutId, says: said }: PayoutProgress,
): Promise<'over' | 'wait' | 'unanswered'> {
  const found = await deps.payments.verifyTransfer(payoutId);
  if (!found.ok) return found.reason === 'not-found' ? 'over' : 'unanswered';
  const { status: says } = found.value;
  const earlier = withProgress(transfer, { payoutId, says });
  switch (toTransferOutcome(says)) {
    case 'ended':
      if (said === says) return 'over';
      // A notice has told of its end, so no sweep has made a pause yet.
      await postpone(deps, earlier, says);
      return 'wait';
    case 'arrived':
      await recordLateArrival(deps, payoutId, transfer);
      return 'wait';
    case 'waits':
    case 'on-its-way':
      await updateProgress(deps, earlier, { notBefore: deps.clock.now() + PAUSE_MS });
      return 'wait';
  }
}

type RequestedShare = ShareState & { readonly payoutId: string };

const isRequested = (share: ShareState | undefined): share is RequestedShare =>
  share?.status === 'payout-requested' &&
  share.payoutMethod === 'transfer' &&
  share.payoutId !== null;

/**
 * The share with the transfer to work on, requested now if necessary; null when the request was refused. The command id
 * stays the same until the transfer has failed.
 */
async function ensureRequested(
  deps: Deps,
  transactionId: string,
  share: ShareState,
  to: PayoutAccount,
): Promise<RequestedShare | null> {
  if (isRequested(share)) return share;
  const { sellerId, failedPayouts } = share;
  const stream = streamNames.transaction(transactionId);
  const account = await deps.sealer.seal(keySubject('seller', sellerId), stream, toShown(to));
  const method = 'transfer' as const;
  const fact = factCommandId('RequestPayout', transactionId, sellerId, failedPayouts, method);
  const handled = await runOrderCommand(
    deps,
    transactionId,
    { type: 'RequestPayout', sellerId, method, account, at: nowOf(deps) },
    orderFactContext(fact, 'sweep'),
  );
  if (!handled.ok || handled.state.status === 'none') return null;
  const after = handled.state.shares.find((each) => each.sellerId === sellerId);
  return isRequested(after) ? after : null;
}

interface Transfer {
  readonly transactionId: string;
  readonly sellerId: string;
  /** Kobo. */
  readonly amount: number;
  readonly kept: StoredPayout;
}

/**
 * Whether the transfer may still be sent. The order is read afresh, because somebody may have ended the payout,
 * or the payment may have been disputed, since this sweep read it.
 */
async function isStillOwed(deps: Deps, transfer: Transfer): Promise<boolean> {
  const { transactionId, sellerId, kept } = transfer;
  deps.orderCache?.delete(transactionId);
  const order = await loadOrder(deps, transactionId);
  if (order === null || isDisputedNow(order.state, deps.clock.now())) return false;
  const share = order.state.shares.find((each) => each.sellerId === sellerId);
  return share?.status === 'payout-requested' && share.payoutId === kept.progress.payoutId;
}

/**
 * Sends a transfer that the provider does not know. If the process was suspended after
 * claiming it, the transfer is not sent.
 */
async function sendTransfer(
  deps: Deps,
  transfer: Transfer,
  { account, given }: GivenAccount,
  destination: PayoutDestination | null,
): Promise<boolean> {
  const { transactionId, amount } = transfer;
  const { payoutId, recipientCode: before } = transfer.kept.progress;
  const sentAt = deps.clock.now();
  const claimed = await updateProgress(deps, transfer, {
    sentAt,
    notBefore: sentAt + SEND_WITHIN_MS,
    ...(before === null && { sentTo: given }),
  });
  // Read after the claim: from here on, operators are told that the transfer is being sent.
  if (claimed === null || !(await isStillOwed(deps, claimed))) return true;
  const shown = before === null ? await openDestination(deps, transactionId, destination) : null;
  if (shown !== null && !isOfAccount(shown, account)) {
    await endUnsent(deps, transactionId, payoutId);
    return true;
  }
  const recipient =
    before === null
      ? await deps.payments.createRecipient(account)
      : { ok: true as const, value: { recipientCode: before } };
  if (!recipient.ok) {
    // Forbidden, it says nothing of the seller's bank details.
    if (recipient.reason !== 'refused' || recipient.isForbidden)
      return retryLater(deps, claimed, recipient);
    await endPayout(deps, payoutId, 'ended', 'The bank details were refused', transfer);
    return retryLater(deps, withProgress(claimed, { refusedAccount: given }), recipient);
  }
  const { recipientCode } = recipient.value;
  const ready = await updateProgress(deps, claimed, { recipientCode });
  if (ready === null) return true;
  if (deps.clock.now() > sentAt + SEND_WITHIN_MS) {
    await updateProgress(deps, ready, { recipientCode: before });
    return true;
  }
  const answer = await deps.payments.transfer({
    amount,
    recipientCode,
    reference: payoutId,
    reason: `Oja order ${transactionId}`,
  });
  return applyAnswer(deps, ready, before, answer);
}

/** Acts on the answer to a transfer that was sent. `before`: the recipient that it had before this try. */
async function applyAnswer(
  deps: Deps,
  transfer: Transfer,
  before: string | null,
  answer: Awaited<ReturnType<Deps['payments']['transfer']>>,
): Promise<boolean> {
  const { amount } = transfer;
  const { payoutId } = transfer.kept.progress;
  if (answer.ok)
    return applyStatus(deps, transfer, {
      reference: payoutId,
      amount,
      status: answer.value.status,
    });
  const retryWith = (recipientCode: string | null) =>
    retryLater(deps, withProgress(transfer, { recipientCode }), answer);
  switch (answer.reason) {
    case 'duplicate-reference': {
      const found = await deps.payments.verifyTransfer(payoutId);
      return found.ok
        ? applyStatus(deps, transfer, found.value)
        : retryLater(deps, transfer, found);
    }
    case 'unreachable':
      return retryLater(deps, transfer, answer);
    // It was not looked at, so an earlier call whose answer was lost may still be carried out.
    case 'rate-limited':
    case 'unauthorized':
      return retryWith(before);
    case 'refused':
    case 'not-found': {
      // The next try goes to the account that the seller has then: theirs may have changed since, or the provider
      // does not pay to this recipient any more. A call that is forbidden was not looked at.
      const isForbidden = answer.reason === 'refused' && answer.isForbidden === true;
      return retryWith(isForbidden ? before : null);
    }
  }
}

/** The transfer with a changed progress, which is stored with the next update. */
const withProgress = (transfer: Transfer, change: Partial<PayoutProgress>): Transfer => ({
  ...transfer,
  kept: { ...transfer.kept, progress: { ...transfer.kept.progress, ...change } },
});

/** Ends a transfer whose bank details changed before it was sent. Only the process that claimed it may do so. */
const endUnsent = (deps: Deps, transactionId: string, payoutId: string) =>
  runOrderCommand(
    deps,
    transactionId,
    {
      type: 'FailPayout',
      payoutId,
      reason: 'The bank details were changed before it was sent',
      givenUp: true,
      at: nowOf(deps),
    },
    orderFactContext(factCommandId('FailPayout', payoutId), 'sweep'),
  );

/**
 * Acts on the provider's status of a transfer. One that waits for a person there is logged and
 * checked again later.
 */
async function applyStatus(
  deps: Deps,
  transfer: Transfer,
  verified: VerifiedTransfer,
): Promise<boolean> {
  const { payoutId } = transfer.kept.progress;
  const { status: says } = verified;
  if (!isOfPayout(verified, payoutId, transfer.amount)) {
    deps.logger.error(
      { payoutId, transfer: verified },
      'a transfer at the provider does not match its payout: compare amount and reference',
    );
    await postpone(deps, transfer, says);
    return true;
  }
  const outcome = toTransferOutcome(says);
  switch (outcome) {
    case 'arrived':
      return endPayout(deps, payoutId, outcome, `transfer.${says}`, transfer);
    case 'ended':
      await endPayout(deps, payoutId, outcome, `transfer.${says}`, transfer);
      await postpone(deps, transfer, says);
      return true;
    case 'waits':
    case 'on-its-way':
      if (outcome === 'waits')
        deps.logger.error(
          { payoutId, says },
          'a transfer waits for approval or a one-time password: act at the provider',
        );
      await updateProgress(deps, transfer, { says, notBefore: deps.clock.now() + PAUSE_MS });
      return true;
  }
}

/**
 * Handles a failed call. An unreachable provider is asked again by the next sweep; after a refusal
 * there is a pause.
 */
async function retryLater(
  deps: Deps,
  transfer: Transfer,
  failure: PaymentFailure,
): Promise<boolean> {
  const { payoutId } = transfer.kept.progress;
  deps.logger.warn(
    { payoutId, ...loggedFailure(failure) },
    'a payout could not be made yet: it is tried again',
  );
  if (failure.reason === 'unreachable') return false;
  const { message } = loggedFailure(failure);
  const refused = withProgress(transfer, message === undefined ? {} : { refusal: message });
  await postpone(deps, refused, refused.kept.progress.says ?? null);
  return failure.reason !== 'rate-limited' && failure.reason !== 'unauthorized';
}

async function postpone(deps: Deps, transfer: Transfer, says: string | null): Promise<void> {
  const { failures } = transfer.kept.progress;
  const notBefore = deps.clock.now() + backOff(failures + 1, PAUSE_MS, DAY_MS);
  await updateProgress(deps, transfer, { failures: failures + 1, notBefore, says });
}

/** Stores a changed progress; null as for `storePayout`. */
async function updateProgress(
  deps: Deps,
  transfer: Transfer,
  change: Partial<PayoutProgress>,
): Promise<Transfer | null> {
  const { transactionId, sellerId, kept } = transfer;
  const progress = { ...kept.progress, ...change };
  const stored = await storePayout(deps, transactionId, sellerId, kept.version, progress);
  return stored && { ...transfer, kept: stored };
}
