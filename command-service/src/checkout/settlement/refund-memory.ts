import { DAY_MS, HOUR_MS, MINUTE_MS } from '@oja/domain/rules';
import { backOff } from '@oja/platform';
import type { Deps } from '../../deps.js';

/**
 * State space for which of the provider's refunds is ours, and when it was requested. If this is
 * lost, the refund is found by its amount.
 */
const SPACE = 'refunds';

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

export interface KeptRefund {
  readonly memory: RefundMemory;
  /** Null when nothing is stored. */
  readonly version: number | null;
}

type Memories = Pick<Deps, 'state' | 'clock'>;

/** The memories of all refunds of an order, by refund id. */
export async function refundMemories(
  { state, clock }: Memories,
  transactionId: string,
): Promise<ReadonlyMap<string, KeptRefund>> {
  const prefix = `${transactionId}/`;
  const entries = await state.list<RefundMemory>(SPACE, prefix, clock.now());
  return new Map(
    entries.map(({ key, value, version }) => [
      key.slice(prefix.length),
      { memory: { ...NOTHING_ASKED, ...value }, version },
    ]),
  );
}

/** Stores the memory of a refund; null when another process has changed it meanwhile. */
export async function rememberRefund(
  { state, clock }: Memories,
  transactionId: string,
  refundId: string,
  before: KeptRefund,
  memory: RefundMemory,
): Promise<KeptRefund | null> {
  const key = `${transactionId}/${refundId}`;
  const only = before.version ?? 'absent';
  const version = await state.put(SPACE, key, memory, clock.now(), { if: only });
  return version === null ? null : { memory, version };
}

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
  return ((await state.get<Looks>(LOOKS, refundId, now))?.value.next ?? now) <= now;
}

export async function lookedAt({ state, clock }: Memories, refundId: string): Promise<void> {
  const now = clock.now();
  const times = (await state.get<Looks>(LOOKS, refundId, now))?.value.times ?? 0;
  const wait = backOff(times + 1, LOOK_MS, LOOK_AT_MOST_MS);
  const looks: Looks = { times: times + 1, next: now + wait };
  await state.put(LOOKS, refundId, looks, now, { expiresAt: now + DAY_MS });
}
