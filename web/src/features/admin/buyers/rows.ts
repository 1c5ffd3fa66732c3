import type { Transaction } from '../../../api/types.js';

/** One product of a transaction, with the facts of the transaction repeated. */
export interface BuyerRow {
  readonly id: string;
  readonly transaction: Transaction;
  readonly productId: string;
  readonly quantity: number;
  /** In naira. */
  readonly price: number;
  readonly sellerId: string;
}

const split = (list: string) => (list === '' ? [] : list.split(','));

/** One row per product, in the order in which the products stand in their transaction. */
export function rowsOf(transactions: readonly Transaction[]): BuyerRow[] {
  return transactions.flatMap((transaction) => {
    const quantities = split(transaction.quantities);
    const prices = split(transaction.prices);
    const sellers = split(transaction.user_ids);
    return split(transaction.product_ids).map((productId, place) => ({
      id: `${transaction.transaction_id}/${place}`,
      transaction,
      productId,
      quantity: Number(quantities[place] ?? 0),
      price: Number(prices[place] ?? 0),
      sellerId: sellers[place] ?? '',
    }));
  });
}

export interface RowFilter {
  /** Words that must stand somewhere in the row, in whatever case. */
  readonly find: string;
  /** One of the received values, or empty for all. */
  readonly recieved: string;
}

/** The rows that are asked for. */
export function filterRows(rows: readonly BuyerRow[], { find, recieved }: RowFilter): BuyerRow[] {
  const words = find.trim().toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (recieved !== '' && row.transaction.recieved !== recieved) return false;
    if (words.length === 0) return true;
    const all = searchable(row).toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

function searchable({ transaction: t, productId, sellerId }: BuyerRow): string {
  const names = t.lines.map(({ businessName, prod_name }) => `${businessName} ${prod_name}`);
  return [
    t.transaction_id,
    t.status,
    t.reference,
    t.amount,
    t.buyer_name,
    t.home_address,
    t.phone_number,
    t.recieved,
    productId,
    sellerId,
    ...names,
  ].join(' ');
}

/** Rows that go on with the transaction of the row above them. */
export function continued(rows: readonly BuyerRow[]): ReadonlySet<string> {
  return new Set(
    rows
      .filter(
        (row, i) => rows[i - 1]?.transaction.transaction_id === row.transaction.transaction_id,
      )
      .map(({ id }) => id),
  );
}
