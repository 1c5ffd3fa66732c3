import { pagePath } from '@oja/contracts/pages';
import { lagosInstant } from '@oja/domain/rules';
import { createColumnHelper, getCoreRowModel, useReactTable } from '@tanstack/react-table';
import { ChevronLeft, ChevronRight, SearchX } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import { Badge, StatusBadge } from '../../ui/Badge.js';
import { Button } from '../../ui/Button.js';
import { CsvButton, phoneText } from '../../ui/CsvButton.js';
import { classes } from '../../ui/classes.js';
import { DataTable } from '../../ui/DataTable.js';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import { formatCount, Naira } from '../../ui/Price.js';
import { EmptyState, StepButton } from '../../ui/States.js';
import { lagosTime } from '../history/times.js';
import { BuyerCards } from './BuyerCards.js';
import * as styles from './Buyers.module.css';
import {
  type BuyerRow,
  filterRows,
  findContinuedRows,
  noFilter,
  PAGE_SIZE,
  sortRows,
  sumRows,
  type TableState,
} from './buyer-rows.js';
import { deliveryBadges, orRemoved } from './labels.js';

const column = createColumnHelper<BuyerRow>();

/** Characters of an id that a cell shows: enough to tell ids apart. The tooltip and the CSV file hold the whole id. */
const SHORT_ID_LENGTH = 9;
const shorten = (id: string) =>
  id.length > SHORT_ID_LENGTH ? `${id.slice(0, SHORT_ID_LENGTH)}…` : id;

function ShortId({ id }: { readonly id: string }) {
  return <span title={id}>{shorten(id)}</span>;
}

/** The sixteen columns, with prescribed headers. Their values are used for sorting and in the CSV file. */
const columns = [
  column.accessor((row) => row.transaction.transaction_id, {
    id: 'transaction_id',
    header: 'Transaction ID',
    meta: { mono: true },
    cell: ({ getValue }) => (
      <Link to={pagePath('transaction', { transactionId: getValue() })} title={getValue()}>
        {shorten(getValue())}
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
  column.accessor((row) => orRemoved(row.transaction.buyer_name), {
    id: 'buyer_name',
    header: 'Buyer Name',
  }),
  column.accessor((row) => orRemoved(row.transaction.home_address), {
    id: 'home_address',
    header: 'Home Address',
    cell: ({ getValue }) => (
      <span className={styles.address} title={getValue()}>
        {getValue()}
      </span>
    ),
  }),
  column.accessor((row) => orRemoved(row.transaction.phone_number), {
    id: 'phone_number',
    header: 'Phone Number',
  }),
  column.accessor((row) => row.transaction.recieved, {
    id: 'recieved',
    header: 'Recieved',
    cell: ({ getValue }) => <StatusBadge of={deliveryBadges[getValue()]} />,
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

/** The value of a column, for sorting and for the CSV file. An unknown column id gives `created_at`. */
export function cellValue(id: string): (row: BuyerRow) => string | number {
  const found = columns.find((each) => each.id === id);
  return (row) => found?.accessorFn(row, 0) ?? row.transaction.created_at;
}

const timeColumns = new Set(['paid_at', 'created_at']);

/**
 * Cells of the CSV file, one array per row. An order's amount is only in its first row, so that the
 * column adds up. Phone numbers keep their leading 0. Times are in Lagos time, like the date
 * filters.
 */
export function csvRows(rows: readonly BuyerRow[]): (string | number)[][] {
  const values = columns.map(({ id = '' }) => [id, cellValue(id)] as const);
  const counted = new Set<BuyerRow['transaction']>();
  return rows.map((row) => {
    const again = counted.has(row.transaction);
    counted.add(row.transaction);
    return values.map(([id, value]) => {
      if (id === 'amount' && again) return '';
      const cell = value(row);
      if (id === 'phone_number') return phoneText(String(cell));
      return timeColumns.has(id) && cell !== '' ? lagosInstant(String(cell)) : cell;
    });
  });
}

/** References can be as long as ids, so they are shortened too. */
function ShortReference({ reference }: { readonly reference: string }) {
  const most = 14;
  return (
    <span title={reference}>
      {reference.length > most ? `${reference.slice(0, most)}…` : reference}
    </span>
  );
}

interface BuyersTableProps {
  /** Show one card per order instead of the table. */
  readonly asCards: boolean;
  readonly rows: readonly BuyerRow[];
  /** Whether the rows are those of all transactions: older ones may not be read yet. */
  readonly isWhole: boolean;
  /** Reads the rows of all transactions. @throws ApiError */
  readonly loadRows: () => Promise<readonly BuyerRow[]>;
  readonly state: TableState;
  readonly onChange: (change: Partial<TableState>) => void;
}

/** The sixteen columns with one row per product; sorted, filtered and paged as the address says. */
export function BuyersTable(props: BuyersTableProps) {
  const { asCards, rows, isWhole, loadRows, state, onChange } = props;
  const navigate = useNavigate();
  const { find, recieved, seller, from, to, sorting } = state;
  const { id: by = '', desc = false } = sorting[0] ?? {};
  const sorted = useMemo(() => sortRows(rows, cellValue(by), desc), [rows, by, desc]);
  const data = useMemo(
    () => filterRows(sorted, { find, recieved, seller, from, to }),
    [sorted, find, recieved, seller, from, to],
  );
  const pages = Math.max(1, Math.ceil(data.length / PAGE_SIZE));
  const page = Math.min(state.page, pages - 1);
  const shown = useMemo(() => data.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE), [data, page]);
  // The table gets the current page only: with all rows it would create thousands of objects on every keystroke.
  const table = useReactTable({
    data: shown,
    columns,
    getRowId: (row) => row.id,
    state: { sorting },
    manualSorting: true,
    enableSortingRemoval: false,
    onSortingChange: (next) =>
      onChange({ sorting: typeof next === 'function' ? next(sorting) : next }),
    getCoreRowModel: getCoreRowModel(),
  });
  const continuedRows = findContinuedRows(shown);

  const readFile = async () =>
    csvRows(filterRows(sortRows(await loadRows(), cellValue(by), desc), state));
  if (data.length === 0)
    return (
      <EmptyState
        motif="water"
        icon={SearchX}
        paper
        title={isWhole ? 'No transaction matches' : 'No transaction matches so far'}
        action={<StepButton onPress={() => onChange(noFilter)}>Show all</StepButton>}
      />
    );
  return (
    <>
      <Totals rows={data} isWhole={isWhole} />
      {asCards ? (
        <BuyerCards rows={shown} />
      ) : (
        <DataTable
          table={table}
          label="Buyers transactions"
          rowClass={(row) =>
            classes(
              row.transaction.recieved === 'DELIVERED' && styles.deliveredRow,
              continuedRows.has(row.id) && styles.continuedRow,
            )
          }
          onRowPress={(row) =>
            void navigate(
              pagePath('transaction', { transactionId: row.transaction.transaction_id }),
            )
          }
        />
      )}
      <div className={`${layout.row} ${layout.spaceBetween} ${layout.wrap} ${styles.pager}`}>
        <p className={`${layout.small} ${layout.muted} ${layout.figures}`} role="status">
          {page * PAGE_SIZE + 1} to {page * PAGE_SIZE + shown.length} of{' '}
          {formatCount(data.length, 'row')}
          {!isWhole && ' read so far'}. Times are Lagos time.
        </p>
        <div className={`${layout.row} ${layout.wrap}`}>
          <CsvButton
            size="s"
            file="buyers.csv"
            head={columns.map(({ header }) => String(header))}
            read={readFile}
          />
          <PageButton isAtEnd={page === 0} onPress={() => onChange({ page: page - 1 })}>
            <Icon of={ChevronLeft} size="s" />
            Back
          </PageButton>
          <PageButton isAtEnd={page >= pages - 1} onPress={() => onChange({ page: page + 1 })}>
            Next
            <Icon of={ChevronRight} size="s" />
          </PageButton>
        </div>
      </div>
    </>
  );
}

interface PageButtonProps {
  /** There are no further rows. The button keeps the focus, which a disabled one would lose. */
  readonly isAtEnd: boolean;
  readonly onPress: () => void;
  readonly children: ReactNode;
}

const PageButton = ({ isAtEnd, onPress, children }: PageButtonProps) => (
  <Button
    look="line"
    size="s"
    aria-disabled={isAtEnd || undefined}
    onClick={() => isAtEnd || onPress()}
  >
    {children}
  </Button>
);

/** Totals of all matching rows, not only of the current page. */
function Totals({ rows, isWhole }: Pick<BuyersTableProps, 'rows' | 'isWhole'>) {
  const { orders, pieces, goods, amount } = useMemo(() => sumRows(rows), [rows]);
  const sums = [
    ['Orders', orders.toLocaleString('en-NG')],
    ['Pieces', pieces.toLocaleString('en-NG')],
    ['Goods', <Naira key="goods" amount={goods} />],
    ['Amount', <Naira key="amount" amount={amount} />],
  ] as const;
  return (
    <dl
      className={styles.totals}
      aria-label={isWhole ? 'Totals of these rows' : 'Totals of the rows read so far'}
    >
      {sums.map(([name, sum]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{sum}</dd>
        </div>
      ))}
    </dl>
  );
}
