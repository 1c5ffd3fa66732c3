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
};

type Memories = Pick<Deps, 'state' | 'clock'>;
const keyOf = (transactionId: string, sellerId: string) => `${transactionId}/${sellerId}`;

export async function payoutMemory(
  { state, clock }: Memories,
  transactionId: string,
  sellerId: string,
): Promise<PayoutMemory | null> {
  const key = keyOf(transactionId, sellerId);
  return (await state.get<PayoutMemory>(SPACE, key, clock.now()))?.value ?? null;
}

export async function rememberPayout(
  { state, clock }: Memories,
  transactionId: string,
  sellerId: string,
  memory: PayoutMemory,
): Promise<void> {
  await state.put(SPACE, keyOf(transactionId, sellerId), memory, clock.now());
}
