import { pagePath } from '@oja/contracts/pages';
import { getCoreRowModel, useReactTable } from '@tanstack/react-table';
import { ChevronLeft, ChevronRight, Download, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../ui/Button.js';
import { classes } from '../../ui/classes.js';
import { csvOf, download } from '../../ui/csv.js';
import { DataTable } from '../../ui/DataTable.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { Naira } from '../../ui/Price.js';
import { EmptyState } from '../../ui/States.js';
import { BuyerCards } from './BuyerCards.js';
import * as styles from './Buyers.module.css';
import { cellOf, columns, csvRows } from './buyer-columns.js';
import {
  type BuyerRow,
  continued,
  filterRows,
  noFilter,
  PAGE_SIZE,
  sortRows,
  type TableState,
  totalsOf,
} from './buyer-rows.js';

interface BuyersTableProps {
  /** A card an order in the place of the table. */
  readonly asCards: boolean;
  readonly rows: readonly BuyerRow[];
  readonly state: TableState;
  readonly onChange: (change: Partial<TableState>) => void;
}

/** The sixteen columns, one row a product; sorted, filtered and paged as the address says. */
export function BuyersTable({ asCards, rows, state, onChange }: BuyersTableProps) {
  const navigate = useNavigate();
  const { find, recieved, seller, from, to, sorting } = state;
  const { id: by = '', desc = false } = sorting[0] ?? {};
  const sorted = useMemo(() => sortRows(rows, cellOf(by), desc), [rows, by, desc]);
  const data = useMemo(
    () => filterRows(sorted, { find, recieved, seller, from, to }),
    [sorted, find, recieved, seller, from, to],
  );
  const pages = Math.max(1, Math.ceil(data.length / PAGE_SIZE));
  const page = Math.min(state.page, pages - 1);
  const shown = useMemo(() => data.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE), [data, page]);
  // It is given the page alone: of thousands of rows it would make as many objects at every letter.
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
  const goesOn = continued(shown);

  const save = () => {
    const head = columns.map(({ header }) => String(header));
    download('buyers.csv', csvOf(head, csvRows(data)), 'text/csv;charset=utf-8');
  };
  if (data.length === 0)
    return (
      <EmptyState
        motif="water"
        icon={SearchX}
        paper
        title="No transaction matches"
        action={
          <Button look="line" onClick={() => onChange(noFilter)}>
            Show all
          </Button>
        }
      />
    );
  return (
    <>
      <Totals rows={data} />
      {asCards ? (
        <BuyerCards rows={shown} />
      ) : (
        <DataTable
          table={table}
          label="Buyers transactions"
          rowClass={(row) =>
            classes(
              row.transaction.recieved === 'DELIVERED' && styles.deliveredRow,
              goesOn.has(row.id) && styles.continuedRow,
            )
          }
          onRow={(row) =>
            void navigate(
              pagePath('transaction', { transactionId: row.transaction.transaction_id }),
            )
          }
        />
      )}
      <div className={`${layout.row} ${layout.spaceBetween} ${layout.wrap} ${styles.pager}`}>
        <p className={`${layout.small} ${layout.muted} ${layout.figures}`} role="status">
          {page * PAGE_SIZE + 1} to {page * PAGE_SIZE + shown.length} of{' '}
          {data.length.toLocaleString('en-NG')} rows. Times are Lagos time.
        </p>
        <div className={layout.row}>
          <Button look="line" size="s" onClick={save}>
            <Icon of={Download} size="s" />
            CSV
          </Button>
          <Button
            look="line"
            size="s"
            disabled={page === 0}
            onClick={() => onChange({ page: page - 1 })}
          >
            <Icon of={ChevronLeft} size="s" />
            Back
          </Button>
          <Button
            look="line"
            size="s"
            disabled={page >= pages - 1}
            onClick={() => onChange({ page: page + 1 })}
          >
            Next
            <Icon of={ChevronRight} size="s" />
          </Button>
        </div>
      </div>
    </>
  );
}

/** What all that is found comes to, not only what the page shows of it. */
function Totals({ rows }: { readonly rows: readonly BuyerRow[] }) {
  const { orders, pieces, goods, amount } = useMemo(() => totalsOf(rows), [rows]);
  const sums = [
    ['Orders', orders.toLocaleString('en-NG')],
    ['Pieces', pieces.toLocaleString('en-NG')],
    ['Goods', <Naira key="goods" amount={goods} />],
    ['Amount', <Naira key="amount" amount={amount} />],
  ] as const;
  return (
    <dl className={styles.totals} aria-label="Totals of what is found">
      {sums.map(([name, sum]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{sum}</dd>
        </div>
      ))}
    </dl>
  );
}
