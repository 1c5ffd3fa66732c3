import { type PayoutDestination, streamNames } from '@oja/domain';
import { accountEnd, bankName } from '@oja/domain/rules/user-input';
import {
  type PayoutAccount,
  payoutAccountOf,
  readSellerStream,
} from '../../accounts/seller-facts.js';
import type { Deps } from '../../deps.js';

/** A seller's bank account as they gave it once. */
export interface GivenAccount {
  readonly account: PayoutAccount;
  /** Tells it from what they gave before or later, without saying what it is: its number as it is sealed in the log. */
  readonly given: string;
}

/** A seller's bank account; null when they have not set one, or were erased. */
export async function loadPayoutAccount(
  deps: Pick<Deps, 'eventStore' | 'sealer'>,
  sellerId: string,
): Promise<GivenAccount | null> {
  const { facts } = await readSellerStream(deps, sellerId);
  const account = facts && (await payoutAccountOf(deps, facts));
  const given = facts?.account?.accountNumber.sealed;
  return account === null || given === undefined ? null : { account, given };
}

/** As much of an account as a payout shows. */
export const toShown = ({ accountNumber, bankCode }: PayoutAccount) => ({
  accountEnd: accountEnd(accountNumber),
  bankName: bankName(bankCode),
});

export type ShownAccount = ReturnType<typeof toShown>;

/** The destination of a requested payout; null when it was not stored, or its seller was erased. */
export async function openDestination(
  { sealer }: Pick<Deps, 'sealer'>,
  transactionId: string,
  account: PayoutDestination | null,
): Promise<ShownAccount | null> {
  if (account === null) return null;
  const stream = streamNames.transaction(transactionId);
  const [end, bank] = await sealer.openMany([
    { stream, field: 'accountEnd', value: account.accountEnd },
    { stream, field: 'bankName', value: account.bankName },
  ]);
  return end && bank ? { accountEnd: end, bankName: bank } : null;
}

/** Whether an account matches what a payout shows of it. */
export function isOfAccount(shown: ShownAccount, account: PayoutAccount): boolean {
  const now = toShown(account);
  return now.accountEnd === shown.accountEnd && now.bankName === shown.bankName;
}
