import {
  getCoreRowModel,
  getPaginationRowModel,
  getSortedRowModel,
  useReactTable,
} from '@tanstack/react-table';
import { ChevronLeft, ChevronRight, Download, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../../ui/Button.js';
import { classes } from '../../../ui/classes.js';
import { DataTable } from '../../../ui/DataTable.js';
import { Icon } from '../../../ui/Icon.js';
import { EmptyState } from '../../../ui/States.js';
import { columns } from './columns.js';
import { csvOf, download } from './csv.js';
import { type BuyerRow, continued, filterRows } from './rows.js';
import { PAGE_SIZE, type TableState } from './table-state.js';

interface BuyersTableProps {
  readonly rows: readonly BuyerRow[];
  readonly state: TableState;
  readonly onChange: (change: Partial<TableState>) => void;
}

/** The sixteen columns, one row a product; sorted, filtered and paged as the address says. */
export function BuyersTable({ rows, state, onChange }: BuyersTableProps) {
  const navigate = useNavigate();
  const { find, recieved, sorting } = state;
  const data = useMemo(() => filterRows(rows, { find, recieved }), [rows, find, recieved]);
  const pages = Math.max(1, Math.ceil(data.length / PAGE_SIZE));
  const page = Math.min(state.page, pages - 1);
  const table = useReactTable({
    data,
    columns,
    getRowId: (row) => row.id,
    state: { sorting, pagination: { pageIndex: page, pageSize: PAGE_SIZE } },
    enableSortingRemoval: false,
    onSortingChange: (next) =>
      onChange({ sorting: typeof next === 'function' ? next(sorting) : next }),
    getCoreRowModel: getCoreRowModel(),
    getSortedRowModel: getSortedRowModel(),
    getPaginationRowModel: getPaginationRowModel(),
  });
  const shown = table.getRowModel().rows.map(({ original }) => original);
  const goesOn = continued(shown);

  const save = () => {
    const cells = table
      .getSortedRowModel()
      .rows.map((row) => columns.map(({ id = '' }) => row.getValue<string | number>(id)));
    const head = columns.map(({ header }) => String(header));
    download('buyers.csv', csvOf(head, cells), 'text/csv;charset=utf-8');
  };
  if (data.length === 0)
    return (
      <EmptyState
        motif="water"
        icon={SearchX}
        paper
        title="No transaction matches"
        action={
          <Button look="line" onClick={() => onChange({ find: '', recieved: '' })}>
            Show all
          </Button>
        }
      />
    );
  return (
    <>
      <DataTable
        table={table}
        label="Buyers transactions"
        rowClass={(row) =>
          classes(row.transaction.recieved === 'DELIVERED' && 'dv', goesOn.has(row.id) && 'cont')
        }
        onRow={(row) => void navigate(`/admin-dashboard/${row.transaction.transaction_id}`)}
      />
      <div className="row spread wrap pager">
        <p className="small muted num" role="status">
          {page * PAGE_SIZE + 1} to {page * PAGE_SIZE + shown.length} of{' '}
          {data.length.toLocaleString('en-NG')} rows. Times are Lagos time.
        </p>
        <div className="row">
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
