import { DAY_MS, HOUR_MS, MINUTE_MS } from '@oja/domain/rules';
import { backOff, type JsonObject } from '@oja/platform';
import type { Deps } from '../../deps.js';

type ProgressDeps = Pick<Deps, 'state' | 'clock'>;

/** What is stored about a payout or refund, and the version to base a change on; null when nothing is stored. */
interface Stored<V> {
  readonly progress: V;
  readonly version: number | null;
}

/** Stores the progress; null when another process has changed it since the version `before`. */
async function store<V extends JsonObject>(
  { state, clock }: ProgressDeps,
  space: string,
  key: string,
  before: Stored<V>['version'],
  progress: V,
): Promise<Stored<V> | null> {
  const version = await state.put(space, key, progress, clock.now(), { if: before ?? 'absent' });
  return version === null ? null : { progress, version };
}

/** The longest that a payout or refund is put off at once, in milliseconds. */
const LONGEST_WAIT_MS = DAY_MS;

/**
 * Whether a payout or refund is not to be tried yet. A time that lies further ahead than any wait was set by a clock
 * that was ahead, and does not count. Not from the first minute on: after a clock was set back a little, what has just
 * been asked for must not be asked for again.
 */
export const isPostponed = ({ notBefore }: { readonly notBefore: number }, now: number): boolean =>
  notBefore > now && notBefore - now <= 2 * LONGEST_WAIT_MS;

/**
 * State space for what we have sent to the provider about a payout. A reference that the provider may have
 * taken must always be used with the same recipient.
 */
const PAYOUTS = 'payouts';

export type PayoutProgress = {
  /** The payout that the recipient belongs to. */
  readonly payoutId: string;
  /** Null until a transfer is sent to one, and again once the provider has answered that it does not send it. */
  readonly recipientCode: string | null;
  readonly failures: number;
  /** Epoch milliseconds; no try before this time. */
  readonly notBefore: number;
  /** The last status that the provider gave; null before the first. */
  readonly says?: string | null;
  /** Why the provider last refused to make it, in its own words, redacted; absent when it has not. */
  readonly refusal?: string;
  /** The bank account that it goes to (see `GivenAccount`); absent before it is first sent. */
  readonly sentTo?: string;
  /** The bank account that the provider refused (see `GivenAccount`); absent when it has refused none. */
  readonly refusedAccount?: string;
  /** Epoch milliseconds; when a process last claimed the right to send it. */
  readonly sentAt?: number;
};

/**
 * A claimed transfer is sent within this time or not at all, because the process may have been
 * suspended meanwhile.
 */
export const SEND_WITHIN_MS = MINUTE_MS;

const keyOf = (transactionId: string, sellerId: string) => `${transactionId}/${sellerId}`;

export type StoredPayout = Stored<PayoutProgress>;

/** What State remembers of a share's payout; null before its first try. */
export async function loadPayout(
  { state, clock }: ProgressDeps,
  transactionId: string,
  sellerId: string,
): Promise<StoredPayout | null> {
  const key = keyOf(transactionId, sellerId);
  const entry = await state.get<PayoutProgress>(PAYOUTS, key, clock.now());
  return entry && { progress: entry.value, version: entry.version };
}

/** Stores the progress of a payout. Null when another process has changed it meanwhile, which then owns the payout. */
export const storePayout = (
  deps: ProgressDeps,
  transactionId: string,
  sellerId: string,
  before: StoredPayout['version'],
  progress: PayoutProgress,
): Promise<StoredPayout | null> =>
  store(deps, PAYOUTS, keyOf(transactionId, sellerId), before, progress);

/** State space for the bank accounts at which a seller's last transfer failed, by seller. */
const FAILED_ACCOUNTS = 'failed-accounts';

/** The bank account at which the seller's last transfer failed (see `GivenAccount`); null when it arrived. */
export async function loadFailedAccount(
  { state, clock }: ProgressDeps,
  sellerId: string,
): Promise<string | null> {
  const entry = await state.get<{ readonly given: string }>(FAILED_ACCOUNTS, sellerId, clock.now());
  return entry?.value.given ?? null;
}

/**
 * Remembers where the seller's last transfer failed; null: it has arrived. To be called before an arrival is recorded, and
 * after a failure: if the process dies in between, the seller is told of a failure once more, not never.
 */
export async function storeFailedAccount(
  { state, clock }: ProgressDeps,
  sellerId: string,
  given: string | null,
): Promise<void> {
  if (given === null) await state.delete(FAILED_ACCOUNTS, sellerId);
  else await state.put(FAILED_ACCOUNTS, sellerId, { given }, clock.now());
}

/**
 * Keeps sweeps from sending a transfer of the share for a minute, while an operator settles it. Returns false when a
 * sweep works on it at the same moment. Read the share afterwards: a transfer that was requested before is in it.
 */
export async function lockPayout(
  deps: ProgressDeps,
  transactionId: string,
  sellerId: string,
): Promise<boolean> {
  const kept = await loadPayout(deps, transactionId, sellerId);
  const before = kept?.progress ?? { payoutId: '', recipientCode: null, failures: 0, notBefore: 0 };
  const notBefore = Math.max(before.notBefore, deps.clock.now() + SEND_WITHIN_MS);
  const progress = { ...before, notBefore };
  const version = kept?.version ?? null;
  return (await storePayout(deps, transactionId, sellerId, version, progress)) !== null;
}

/**
 * State space for which of the provider's refunds is ours, and when it was requested. If this is
 * lost, the refund is found by its amount.
 */
const REFUNDS = 'refunds';

export type RefundProgress = {
  /** The provider's id of the refund; null until its answer came. */
  readonly providerRefundId: string | null;
  /** Ids of the provider's refunds that failed. */
  readonly failedIds: readonly string[];
  /** How often the provider refused the refund or failed to make it. */
  readonly failures: number;
  /** Epoch milliseconds; not requested before this time. */
  readonly notBefore: number;
  /** Present while the provider does not make it before somebody has acted there. */
  readonly needsSomebody?: true;
};

export const INITIAL_REFUND: RefundProgress = {
  providerRefundId: null,
  failedIds: [],
  failures: 0,
  notBefore: 0,
};

export type StoredRefund = Stored<RefundProgress>;

/** What is stored of all refunds of an order, by refund id. */
export async function loadRefunds(
  { state, clock }: ProgressDeps,
  transactionId: string,
): Promise<ReadonlyMap<string, StoredRefund>> {
  const prefix = `${transactionId}/`;
  const entries = await state.list<RefundProgress>(REFUNDS, prefix, clock.now());
  return new Map(
    entries.map(({ key, value, version }) => [
      key.slice(prefix.length),
      { progress: { ...INITIAL_REFUND, ...value }, version },
    ]),
  );
}

/** Stores the progress of a refund; null when another process has changed it meanwhile. */
export const storeRefund = (
  deps: ProgressDeps,
  transactionId: string,
  refundId: string,
  before: StoredRefund,
  progress: RefundProgress,
): Promise<StoredRefund | null> =>
  store(deps, REFUNDS, `${transactionId}/${refundId}`, before.version, progress);

/** State space for which of our refunds each provider refund is matched to. */
const CLAIMED_REFUNDS = 'refunds-taken';

/** Matches a provider refund to one of ours, permanently; false when it is already matched to another. */
export async function claimProviderRefund(
  { state, clock }: ProgressDeps,
  transactionId: string,
  providerRefundId: string,
  refundId: string,
): Promise<boolean> {
  const key = `${transactionId}/${providerRefundId}`;
  const now = clock.now();
  if ((await state.put(CLAIMED_REFUNDS, key, { refundId }, now, { if: 'absent' })) !== null)
    return true;
  return (await state.get(CLAIMED_REFUNDS, key, now))?.value.refundId === refundId;
}

/** The provider's refunds of an order that are matched to other refunds of ours. */
export async function claimedByOtherRefunds(
  { state, clock }: ProgressDeps,
  transactionId: string,
  refundId: string,
): Promise<ReadonlySet<string>> {
  const prefix = `${transactionId}/`;
  const taken = await state.list(CLAIMED_REFUNDS, prefix, clock.now());
  const others = taken.filter(({ value }) => value.refundId !== refundId);
  return new Set(others.map(({ key }) => key.slice(prefix.length)));
}

/** State space for how often the provider was asked about a refund, and when a sweep asks again. */
const REFUND_CHECKS = 'refund-looks';
/** The pause between a sweep's first two checks of a pending refund; doubled after each check. */
const FIRST_CHECK_PAUSE_MS = MINUTE_MS;
const LONGEST_CHECK_PAUSE_MS = HOUR_MS;

type RefundChecks = {
  readonly times: number;
  /** Epoch milliseconds. */
  readonly next: number;
};

/**
 * Whether a sweep without news checks the refund now. A refund takes days and there may be many, so
 * not every sweep asks.
 */
export async function isRefundCheckDue(
  { state, clock }: ProgressDeps,
  refundId: string,
): Promise<boolean> {
  const now = clock.now();
  const next = (await state.get<RefundChecks>(REFUND_CHECKS, refundId, now))?.value.next ?? now;
  // One that was set by a clock that was ahead does not count. To ask once too often does no harm.
  return next <= now || next - now > LONGEST_CHECK_PAUSE_MS;
}

export async function recordRefundCheck(
  { state, clock }: ProgressDeps,
  refundId: string,
): Promise<void> {
  const now = clock.now();
  const times = (await state.get<RefundChecks>(REFUND_CHECKS, refundId, now))?.value.times ?? 0;
  const wait = backOff(times + 1, FIRST_CHECK_PAUSE_MS, LONGEST_CHECK_PAUSE_MS);
  const checks: RefundChecks = { times: times + 1, next: now + wait };
  await state.put(REFUND_CHECKS, refundId, checks, now, { expiresAt: now + DAY_MS });
}
