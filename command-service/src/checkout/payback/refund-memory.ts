import type { Deps } from '../../deps.js';

/** Which of the provider's refunds is ours, and when it was asked for; lost, it is found by amount. */
const SPACE = 'refunds';

export type RefundMemory = {
  /** The provider's id of it; null until its answer came. */
  readonly providerRefundId: string | null;
  /** Those that the provider gave up. */
  readonly failedIds: readonly string[];
  /** How often the provider refused it or gave it up. */
  readonly failures: number;
  /** Epoch milliseconds: not to be asked for before. */
  readonly notBefore: number;
};

export const NOTHING_ASKED: RefundMemory = {
  providerRefundId: null,
  failedIds: [],
  failures: 0,
  notBefore: 0,
};

export interface Remembered {
  readonly memory: RefundMemory;
  /** Null: nothing is stored. */
  readonly version: number | null;
}

type Memories = Pick<Deps, 'state' | 'clock'>;

/** Of every refund of an order, by refund id. */
export async function refundMemories(
  { state, clock }: Memories,
  transactionId: string,
): Promise<ReadonlyMap<string, Remembered>> {
  const prefix = `${transactionId}/`;
  const entries = await state.list<RefundMemory>(SPACE, prefix, clock.now());
  return new Map(
    entries.map(({ key, value, version }) => [
      key.slice(prefix.length),
      { memory: { ...NOTHING_ASKED, ...value }, version },
    ]),
  );
}

/** Whether it is stored: not when another process has changed it meanwhile. */
export async function rememberRefund(
  { state, clock }: Memories,
  transactionId: string,
  refundId: string,
  before: Remembered,
  memory: RefundMemory,
): Promise<Remembered | null> {
  const key = `${transactionId}/${refundId}`;
  const only = before.version ?? 'absent';
  const version = await state.put(SPACE, key, memory, clock.now(), { if: only });
  return version === null ? null : { memory, version };
}
