import { DAY_MS, HOUR_MS, MINUTE_MS } from '@oja/domain/rules';
import { backOff, type JsonObject } from '@oja/platform';
import type { Deps } from '../../deps.js';

type Memories = Pick<Deps, 'state' | 'clock'>;

/** What State remembers, and the version that a change of it is based on; null when nothing is stored. */
interface Kept<V> {
  readonly memory: V;
  readonly version: number | null;
}

/** Stores a memory; null when another process has changed it since the version `before`. */
async function remember<V extends JsonObject>(
  { state, clock }: Memories,
  space: string,
  key: string,
  before: Kept<V>['version'],
  memory: V,
): Promise<Kept<V> | null> {
  const version = await state.put(space, key, memory, clock.now(), { if: before ?? 'absent' });
  return version === null ? null : { memory, version };
}

/** The longest that a payout or refund is put off at once, in milliseconds. */
const LONGEST_WAIT_MS = DAY_MS;

/**
 * Whether a payout or refund is not to be tried yet. A time that lies further ahead than any wait was set by a clock
 * that was ahead, and does not count. Not from the first minute on: after a clock was set back a little, what has just
 * been asked for must not be asked for again.
 */
export const isPutOff = ({ notBefore }: { readonly notBefore: number }, now: number): boolean =>
  notBefore > now && notBefore - now <= 2 * LONGEST_WAIT_MS;

/**
 * State space for what we have sent to the provider about a payout. A reference that the provider may have
 * taken must always be used with the same recipient.
 */
const PAYOUTS = 'payouts';

export type PayoutMemory = {
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

export type KeptPayout = Kept<PayoutMemory>;

/** What State remembers of a share's payout; null before its first try. */
export async function payoutMemory(
  { state, clock }: Memories,
  transactionId: string,
  sellerId: string,
): Promise<KeptPayout | null> {
  const key = keyOf(transactionId, sellerId);
  const entry = await state.get<PayoutMemory>(PAYOUTS, key, clock.now());
  return entry && { memory: entry.value, version: entry.version };
}

/** Stores the memory of a payout. Null when another process has changed it meanwhile, which then owns the payout. */
export const rememberPayout = (
  deps: Memories,
  transactionId: string,
  sellerId: string,
  before: KeptPayout['version'],
  memory: PayoutMemory,
): Promise<KeptPayout | null> =>
  remember(deps, PAYOUTS, keyOf(transactionId, sellerId), before, memory);

/** State space for the bank accounts at which a seller's last transfer failed, by seller. */
const FAILED = 'failed-accounts';

/** The bank account at which the seller's last transfer failed (see `GivenAccount`); null when it arrived. */
export async function failedAccount(
  { state, clock }: Memories,
  sellerId: string,
): Promise<string | null> {
  const entry = await state.get<{ readonly given: string }>(FAILED, sellerId, clock.now());
  return entry?.value.given ?? null;
}

/** Remembers where the seller's last transfer failed; null: it has arrived. */
export async function rememberFailedAccount(
  { state, clock }: Memories,
  sellerId: string,
  given: string | null,
): Promise<void> {
  if (given === null) await state.delete(FAILED, sellerId);
  else await state.put(FAILED, sellerId, { given }, clock.now());
}

/**
 * Keeps sweeps from sending a transfer of the share for a minute, while an operator settles it. Returns false when a
 * sweep works on it at the same moment. Read the share afterwards: a transfer that was requested before is in it.
 */
export async function holdPayout(
  deps: Memories,
  transactionId: string,
  sellerId: string,
): Promise<boolean> {
  const kept = await payoutMemory(deps, transactionId, sellerId);
  const before = kept?.memory ?? { payoutId: '', recipientCode: null, failures: 0, notBefore: 0 };
  const notBefore = Math.max(before.notBefore, deps.clock.now() + SEND_WITHIN_MS);
  const memory = { ...before, notBefore };
  const version = kept?.version ?? null;
  return (await rememberPayout(deps, transactionId, sellerId, version, memory)) !== null;
}

/**
 * State space for which of the provider's refunds is ours, and when it was requested. If this is
 * lost, the refund is found by its amount.
 */
const REFUNDS = 'refunds';

export type RefundMemory = {
  /** The provider's id of the refund; null until its answer came. */
  readonly providerRefundId: string | null;
  /** Ids of the provider's refunds that failed. */
  readonly failedIds: readonly string[];
  /** How often the provider refused the refund or failed to make it. */
  readonly failures: number;
  /** Epoch milliseconds; not requested before this time. */
  readonly notBefore: number;
};

export const NOTHING_ASKED: RefundMemory = {
  providerRefundId: null,
  failedIds: [],
  failures: 0,
  notBefore: 0,
};

export type KeptRefund = Kept<RefundMemory>;

/** The memories of all refunds of an order, by refund id. */
export async function refundMemories(
  { state, clock }: Memories,
  transactionId: string,
): Promise<ReadonlyMap<string, KeptRefund>> {
  const prefix = `${transactionId}/`;
  const entries = await state.list<RefundMemory>(REFUNDS, prefix, clock.now());
  return new Map(
    entries.map(({ key, value, version }) => [
      key.slice(prefix.length),
      { memory: { ...NOTHING_ASKED, ...value }, version },
    ]),
  );
}

/** Stores the memory of a refund; null when another process has changed it meanwhile. */
export const rememberRefund = (
  deps: Memories,
  transactionId: string,
  refundId: string,
  before: KeptRefund,
  memory: RefundMemory,
): Promise<KeptRefund | null> =>
  remember(deps, REFUNDS, `${transactionId}/${refundId}`, before.version, memory);

/** State space for which of our refunds each provider refund is matched to. */
const TAKEN = 'refunds-taken';

/** Matches a provider refund to one of ours, permanently; false when it is already matched to another. */
export async function isOursAlone(
  { state, clock }: Memories,
  transactionId: string,
  providerRefundId: string,
  refundId: string,
): Promise<boolean> {
  const key = `${transactionId}/${providerRefundId}`;
  const now = clock.now();
  if ((await state.put(TAKEN, key, { refundId }, now, { if: 'absent' })) !== null) return true;
  return (await state.get(TAKEN, key, now))?.value.refundId === refundId;
}

/** The provider's refunds of an order that are matched to other refunds of ours. */
export async function takenForOthers(
  { state, clock }: Memories,
  transactionId: string,
  refundId: string,
): Promise<ReadonlySet<string>> {
  const prefix = `${transactionId}/`;
  const taken = await state.list(TAKEN, prefix, clock.now());
  const others = taken.filter(({ value }) => value.refundId !== refundId);
  return new Set(others.map(({ key }) => key.slice(prefix.length)));
}

/** State space for how often the provider was asked about a refund, and when a sweep asks again. */
const LOOKS = 'refund-looks';
/** The pause between a sweep's first two checks of a pending refund; doubled after each check. */
const LOOK_MS = MINUTE_MS;
const LOOK_AT_MOST_MS = HOUR_MS;

type Looks = {
  readonly times: number;
  /** Epoch milliseconds. */
  readonly next: number;
};

/**
 * Whether a sweep without news checks the refund now. A refund takes days and there may be many, so
 * not every sweep asks.
 */
export async function isTimeToLook({ state, clock }: Memories, refundId: string): Promise<boolean> {
  const now = clock.now();
  const next = (await state.get<Looks>(LOOKS, refundId, now))?.value.next ?? now;
  // One that was set by a clock that was ahead does not count. To ask once too often does no harm.
  return next <= now || next - now > LOOK_AT_MOST_MS;
}

export async function lookedAt({ state, clock }: Memories, refundId: string): Promise<void> {
  const now = clock.now();
  const times = (await state.get<Looks>(LOOKS, refundId, now))?.value.times ?? 0;
  const wait = backOff(times + 1, LOOK_MS, LOOK_AT_MOST_MS);
  const looks: Looks = { times: times + 1, next: now + wait };
  await state.put(LOOKS, refundId, looks, now, { expiresAt: now + DAY_MS });
}
