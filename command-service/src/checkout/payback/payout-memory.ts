import type { Deps } from '../../deps.js';

/** What was told the provider of a payout: the same reference must go with the same recipient. */
const SPACE = 'payouts';

export type PayoutMemory = {
  /** Whose recipient this is. */
  readonly payoutId: string;
  readonly recipientCode: string | null;
  readonly failures: number;
  /** Epoch milliseconds: not to be tried before. */
  readonly notBefore: number;
  /** What the provider called it last; null before it was heard of. */
  readonly says?: string | null;
  /** Epoch milliseconds: when it was claimed to be sent last. */
  readonly sentAt?: number;
};

type Memories = Pick<Deps, 'state' | 'clock'>;
const keyOf = (transactionId: string, sellerId: string) => `${transactionId}/${sellerId}`;

export interface KeptPayout {
  readonly memory: PayoutMemory;
  /** Null: nothing is stored. */
  readonly version: number | null;
}

export async function payoutMemory(
  { state, clock }: Memories,
  transactionId: string,
  sellerId: string,
): Promise<KeptPayout | null> {
  const key = keyOf(transactionId, sellerId);
  const entry = await state.get<PayoutMemory>(SPACE, key, clock.now());
  return entry && { memory: entry.value, version: entry.version };
}

/** Null when another process has changed it meanwhile: the payout is theirs to go on with. */
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
