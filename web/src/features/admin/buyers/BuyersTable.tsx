import { getCoreRowModel, useReactTable } from '@tanstack/react-table';
import { ChevronLeft, ChevronRight, Download, SearchX } from 'lucide-react';
import { useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../../ui/Button.js';
import { classes } from '../../../ui/classes.js';
import { DataTable } from '../../../ui/DataTable.js';
import { Icon } from '../../../ui/Icon.js';
import { EmptyState } from '../../../ui/States.js';
import { cellOf, columns } from './columns.js';
import { csvOf, download } from './csv.js';
import { type BuyerRow, continued, filterRows, sortRows } from './rows.js';
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
  const { id: by = '', desc = false } = sorting[0] ?? {};
  const sorted = useMemo(() => sortRows(rows, cellOf(by), desc), [rows, by, desc]);
  const data = useMemo(() => filterRows(sorted, { find, recieved }), [sorted, find, recieved]);
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
    const values = columns.map(({ id = '' }) => cellOf(id));
    const cells = data.map((row) => values.map((value) => value(row)));
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
