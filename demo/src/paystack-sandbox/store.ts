import { randomBytes, randomInt } from 'node:crypto';
import type { Clock, JsonObject, State } from '@oja/platform';

/**
 * The sandbox keeps ids and amounts only. It checks the buyer's e-mail, the order's metadata and bank details
 * but does not store them, so an erasure has nothing to find here. Times are epoch milliseconds, amounts kobo.
 */
export type TransactionRecord = {
  readonly id: number;
  readonly reference: string;
  readonly accessCode: string;
  readonly amount: number;
  readonly callbackUrl: string;
  readonly createdAt: number;
  readonly outcome: 'abandoned' | 'failed' | 'success';
  /** When the outcome takes effect; until then the payment is pending. */
  readonly settlesAt: number;
  readonly refunds: readonly RefundRecord[];
  /** When the cardholder's bank took the money back; absent or null when it has not. */
  readonly takenBackAt?: number | null;
};

export type RefundRecord = {
  readonly id: number;
  readonly amount: number;
  /** The caller's own id, stored as given. */
  readonly note?: string;
  /** The dispute that was lost by this refund; absent for the caller's own. */
  readonly disputeId?: number;
  readonly outcome: 'processed' | 'failed' | 'needs-attention';
  readonly createdAt: number;
  readonly settlesAt: number;
};

/** Outcomes that the `end-transfer` fault can give a transfer. */
export const TRANSFER_OUTCOMES = [
  'success',
  'failed',
  'reversed',
  'otp',
  'received',
  'abandoned',
  'blocked',
  'rejected',
] as const;

export type TransferRecord = {
  readonly id: number;
  readonly reference: string;
  readonly transferCode: string;
  readonly recipientCode: string;
  readonly amount: number;
  readonly outcome: (typeof TRANSFER_OUTCOMES)[number];
  readonly createdAt: number;
  readonly settlesAt: number;
};

export function refundStatus(
  refund: RefundRecord,
  now: number,
): RefundRecord['outcome'] | 'pending' {
  return now < refund.settlesAt ? 'pending' : refund.outcome;
}

/** When a reversed transfer comes back: it succeeds first, for as long as it was pending. */
export const returnsAt = ({ createdAt, settlesAt }: TransferRecord): number =>
  settlesAt + (settlesAt - createdAt);

/** How long a transfer waits for its one-time password or its approval, in milliseconds; then it ends. */
const APPROVAL_MS = 30 * 60_000;
const endsUnapproved: Partial<Record<TransferRecord['outcome'], TransferRecord['outcome']>> = {
  otp: 'abandoned',
  received: 'blocked',
};

/** The status at `now`: a reversed transfer is a success first, and one that nobody approves ends by itself. */
export function transferStatus(
  transfer: TransferRecord,
  now: number,
): TransferRecord['outcome'] | 'pending' {
  const unapproved = endsUnapproved[transfer.outcome];
  if (unapproved !== undefined && now >= transfer.createdAt + APPROVAL_MS) return unapproved;
  if (now < transfer.settlesAt) return 'pending';
  if (transfer.outcome === 'reversed' && now < returnsAt(transfer)) return 'success';
  return transfer.outcome;
}

/**
 * The status at `now`: 'reversed' once the whole amount has been refunded or taken back, and a word for itself while a
 * refund is under way. Source: Paystack, 'Understanding refund statuses'.
 */
export function transactionStatus(
  transaction: TransactionRecord,
  now: number,
): TransactionRecord['outcome'] | 'pending' | 'reversed' | 'reversal_pending' {
  if (now < transaction.settlesAt) return 'pending';
  const { takenBackAt = null } = transaction;
  if (transaction.outcome === 'success' && takenBackAt !== null && takenBackAt <= now)
    return 'reversed';
  if (transaction.outcome !== 'success') return transaction.outcome;
  const refunds = transaction.refunds.map((refund) => ({
    amount: refund.amount,
    status: refundStatus(refund, now),
  }));
  if (refunds.some(({ status }) => status === 'pending' || status === 'needs-attention'))
    return 'reversal_pending';
  const back = refunds
    .filter(({ status }) => status === 'processed')
    .reduce((sum, { amount }) => sum + amount, 0);
  return back >= transaction.amount ? 'reversed' : 'success';
}

/** Whether the buyer has paid, whatever became of the money since. */
export const isPaid = (transaction: TransactionRecord, now: number): boolean =>
  transaction.outcome === 'success' && transactionStatus(transaction, now) !== 'pending';

/** What may still be refunded, in kobo: the amount less every refund that has not failed. */
export function refundable(transaction: TransactionRecord, now: number): number {
  return transaction.refunds
    .filter((refund) => refundStatus(refund, now) !== 'failed')
    .reduce((rest, refund) => rest - refund.amount, transaction.amount);
}

/** The sandbox's space in `State`. */
export const SPACE = 'payment-sandbox';

/** Above 32 bits, like Paystack's own ids, so that no code comes to rely on smaller ones. */
export const newId = (): number => randomInt(2 ** 33, 2 ** 47);

/** An unguessable code: the prefix and 80 random bits in hexadecimal. */
export const newCode = (prefix: string): string => `${prefix}${randomBytes(10).toString('hex')}`;

/** The sandbox's records in `State`; each change is durable when it resolves. */
export function createStore(state: State, clock: Clock) {
  const read = async <V extends JsonObject>(key: string): Promise<V | null> =>
    (await state.get<V>(SPACE, key, clock.now()))?.value ?? null;

  const addIfAbsent = async (key: string, value: JsonObject, durable = true): Promise<boolean> =>
    (await state.put(SPACE, key, value, clock.now(), { if: 'absent', durable })) !== null;

  /** The reference for a transaction's id or access code; any other text is returned unchanged. */
  const referenceOf = async (text: string): Promise<string> =>
    (await read<{ reference: string }>(`pointer:${text}`))?.reference ?? text;

  const transactionKey = (reference: string): string => `transaction:${reference}`;

  return {
    referenceOf,

    transaction: (reference: string) => read<TransactionRecord>(transactionKey(reference)),

    /**
     * Returns false when the reference is already used. The pointers are written first and not
     * flushed: alone they lead nowhere, and the durable write of the transaction flushes them too.
     */
    async addTransaction(record: TransactionRecord): Promise<boolean> {
      const { id, accessCode, reference } = record;
      await Promise.all(
        [id, accessCode].map((name) => addIfAbsent(`pointer:${name}`, { reference }, false)),
      );
      return addIfAbsent(transactionKey(reference), record);
    },

    /**
     * Applies `change` to the stored transaction, and again whenever another change came in between. When
     * `change` returns null, or there is no such transaction, nothing is written and the result is null.
     */
    async changeTransaction(
      reference: string,
      change: (record: TransactionRecord) => TransactionRecord | null,
    ): Promise<TransactionRecord | null> {
      for (;;) {
        const key = transactionKey(reference);
        const entry = await state.get<TransactionRecord>(SPACE, key, clock.now());
        const changed = entry === null ? null : change(entry.value);
        if (entry === null || changed === null) return null;
        const version = await state.put(SPACE, key, changed, clock.now(), { if: entry.version });
        if (version !== null) return changed;
      }
    },

    transfer: (reference: string) => read<TransferRecord>(`transfer:${reference}`),
    addTransfer: (record: TransferRecord) => addIfAbsent(`transfer:${record.reference}`, record),

    isRecipient: async (code: string) => (await read(`recipient:${code}`)) !== null,
    addRecipient: (code: string) => addIfAbsent(`recipient:${code}`, { createdAt: clock.now() }),
  };
}

export type Store = ReturnType<typeof createStore>;
