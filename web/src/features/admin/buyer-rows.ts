import { DAY_MS, fold, koboToNaira, lagosMidnight, nairaToKobo } from '@oja/domain/rules';
import type { SortingState } from '@tanstack/react-table';
import type { Transaction } from '../../api/types.js';
import { useQueryParams, withParam } from '../../app/address.js';
import { NEEDS_PERSON, needsPerson } from './labels.js';

/** One product of a transaction. Each row repeats the facts of its transaction. */
export interface BuyerRow {
  readonly id: string;
  readonly transaction: Transaction;
  readonly productId: string;
  readonly quantity: number;
  /** Of one piece, in naira. */
  readonly price: number;
  readonly sellerId: string;
}

const split = (list: string) => (list === '' ? [] : list.split(','));

/** One row per product, in the order of the transaction's own list. */
export function toBuyerRows(transactions: readonly Transaction[]): BuyerRow[] {
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

/** An empty string filters nothing. */
interface RowFilter {
  /** Words that must all occur in the row, ignoring case and accents. */
  readonly find: string;
  /** A received value, or NEEDS_PERSON. */
  readonly recieved: string;
  /** A seller id. */
  readonly seller: string;
  /** First and last day of payment, YYYY-MM-DD in Lagos time, both included. */
  readonly from: string;
  readonly to: string;
}

export const noFilter: RowFilter = { find: '', recieved: '', seller: '', from: '', to: '' };

function createPaidFilter(from: string, to: string): (paidAt: string | null) => boolean {
  if (from === '' && to === '') return () => true;
  // An address may name a day that no calendar has: it filters nothing.
  const midnight = (day: string, otherwise: number) => {
    const at = lagosMidnight(day);
    return Number.isNaN(at) ? otherwise : at;
  };
  const first = midnight(from, Number.NEGATIVE_INFINITY);
  const end = midnight(to, Number.POSITIVE_INFINITY) + DAY_MS;
  return (paidAt) => {
    if (paidAt === null) return false;
    const paid = Date.parse(paidAt);
    return paid >= first && paid < end;
  };
}

/** The rows that match the filter, in the given order. */
export function filterRows(rows: readonly BuyerRow[], filter: RowFilter): BuyerRow[] {
  const { recieved, seller } = filter;
  const words = fold(filter.find).split(/\s+/).filter(Boolean);
  const inTime = createPaidFilter(filter.from, filter.to);
  const matchesDelivery = (transaction: Transaction) => {
    if (recieved === NEEDS_PERSON) return needsPerson(transaction);
    return recieved === '' || transaction.recieved === recieved;
  };
  return rows.filter(({ transaction, productId, sellerId }) => {
    if (!matchesDelivery(transaction) || !inTime(transaction.paid_at)) return false;
    if (seller !== '' && sellerId !== seller) return false;
    return words.every(
      (word) =>
        searchTextOf(transaction).includes(word) ||
        productId.includes(word) ||
        sellerId.includes(word),
    );
  });
}

interface RowTotals {
  readonly orders: number;
  readonly pieces: number;
  /** What the goods of the rows cost, in naira. */
  readonly goods: number;
  /** The whole amounts of their orders, each order once: with delivery and goods outside these rows. In naira. */
  readonly amount: number;
}

/** Totals of rows. Sums are made in whole kobo, so that no fraction of a naira is lost. */
export function sumRows(rows: readonly BuyerRow[]): RowTotals {
  const orders = new Set(rows.map(({ transaction }) => transaction));
  const kobo = (sum: number, naira: number) => sum + nairaToKobo(naira);
  const goods = rows.map(({ price, quantity }) => price * quantity).reduce(kobo, 0);
  const amount = [...orders].map((order) => order.amount).reduce(kobo, 0);
  return {
    orders: orders.size,
    pieces: rows.reduce((sum, { quantity }) => sum + quantity, 0),
    goods: koboToNaira(goods),
    amount: koboToNaira(amount),
  };
}

/**
 * Id and business name of each seller in the transactions, sorted by name. An order keeps the name that a
 * store had then: of several, the newest is taken.
 * @param transactions newest first
 */
export function listSellers(
  transactions: readonly Transaction[],
): readonly (readonly [string, string])[] {
  const newestFirst = transactions.flatMap(({ shares }) =>
    shares.map(({ user_id, businessName }) => [user_id, businessName] as const),
  );
  const names = new Map(newestFirst.reverse());
  return [...names].sort(([, a], [, b]) => a.localeCompare(b, 'en'));
}

/** Search texts are cached: every keystroke searches all transactions. */
const searchTexts = new WeakMap<Transaction, string>();

function searchTextOf(t: Transaction): string {
  const known = searchTexts.get(t);
  if (known !== undefined) return known;
  const names = t.lines.map(({ businessName, prod_name }) => `${businessName} ${prod_name}`);
  const all = [
    t.transaction_id,
    t.status,
    t.reference,
    t.amount,
    t.buyer_name,
    t.home_address,
    t.phone_number,
    t.recieved,
    ...names,
  ].join(' ');
  const folded = fold(all);
  searchTexts.set(t, folded);
  return folded;
}

/** Sorts rows by a column's value, ignoring case and accents. Rows with equal values keep their order. */
export function sortRows(
  rows: readonly BuyerRow[],
  cellOf: (row: BuyerRow) => string | number,
  desc: boolean,
): BuyerRow[] {
  const keyed = rows.map((row) => {
    const value = cellOf(row);
    return { row, key: typeof value === 'string' ? fold(value) : value };
  });
  const sign = desc ? -1 : 1;
  return keyed
    .sort((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -sign : sign))
    .map(({ row }) => row);
}

/** Ids of the rows that belong to the same transaction as the row above them. */
export function findContinuedRows(rows: readonly BuyerRow[]): ReadonlySet<string> {
  return new Set(
    rows
      .filter(
        (row, i) => rows[i - 1]?.transaction.transaction_id === row.transaction.transaction_id,
      )
      .map(({ id }) => id),
  );
}

/** Rows per page. */
export const PAGE_SIZE = 25;
/** The default order, which is also the order of the server's answer. */
const DEFAULT_SORT = '-created_at';

/** The state of the table, as the address holds it. */
export interface TableState extends RowFilter {
  readonly sorting: SortingState;
  /** Counted from 0; the address counts from 1. */
  readonly page: number;
}

const filterNames = ['find', 'recieved', 'seller', 'from', 'to'] as const;
/** The format of a date input's value. */
const DATE_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the table's state from the address. `sort=-amount` means by amount, largest first. */
export function parseTableState(params: URLSearchParams): TableState {
  const sort = params.get('sort') ?? DEFAULT_SORT;
  const page = Math.trunc(Number(params.get('page') ?? 1)) - 1;
  return {
    sorting: [{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }],
    page: Math.max(0, page || 0),
    find: params.get('find') ?? '',
    recieved: params.get('recieved') ?? '',
    seller: params.get('seller') ?? '',
    from: DATE_PATTERN.exec(params.get('from') ?? '')?.[0] ?? '',
    to: DATE_PATTERN.exec(params.get('to') ?? '')?.[0] ?? '',
  };
}

/** The query string after a change. Default values are left out. Any change but that of the page leads to page 1. */
export function applyTableChange(
  params: URLSearchParams,
  change: Partial<TableState>,
): URLSearchParams {
  let next = params;
  const set = (name: string, value: string, first = '') => {
    next = withParam(next, name, value === first ? '' : value);
  };
  if (change.sorting !== undefined) {
    const [by] = change.sorting;
    set('sort', by === undefined ? '' : `${by.desc ? '-' : ''}${by.id}`, DEFAULT_SORT);
  }
  for (const name of filterNames) {
    const value = change[name];
    if (value !== undefined) set(name, value);
  }
  set('page', String((change.page ?? 0) + 1), '1');
  return next;
}

/** The table's state from the address, and a function that changes parts of it. */
export function useTableState() {
  const [params, go] = useQueryParams();
  const change = (part: Partial<TableState>) =>
    go((now) => applyTableChange(now, part), { replace: true, preventScrollReset: true });
  return [parseTableState(params), change] as const;
}
