import type { Transaction } from '@oja/contracts';
import type { TransactionDocument } from '@oja/contracts/models';
import type { Page } from '@oja/platform';
import { openPersonal } from '../../wire/personal.js';
import { buyerValues, transaction } from '../../wire/transaction.js';
import type { Tools } from '../handler.js';

/** Transactions as admins see them, with all their personal values opened in one go. */
export async function shownTransactions(
  { sealer, images }: Pick<Tools, 'sealer' | 'images'>,
  documents: readonly TransactionDocument[],
): Promise<Transaction[]> {
  const personal = await openPersonal(sealer, documents.map(buyerValues));
  return documents.map((one, at) => transaction(one, personal[at] ?? (() => null), images));
}

export const documentsOf = ({ items }: Page<TransactionDocument>) =>
  items.map(({ document }) => document);
