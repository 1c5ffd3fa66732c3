import { MINUTE_MS } from '@oja/domain/rules';
import type { Deps } from '../../deps.js';

/**
 * State space for what we have sent to the provider about a payout. A reference must always be used
 * with the same recipient.
 */
const SPACE = 'payouts';

export type PayoutMemory = {
  /** The payout that the recipient belongs to. */
  readonly payoutId: string;
  readonly recipientCode: string | null;
  readonly failures: number;
  /** Epoch milliseconds; no try before this time. */
  readonly notBefore: number;
  /** The last status that the provider gave; null before the first. */
  readonly says?: string | null;
  /** Epoch milliseconds; when a process last claimed the right to send it. */
  readonly sentAt?: number;
};

/**
 * A claimed transfer is sent within this time or not at all, because the process may have been
 * suspended meanwhile.
 */
export const SEND_WITHIN_MS = MINUTE_MS;

type Memories = Pick<Deps, 'state' | 'clock'>;
const keyOf = (transactionId: string, sellerId: string) => `${transactionId}/${sellerId}`;

export interface KeptPayout {
  readonly memory: PayoutMemory;
  /** Null when nothing is stored. */
  readonly version: number | null;
}

/** What State remembers of a share's payout; null before its first try. */
export async function payoutMemory(
  { state, clock }: Memories,
  transactionId: string,
  sellerId: string,
): Promise<KeptPayout | null> {
  const key = keyOf(transactionId, sellerId);
  const entry = await state.get<PayoutMemory>(SPACE, key, clock.now());
  return entry && { memory: entry.value, version: entry.version };
}

/** Stores the memory of a payout. Null when another process has changed it meanwhile, which then owns the payout. */
export async function rememberPayout(
  { state, clock }: Memories,
  transactionId: string,
  sellerId: string,
  before: KeptPayout['version'],
  memory: PayoutMemory,
): Promise<KeptPayout | null> {
  const options = { if: before ?? ('absent' as const) };
  const key = keyOf(transactionId, sellerId);
  const version = await state.put(SPACE, key, memory, clock.now(), options);
  return version === null ? null : { memory, version };
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
