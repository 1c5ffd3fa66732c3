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
