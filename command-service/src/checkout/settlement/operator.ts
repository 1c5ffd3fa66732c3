import type { ObligationDocument } from '@oja/contracts/models';
import {
  conflict,
  invalidField,
  notFound,
  OPERATOR,
  type Refusal,
  type ShareState,
  type TransactionCommand,
} from '@oja/domain';
import { isWithinAllowingSkew, loggedFailure, nowOf, type Position } from '@oja/platform';
import { v7 } from 'uuid';
import type { PayoutAccount } from '../../accounts/seller-facts.js';
import { factContext } from '../../commands.js';
import { type Deps, dueObligations } from '../../deps.js';
import { loadOrder, loadShare, nonBlank, runOrderCommand } from '../order.js';
import { isDisputedNow } from './disputed-payments.js';
import {
  type GivenAccount,
  loadPayoutAccount,
  openDestination,
  type ShownAccount,
} from './payout-account.js';
import {
  endPayout,
  isOfPayout,
  recordLateArrival,
  type TransferOutcome,
  toTransferOutcome,
} from './payout-checks.js';
import { loadPayout, lockPayout, type PayoutProgress, SEND_WITHIN_MS } from './progress.js';

/** A released share that is not paid out yet. */
export interface PayableShare {
  readonly transactionId: string;
  readonly sellerId: string;
  /** Kobo. */
  readonly amount: number;
  /** When it was released. ISO 8601. */
  readonly since: string;
  /** Null until a payout was requested. */
  readonly payoutId: string | null;
  /** 'manual' when there is no payout yet, or when an operator has begun one. */
  readonly method: 'transfer' | 'manual';
  /**
   * The last status that the provider gave for the transfer, or why it refused it or its bank account, in its own
   * words. Also of the last one, while none is requested because of that, or while it may still be paid although an
   * operator has ended it. Null before the first.
   */
  readonly says: string | null;
  /** Whether the transfer waits for a person to act at the provider. */
  readonly needsSomebody: boolean;
  /**
   * Whether the cardholder's bank disputes the payment. No transfer is begun then; what is paid by hand is lost to the
   * market if the bank takes the payment back.
   */
  readonly isDisputed: boolean;
  /** The seller's bank account; null when they have not set one. */
  readonly account: PayoutAccount | null;
  /** The destination of the requested transfer; null when it was not stored. */
  readonly sentTo: ShownAccount | null;
}

/**
 * Lists what sellers are owed, oldest first.
 * @throws ReadModelMissing before a projector has run.
 */
export async function listPayable(deps: Deps): Promise<readonly PayableShare[]> {
  const accounts = new Map<string, GivenAccount | null>();
  const payable: PayableShare[] = [];
  for await (const owed of dueObligations(deps, 'payout', deps.clock.now())) {
    const share = await loadPayable(deps, owed, accounts);
    if (share !== null) payable.push(share);
  }
  return payable;
}

/**
 * What a seller is owed by this obligation; null when it names no seller or amount. `accounts`: those of sellers that
 * were read before.
 */
export async function loadPayable(
  deps: Deps,
  { subject: transactionId, sellerId, amount, due: since, item: payoutId }: ObligationDocument,
  accounts = new Map<string, GivenAccount | null>(),
): Promise<PayableShare | null> {
  if (sellerId === null || amount === null) return null;
  if (!accounts.has(sellerId)) accounts.set(sellerId, await loadPayoutAccount(deps, sellerId));
  const to = accounts.get(sellerId) ?? null;
  const order = (await loadOrder(deps, transactionId))?.state ?? null;
  const share = order?.shares.find((each) => each.sellerId === sellerId) ?? null;
  const method = share?.payoutMethod === 'transfer' ? 'transfer' : 'manual';
  const kept = await loadPayout(deps, transactionId, sellerId);
  const says = kept && share && providerStatusOf(kept.progress, share, to);
  const needsSomebody =
    method === 'transfer' && says !== null && toTransferOutcome(says) === 'waits';
  return {
    transactionId,
    sellerId,
    amount,
    since,
    payoutId,
    method,
    says,
    needsSomebody,
    isDisputed: order !== null && isDisputedNow(order, deps.clock.now()),
    account: to?.account ?? null,
    sentTo: await openDestination(deps, transactionId, share?.payoutAccount ?? null),
  };
}

const refusalText = ({ refusal }: PayoutProgress) =>
  refusal === undefined ? null : `refused: ${refusal}`;

/** The transfers of a share that were ended here, and of which nothing was reported since: the provider may still pay them. */
const payoutsThatMayArrive = ({ givenUp, reportedLate }: ShareState): readonly string[] =>
  givenUp.filter((payoutId) => !reportedLate.includes(payoutId));

/** See `PayableShare.says`. `to`: the seller's account now. */
function providerStatusOf(
  progress: PayoutProgress,
  share: ShareState,
  to: GivenAccount | null,
): string | null {
  const { status, payoutMethod, payoutId } = share;
  const { says = null, recipientCode, refusedAccount } = progress;
  if (payoutMethod === 'transfer')
    return says ?? (progress.payoutId === payoutId ? refusalText(progress) : null);
  const wasSent = says !== null || recipientCode !== null;
  const isOver = says !== null && toTransferOutcome(says) === 'ended';
  if (wasSent && !isOver && payoutsThatMayArrive(share).includes(progress.payoutId))
    return `${says ?? 'asked for'}: ended here, may still be paid`;
  if (status !== 'released') return null;
  if (to !== null && refusedAccount === to.given) return refusalText(progress);
  return isOver ? says : null;
}

type Settled =
  | { readonly ok: true; readonly position: Position | null }
  | { readonly ok: false; readonly refusal: Refusal };

const NO_SHARE = notFound('no_share', 'This seller has no part in such an order');
const BUSY = conflict('conflict', 'The order was changed at the same moment: try again');
const NO_REASON = invalidField('reason', 'say why the payout is ended');
const NOT_ASKED = conflict('no_payout', 'No payout of this share is under way');
const SENDING = conflict(
  'sending',
  'The transfer is being sent at this moment: try again in two minutes',
);

/** Refuses to record a payment by hand beside a transfer. `how`: how the transfer stands. */
const underWayConflict = (how: string) =>
  conflict('under_way', `${how}; if it was settled otherwise, say so with a reason`);

/** Runs a command of an operator. */
async function runOperatorCommand(
  deps: Deps,
  transactionId: string,
  what: TransactionCommand,
): Promise<Settled> {
  const context = factContext(v7(), deps.operator ?? OPERATOR);
  const handled = await runOrderCommand(deps, transactionId, what, context);
  if (handled.ok) return { ok: true, position: handled.position };
  return { ok: false, refusal: handled.conflict ? BUSY : handled.refusal };
}

/** What the provider says of a transfer. */
interface TransferReport {
  readonly outcome: TransferOutcome | 'not-found' | 'unknown';
  /** A phrase to follow 'the provider'. */
  readonly words: string;
  /** Its own word for the outcome; null when it gave none. */
  readonly status: string | null;
}

/** Asks the provider about a transfer of a share, and records nothing. */
async function queryTransfer(
  deps: Deps,
  { share: amount }: ShareState,
  payoutId: string,
): Promise<TransferReport> {
  const answer = await deps.payments.verifyTransfer(payoutId);
  if (answer.ok) {
    const { status } = answer.value;
    if (isOfPayout(answer.value, payoutId, amount))
      return { outcome: toTransferOutcome(status), words: `says '${status}'`, status };
    return { outcome: 'unknown', words: 'names another amount or reference for it', status: null };
  }
  const { reason, message } = loggedFailure(answer);
  if (reason === 'not-found') return { outcome: reason, words: 'does not know it', status: null };
  const words = message === undefined ? 'does not answer' : `says '${message}'`;
  return { outcome: 'unknown', words, status: null };
}

/** Asks the provider about the transfer that is under way. If it has arrived or ended, that is recorded. */
async function checkTransfer(
  deps: Deps,
  share: ShareState,
  payoutId: string,
): Promise<TransferReport> {
  const report = await queryTransfer(deps, share, payoutId);
  const { outcome, status } = report;
  const { sellerId } = share;
  if (outcome === 'arrived' || outcome === 'ended')
    await endPayout(deps, payoutId, outcome, `transfer.${status}`, { sellerId });
  return report;
}

/**
 * Asks the provider about the transfers that were ended here, before their share is recorded as paid by other means.
 * One that has arrived is recorded, and pays the share. Null when the other means may be recorded.
 */
async function checkEndedTransfers(
  deps: Deps,
  share: ShareState,
  reason: string | undefined,
): Promise<Settled | null> {
  let open: string | null = null;
  for (const payoutId of payoutsThatMayArrive(share)) {
    const { outcome, words } = await queryTransfer(deps, share, payoutId);
    if (outcome === 'arrived') {
      const isRecorded = await recordLateArrival(deps, payoutId, share);
      return isRecorded ? { ok: true, position: null } : { ok: false, refusal: BUSY };
    }
    if (outcome !== 'ended' && outcome !== 'not-found') open = words;
  }
  if (open === null || reason !== undefined) return null;
  const how = `The transfer that was ended here may still be paid (the provider ${open})`;
  return { ok: false, refusal: underWayConflict(how) };
}

/** How a transfer that has neither arrived nor ended stands, for an operator. */
async function describeTransfer(
  deps: Deps,
  transactionId: string,
  { sellerId, payoutId }: ShareState,
  { outcome, words }: TransferReport,
): Promise<string> {
  if (outcome === 'waits' || outcome === 'on-its-way')
    return `The provider is paying this share by transfer already (it ${words})`;
  const { progress } = (await loadPayout(deps, transactionId, sellerId)) ?? {};
  const refusal = progress?.payoutId === payoutId ? progress.refusal : undefined;
  const isRefused = outcome === 'not-found' && refusal !== undefined;
  const last = isRefused ? `has refused it ('${refusal}')` : words;
  return `A transfer of this share was asked for, and the provider ${last}`;
}

/** Whether a process may be sending the transfer right now. Its outcome cannot be known then. */
async function isBeingSent(deps: Deps, transactionId: string, sellerId: string): Promise<boolean> {
  const kept = await loadPayout(deps, transactionId, sellerId);
  return isWithinAllowingSkew(2 * SEND_WITHIN_MS, kept?.progress.sentAt ?? 0, deps.clock.now());
}

/** The share as it is once sweeps leave its transfer alone. `isHeld`: false when a sweep works on it now. */
async function lockShare(deps: Deps, transactionId: string, sellerId: string) {
  const known = await loadShare(deps, transactionId, sellerId);
  if (known === null) return { share: null, isHeld: false };
  const isHeld = await lockPayout(deps, transactionId, sellerId);
  return { share: await loadShare(deps, transactionId, sellerId), isHeld };
}

/**
 * Records that an operator has paid a released share by other means. Repeating it changes nothing. If a transfer
 * was requested, the provider is asked first, also if it was ended here, and a transfer that has arrived is recorded as
 * such. Beside one that may still arrive, a share is recorded as paid only with a reason (`given`), which is stored in
 * the events.
 */
export async function markPaid(
  deps: Deps,
  transactionId: string,
  sellerId: string,
  given?: string,
): Promise<Settled> {
  const reason = nonBlank(given);
  const { share, isHeld } = await lockShare(deps, transactionId, sellerId);
  if (share === null) return { ok: false, refusal: NO_SHARE };
  if (share.status === 'paid-out') return { ok: true, position: null };
  if (!isHeld) return { ok: false, refusal: BUSY };
  const ended = share.status === 'reversed' ? null : await checkEndedTransfers(deps, share, reason);
  if (ended !== null) return ended;
  if (share.payoutMethod === 'transfer' && share.payoutId !== null) {
    const report = await checkTransfer(deps, share, share.payoutId);
    if (report.outcome === 'arrived') return { ok: true, position: null };
    const isOpen = report.outcome !== 'ended';
    if (isOpen && reason === undefined) {
      const how = await describeTransfer(deps, transactionId, share, report);
      return { ok: false, refusal: underWayConflict(how) };
    }
    if (isOpen && (await isBeingSent(deps, transactionId, sellerId)))
      return { ok: false, refusal: SENDING };
  }
  const why = reason ?? 'paid by hand';
  return runOperatorCommand(deps, transactionId, {
    type: 'SettlePayout',
    sellerId,
    reason: why,
    at: nowOf(deps),
  });
}

/**
 * Ends a stuck payout, by transfer or by hand, so that the share is payable again under another
 * reference. If the transfer has arrived or failed meanwhile, that is recorded instead, and the
 * answer has no position. While the provider may still pay the old transfer, no new one is sent.
 */
export async function endTransfer(
  deps: Deps,
  transactionId: string,
  sellerId: string,
  reason: string,
): Promise<Settled> {
  if (nonBlank(reason) === undefined) return { ok: false, refusal: NO_REASON };
  const { share, isHeld } = await lockShare(deps, transactionId, sellerId);
  if (share === null) return { ok: false, refusal: NO_SHARE };
  if (share.status !== 'payout-requested' || share.payoutId === null)
    return { ok: false, refusal: NOT_ASKED };
  if (!isHeld) return { ok: false, refusal: BUSY };
  if (share.payoutMethod === 'transfer') {
    const { outcome } = await checkTransfer(deps, share, share.payoutId);
    if (outcome === 'arrived' || outcome === 'ended') return { ok: true, position: null };
    if (await isBeingSent(deps, transactionId, sellerId)) return { ok: false, refusal: SENDING };
  }
  return runOperatorCommand(deps, transactionId, {
    type: 'FailPayout',
    payoutId: share.payoutId,
    reason,
    givenUp: share.payoutMethod === 'transfer',
    at: nowOf(deps),
  });
}
