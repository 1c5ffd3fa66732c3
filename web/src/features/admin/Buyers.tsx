import { pagePath } from '@oja/contracts/pages';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getCoreRowModel, useReactTable } from '@tanstack/react-table';
import {
  ChevronLeft,
  ChevronRight,
  Download,
  History,
  MousePointerClick,
  MoveHorizontal,
  ReceiptText,
  RefreshCw,
  SearchX,
} from 'lucide-react';
import { useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Transaction } from '../../api/types.js';
import { SearchInput } from '../../app/header/SearchInput.js';
import { Screen } from '../../app/Screen.js';
import { Button } from '../../ui/Button.js';
import { classes } from '../../ui/classes.js';
import { csvOf, download } from '../../ui/csv.js';
import { DataTable } from '../../ui/DataTable.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, ErrorState, OfflineState } from '../../ui/States.js';
import * as toolbarStyles from '../../ui/Toolbar.module.css';
import { toast } from '../../ui/toast.js';
import { useOnline } from '../../ui/use-browser.js';
import { useOptimisticValue } from '../../ui/use-value.js';
import { transactionsQuery } from './api.js';
import * as styles from './Buyers.module.css';
import { cellOf, columns } from './buyer-columns.js';
import {
  type BuyerRow,
  continued,
  filterRows,
  PAGE_SIZE,
  rowsOf,
  sortRows,
  type TableState,
  useTableState,
} from './buyer-rows.js';
import { RemoveDelivered } from './RemoveDelivered.js';
import { ViewSwitch } from './UserCards.js';
import { useIsHead } from './users.js';
import { receivedSigns } from './words.js';

const FIND = 'Find a buyer, reference or ID';
const none: readonly Transaction[] = [];

/** The transactions of all buyers. */
export default function Buyers() {
  const { data, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(transactionsQuery);
  const head = useIsHead();
  const online = useOnline();
  const transactions = useMemo(() => data?.pages.flatMap(({ result }) => result) ?? none, [data]);
  const rows = useMemo(() => rowsOf(transactions), [transactions]);
  const [state, change] = useTableState();
  const [recieved, setRecieved] = useOptimisticValue(state.recieved, (next) =>
    change({ recieved: next }),
  );
  const readOlder = async () => {
    let older = hasNextPage;
    while (older) {
      const read = await fetchNextPage();
      if (read.isFetchNextPageError) return false;
      older = read.hasNextPage;
    }
    return true;
  };
  return (
    <Screen title="Buyers">
      <div className={layout.sectionHead}>
        <div>
          <h1>Buyers</h1>
          <p className={`${layout.muted} ${layout.small} ${layout.figures}`}>
            {data === undefined
              ? 'One moment'
              : `${transactions.length.toLocaleString('en-NG')} transactions, ${rows.length.toLocaleString('en-NG')} products`}
            {hasNextPage && '. There are older ones.'}
          </p>
        </div>
        <ViewSwitch buyers />
      </div>
      <div className={toolbarStyles.toolbar}>
        <div className={`${layout.row} ${layout.wrap} ${styles.tools}`}>
          <div className={toolbarStyles.search}>
            <SearchInput
              label={FIND}
              placeholder={FIND}
              value={state.find}
              onChange={(find) => change({ find })}
              onClear={() => void change({ find: '' })}
            />
          </div>
          <select
            className={fieldStyles.control}
            aria-label="Recieved"
            value={recieved}
            onChange={(event) => setRecieved(event.target.value)}
          >
            <option value="">Recieved: all</option>
            {Object.entries(receivedSigns).map(([value, { words }]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
          <Button
            look="line"
            size="s"
            busy={isFetching && !isFetchingNextPage}
            onClick={() => void refreshed(refetch())}
          >
            <Icon of={RefreshCw} size="s" />
            refresh table
          </Button>
        </div>
        {head && (
          <RemoveDelivered
            delivered={transactions.filter(({ recieved }) => recieved === 'DELIVERED')}
            hasOlder={hasNextPage}
            readOlder={readOlder}
          />
        )}
      </div>
      {data !== undefined && transactions.length > 0 && (
        <>
          <Legend />
          <BuyersTable rows={rows} state={state} onChange={change} />
          {hasNextPage && (
            <p className={`${layout.centered} ${layout.moreBelow}`}>
              <Button look="line" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
                <Icon of={History} size="s" />
                Older
              </Button>
            </p>
          )}
        </>
      )}
      {data !== undefined && transactions.length === 0 && (
        <EmptyState
          motif="drum"
          icon={ReceiptText}
          title="Nobody has bought yet"
          line="Each order stands here as soon as it is placed."
        />
      )}
      {data === undefined && !isError && <Skeleton height={480} />}
      {data === undefined && isError && online && (
        <ErrorState title="Failure retrieving the data!" onRetry={() => void refetch()} />
      )}
      {data === undefined && isError && !online && <OfflineState />}
    </Screen>
  );
}

/** What was read before stays in the table, so that a failure has to be said. */
async function refreshed(read: Promise<{ readonly isError: boolean }>): Promise<void> {
  if ((await read).isError) toast.error('Failure retrieving the data!');
}

function Legend() {
  return (
    <ul className={styles.legend}>
      <li>
        <i className={styles.delivered} />
        DELIVERED, money released
      </li>
      <li>
        <Icon of={MousePointerClick} size="s" />
        Press a row to open it
      </li>
      <li className={layout.onlyNarrow}>
        <Icon of={MoveHorizontal} size="s" />
        Swipe the table sideways
      </li>
    </ul>
  );
}

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
          classes(
            row.transaction.recieved === 'DELIVERED' && styles.deliveredRow,
            goesOn.has(row.id) && styles.continuedRow,
          )
        }
        onRow={(row) =>
          void navigate(pagePath('transaction', { transactionId: row.transaction.transaction_id }))
        }
      />
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
