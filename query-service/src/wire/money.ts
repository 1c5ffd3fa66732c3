import type { Earnings } from '@oja/contracts';
import type { EarningsDocument, LedgerDocument } from '@oja/contracts/models';
import { koboToNaira } from '@oja/domain/rules';

const NOTHING = { held: 0, payable: 0, paidOut: 0 };

/** A seller who never sold has earned nothing yet. */
export function earnings(document: EarningsDocument | null): Earnings {
  const { held, payable, paidOut } = document ?? NOTHING;
  return {
    held: koboToNaira(held),
    payable: koboToNaira(payable),
    paid_out: koboToNaira(paidOut),
  };
}

const accounts = [
  ['held', 'Held'],
  ['payable', 'Payable'],
  ['paidOut', 'Paid out'],
  ['house', 'House'],
  ['refundsDue', 'Refunds due'],
  ['heldAside', 'Held aside'],
] as const;

/**
 * What buyers paid and did not get back, and whose it is. What the provider kept and what was lost is
 * counted in, since neither makes what is owed to anybody smaller: so both sides are the same sum.
 */
export function money(document: LedgerDocument | null) {
  const gross = document === null ? 0 : document.cash + document.providerFees + document.losses;
  return {
    cash: koboToNaira(gross),
    accounts: accounts.map(([account, name]) => ({
      name,
      amount: koboToNaira(document?.[account] ?? 0),
    })),
    balanced: document?.balanced ?? true,
  };
}
