import { pagePath } from '@oja/contracts/pages';
import { lagosInstant } from '@oja/domain/rules';
import { createColumnHelper } from '@tanstack/react-table';
import { Link } from 'react-router-dom';
import { Badge } from '../../ui/Badge.js';
import { phoneText } from '../../ui/csv.js';
import * as layout from '../../ui/layout.module.css';
import { Naira } from '../../ui/Price.js';
import { lagosTime } from '../history/times.js';
import * as buyersStyles from './Buyers.module.css';
import type { BuyerRow } from './buyer-rows.js';
import { personalWords, receivedSigns } from './words.js';

const column = createColumnHelper<BuyerRow>();

/** Ids are long: the beginning tells them apart, the whole stands in the title and in the file. */
const SHOWN_OF_ID = 9;
export const short = (id: string) =>
  id.length > SHOWN_OF_ID ? `${id.slice(0, SHOWN_OF_ID)}…` : id;

export function ShortId({ id }: { readonly id: string }) {
  return <span title={id}>{short(id)}</span>;
}

/** The sixteen columns, named to the letter. Each value is what is sorted by and what the file holds. */
export const columns = [
  column.accessor((row) => row.transaction.transaction_id, {
    id: 'transaction_id',
    header: 'Transaction ID',
    meta: { mono: true },
    cell: ({ getValue }) => (
      <Link to={pagePath('transaction', { transactionId: getValue() })} title={getValue()}>
        {short(getValue())}
      </Link>
    ),
  }),
  column.accessor((row) => row.transaction.status, {
    id: 'status',
    header: 'Status',
    cell: ({ getValue }) => (
      <Badge tone={getValue() === 'success' ? 'ind' : 'grey'}>{getValue()}</Badge>
    ),
  }),
  column.accessor((row) => row.transaction.reference, {
    id: 'reference',
    header: 'Reference',
    meta: { mono: true },
    cell: ({ getValue }) => <ShortReference reference={getValue()} />,
  }),
  column.accessor((row) => row.transaction.amount, {
    id: 'amount',
    header: 'Amount',
    meta: { right: true },
    cell: ({ getValue }) => (
      <b>
        <Naira amount={getValue()} />
      </b>
    ),
  }),
  column.accessor((row) => row.transaction.paid_at ?? '', {
    id: 'paid_at',
    header: 'Paid At',
    cell: ({ getValue }) =>
      getValue() === '' ? <span className={layout.muted}>not paid</span> : lagosTime(getValue()),
  }),
  column.accessor((row) => row.transaction.created_at, {
    id: 'created_at',
    header: 'Created At',
    cell: ({ getValue }) => lagosTime(getValue()),
  }),
  column.accessor((row) => row.transaction.currency, { id: 'currency', header: 'Currency' }),
  column.accessor((row) => row.transaction.channel ?? '', { id: 'channel', header: 'Channel' }),
  column.accessor((row) => personalWords(row.transaction.buyer_name), {
    id: 'buyer_name',
    header: 'Buyer Name',
  }),
  column.accessor((row) => personalWords(row.transaction.home_address), {
    id: 'home_address',
    header: 'Home Address',
    cell: ({ getValue }) => (
      <span className={buyersStyles.address} title={getValue()}>
        {getValue()}
      </span>
    ),
  }),
  column.accessor((row) => personalWords(row.transaction.phone_number), {
    id: 'phone_number',
    header: 'Phone Number',
  }),
  column.accessor((row) => row.transaction.recieved, {
    id: 'recieved',
    header: 'Recieved',
    cell: ({ getValue }) => {
      const { tone, icon, words } = receivedSigns[getValue()];
      return (
        <Badge tone={tone} icon={icon}>
          {words}
        </Badge>
      );
    },
  }),
  column.accessor((row) => row.productId, {
    id: 'p_id',
    header: 'P_ID',
    meta: { mono: true },
    cell: ({ getValue }) => <ShortId id={getValue()} />,
  }),
  column.accessor((row) => row.quantity, { id: 'qty', header: 'Qty', meta: { right: true } }),
  column.accessor((row) => row.price, {
    id: 'price',
    header: 'Price',
    meta: { right: true },
    cell: ({ getValue }) => <Naira amount={getValue()} />,
  }),
  column.accessor((row) => row.sellerId, {
    id: 'seller_id',
    header: 'Seller ID',
    meta: { mono: true },
    cell: ({ getValue }) => <ShortId id={getValue()} />,
  }),
];

/** What a column shows of a row, sorts by and writes into the file; of an unknown one, when it was made. */
export function cellOf(id: string): (row: BuyerRow) => string | number {
  const found = columns.find((each) => each.id === id);
  return (row) => found?.accessorFn(row, 0) ?? row.transaction.created_at;
}

const times = new Set(['paid_at', 'created_at']);

/**
 * The table as a file for a spreadsheet: an order's amount stands in its first row alone, so that the column adds up,
 * telephone numbers keep their first digit, and times stand on the days that the table is filtered by.
 */
export function csvRows(rows: readonly BuyerRow[]): (string | number)[][] {
  const values = columns.map(({ id = '' }) => [id, cellOf(id)] as const);
  const counted = new Set<BuyerRow['transaction']>();
  return rows.map((row) => {
    const again = counted.has(row.transaction);
    counted.add(row.transaction);
    return values.map(([id, value]) => {
      if (id === 'amount' && again) return '';
      const cell = value(row);
      if (id === 'phone_number') return phoneText(String(cell));
      return times.has(id) && cell !== '' ? lagosInstant(String(cell)) : cell;
    });
  });
}

/** References may be as long as ids. */
function ShortReference({ reference }: { readonly reference: string }) {
  const most = 14;
  return (
    <span title={reference}>
      {reference.length > most ? `${reference.slice(0, most)}…` : reference}
    </span>
  );
}
