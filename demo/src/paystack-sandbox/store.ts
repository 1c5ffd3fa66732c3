import { randomBytes, randomInt } from 'node:crypto';
import type { Clock, JsonObject, State } from '@oja/platform';

/**
 * What the sandbox remembers. Ids and amounts only: the buyer's e-mail, the order's metadata and bank
 * details are looked at and forgotten, so an erasure has nothing to find here. Times are epoch
 * milliseconds, amounts kobo.
 */
export type TransactionRecord = {
  readonly id: number;
  readonly reference: string;
  readonly accessCode: string;
  readonly amount: number;
  readonly callbackUrl: string;
  readonly createdAt: number;
  readonly outcome: 'abandoned' | 'failed' | 'success';
  /** From when on the outcome holds; until then the payment is pending. */
  readonly settlesAt: number;
  readonly refunds: readonly RefundRecord[];
  /** Since when the cardholder's bank has it back; absent or null: it has not. */
  readonly takenBackAt?: number | null;
};

export type RefundRecord = {
  readonly id: number;
  readonly amount: number;
  /** As it was given: an id of the caller's. */
  readonly note?: string;
  readonly outcome: 'processed' | 'failed';
  readonly createdAt: number;
  readonly settlesAt: number;
};

/** What may become of a transfer, told to the fault that asks for it. */
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

/** When one that is reversed comes back: it has arrived before, for as long as it was pending. */
export const comesBackAt = ({ createdAt, settlesAt }: TransferRecord): number =>
  settlesAt + (settlesAt - createdAt);

/** So long somebody may type the one-time password, or approve a transfer; then it has ended. */
const APPROVAL_MS = 30 * 60_000;
const endsUnapproved: Partial<Record<TransferRecord['outcome'], TransferRecord['outcome']>> = {
  otp: 'abandoned',
  received: 'blocked',
};

export function transferStatus(
  transfer: TransferRecord,
  now: number,
): TransferRecord['outcome'] | 'pending' {
  const unapproved = endsUnapproved[transfer.outcome];
  if (unapproved !== undefined && now >= transfer.createdAt + APPROVAL_MS) return unapproved;
  if (now < transfer.settlesAt) return 'pending';
  if (transfer.outcome === 'reversed' && now < comesBackAt(transfer)) return 'success';
  return transfer.outcome;
}

/** 'reversed' once the whole amount has gone back. */
export function transactionStatus(
  transaction: TransactionRecord,
  now: number,
): TransactionRecord['outcome'] | 'pending' | 'reversed' {
  if (now < transaction.settlesAt) return 'pending';
  const { takenBackAt = null } = transaction;
  if (transaction.outcome === 'success' && takenBackAt !== null && takenBackAt <= now)
    return 'reversed';
  const back = transaction.refunds
    .filter((refund) => refundStatus(refund, now) === 'processed')
    .reduce((sum, refund) => sum + refund.amount, 0);
  return transaction.outcome === 'success' && back >= transaction.amount
    ? 'reversed'
    : transaction.outcome;
}

/** What may still be refunded: the amount less every refund that has not failed. */
export function refundable(transaction: TransactionRecord, now: number): number {
  return transaction.refunds
    .filter((refund) => refundStatus(refund, now) !== 'failed')
    .reduce((rest, refund) => rest - refund.amount, transaction.amount);
}

/** The sandbox's space in `State`. */
export const SPACE = 'payment-sandbox';

/** Past 32 bits, as Paystack's own, so that nobody comes to rely on smaller ones. */
export const newId = (): number => randomInt(2 ** 33, 2 ** 47);

/** A code nobody can guess: the prefix and 80 random bits. */
export const newCode = (prefix: string): string => `${prefix}${randomBytes(10).toString('hex')}`;

/** The sandbox's records in `State`; each change is durable when it resolves. */
export function createStore(state: State, clock: Clock) {
  const read = async <V extends JsonObject>(key: string): Promise<V | null> =>
    (await state.get<V>(SPACE, key, clock.now()))?.value ?? null;

  const addIfAbsent = async (key: string, value: JsonObject, durable = true): Promise<boolean> =>
    (await state.put(SPACE, key, value, clock.now(), { if: 'absent', durable })) !== null;

  /** The reference that an id or access code stands for; any other text stands for itself. */
  const referenceOf = async (text: string): Promise<string> =>
    (await read<{ reference: string }>(`pointer:${text}`))?.reference ?? text;

  const transactionKey = (reference: string): string => `transaction:${reference}`;

  return {
    referenceOf,

    transaction: (reference: string) => read<TransactionRecord>(transactionKey(reference)),

    /**
     * False when the reference has been used. The pointers come first: alone they lead nowhere, and once the
     * transaction is on disk so are they.
     */
    async addTransaction(record: TransactionRecord): Promise<boolean> {
      const { id, accessCode, reference } = record;
      await Promise.all(
        [id, accessCode].map((name) => addIfAbsent(`pointer:${name}`, { reference }, false)),
      );
      return addIfAbsent(transactionKey(reference), record);
    },

    /**
     * Changes a transaction against what is stored now, again whenever another change came between.
     * `change` answers null to leave it as it is; then the answer is null too.
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
