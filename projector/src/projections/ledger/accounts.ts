import type { LedgerAccounts, LedgerDocument } from '@oja/contracts/models';
import type { Posting } from './postings.js';

export const NOTHING: LedgerAccounts = {
  cash: 0,
  held: 0,
  payable: 0,
  paidOut: 0,
  house: 0,
  refundsDue: 0,
  heldAside: 0,
  providerFees: 0,
  losses: 0,
};

/** Double entry: what came in is somewhere. */
export function isBalanced(accounts: LedgerAccounts): boolean {
  const { held, payable, paidOut, house, refundsDue, heldAside, providerFees, losses } = accounts;
  const owed = held + payable + paidOut + house + refundsDue + heldAside;
  return accounts.cash === owed - providerFees - losses;
}

export function added(before: LedgerAccounts, posting: Posting): LedgerDocument {
  const plus = (account: keyof LedgerAccounts) => before[account] + (posting[account] ?? 0);
  const accounts: LedgerAccounts = {
    cash: plus('cash'),
    held: plus('held'),
    payable: plus('payable'),
    paidOut: plus('paidOut'),
    house: plus('house'),
    refundsDue: plus('refundsDue'),
    heldAside: plus('heldAside'),
    providerFees: plus('providerFees'),
    losses: plus('losses'),
  };
  return { ...accounts, balanced: isBalanced(accounts) };
}
