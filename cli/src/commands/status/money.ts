import { LEDGER_ID, type LedgerDocument, ledger } from '@oja/contracts/models';
import type { Ground } from '../../market/part.js';

export interface MoneyStatus {
  readonly balanced: boolean;
  /** Accounts that do not balance, the market's own among them. */
  readonly unbalanced: number;
  /** Kobo. */
  readonly heldAside: number;
  readonly refundsDue: number;
  readonly payable: number;
}

/** Null before the ledger has been begun. */
export async function moneyStatus({ engines, readModels }: Ground): Promise<MoneyStatus | null> {
  if ((await readModels.checkpointOf(ledger)) === null) return null;
  const accounts = await readModels.liveCollection(ledger, 'accounts');
  const all = await engines.documents.get<LedgerDocument>(accounts, LEDGER_ID);
  const unbalanced = await engines.documents.count(accounts, [
    { field: 'balanced', op: 'eq', value: false },
  ]);
  const { heldAside = 0, refundsDue = 0, payable = 0 } = all ?? {};
  return { balanced: unbalanced === 0, unbalanced, heldAside, refundsDue, payable };
}
