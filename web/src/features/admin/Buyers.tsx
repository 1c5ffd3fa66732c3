import { useInfiniteQuery } from '@tanstack/react-query';
import { History, MousePointerClick, ReceiptText, RefreshCw } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { JOIN_RUNNING_FETCH } from '../../api/pagination.js';
import type { Transaction } from '../../api/types.js';
import { SearchInput } from '../../app/header/SearchInput.js';
import { Screen } from '../../app/Screen.js';
import { Button } from '../../ui/Button.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { NextPageButton } from '../../ui/MoreButton.js';
import { formatCount } from '../../ui/Price.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, LoadFailed } from '../../ui/States.js';
import * as toolbarStyles from '../../ui/Toolbar.module.css';
import { toast } from '../../ui/toast.js';
import { useMedia } from '../../ui/use-browser.js';
import { useOptimisticValue } from '../../ui/use-value.js';
import { MAX_AUTO_LOADED, transactionsQuery, useIsHeadAdmin } from './api.js';
import * as styles from './Buyers.module.css';
import { BuyersTable } from './BuyersTable.js';
import { listSellers, type TableState, toBuyerRows, useTableState } from './buyer-rows.js';
import { deliveryBadges, NEEDS_PERSON } from './labels.js';
import { RemoveDelivered } from './RemoveDelivered.js';
import { ViewSwitch } from './UserCards.js';

const FIND = 'Find a buyer, reference or ID';
const noTransactions: readonly Transaction[] = [];

/** The transactions, newest first. Older ones are read on by themselves up to a limit, then with a button. */
function useTransactions() {
  const query = useInfiniteQuery(transactionsQuery);
  const { data, isFetching, hasNextPage, fetchNextPage } = query;
  const transactions = useMemo(
    () => data?.pages.flatMap(({ result }) => result) ?? noTransactions,
    [data],
  );
  const isBelowLimit = hasNextPage && transactions.length < MAX_AUTO_LOADED;
  const hasLoadFailed = query.isFetchNextPageError && !isFetching;
  const loadsMore = isBelowLimit && !isFetching && !hasLoadFailed;
  useEffect(() => {
    if (loadsMore) void fetchNextPage(JOIN_RUNNING_FETCH);
  }, [loadsMore, fetchNextPage]);
  /** @throws ApiError when a page does not load */
  const loadAll = async () => {
    let read: typeof query = query;
    while (read.hasNextPage) {
      read = await fetchNextPage(JOIN_RUNNING_FETCH);
      if (read.isFetchNextPageError) throw read.error;
    }
    return read.data?.pages.flatMap(({ result }) => result) ?? noTransactions;
  };
  const older = hasNextPage ? `. ${describeOlder(hasLoadFailed, isBelowLimit)}` : '';
  return { query, transactions, loadsMore, loadAll, older };
}

/** The transactions of all buyers, as a table or as cards. */
export default function Buyers() {
  const { query, transactions, loadsMore, loadAll, older } = useTransactions();
  const { data, isError, isFetching, refetch, hasNextPage, isFetchingNextPage } = query;
  const head = useIsHeadAdmin();
  const rows = useMemo(() => toBuyerRows(transactions), [transactions]);
  const [state, change] = useTableState();
  const isNarrow = useMedia('(max-width: 767.98px)') === true;
  const asCards = isNarrow || state.recieved === NEEDS_PERSON;
  return (
    <Screen title="Buyers">
      <div className={layout.sectionHead}>
        <div>
          <h1>Buyers</h1>
          <p className={`${layout.muted} ${layout.small} ${layout.figures}`}>
            {data === undefined
              ? !isError && 'One moment'
              : `${formatCount(transactions.length, 'transaction')}, ${formatCount(rows.length, 'product')}`}
            {older}
          </p>
        </div>
        <ViewSwitch of="sellers" second />
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
          <Button
            look="line"
            size="s"
            busy={isFetching && !isFetchingNextPage}
            onClick={() => void refresh(refetch)}
          >
            <Icon of={RefreshCw} size="s" />
            refresh table
          </Button>
        </div>
        {head && (
          <RemoveDelivered
            delivered={transactions.filter(({ recieved }) => recieved === 'DELIVERED')}
            hasOlder={hasNextPage}
            readAll={loadAll}
          />
        )}
      </div>
      {data !== undefined && transactions.length > 0 && (
        <>
          <Filters transactions={transactions} state={state} onChange={change} />
          {!asCards && <Legend />}
          <BuyersTable
            asCards={asCards}
            rows={rows}
            isWhole={!hasNextPage}
            loadRows={async () => toBuyerRows(await loadAll())}
            state={state}
            onChange={change}
          />
          {!loadsMore && (
            <NextPageButton list={query}>
              <Icon of={History} size="s" />
              Older
            </NextPageButton>
          )}
        </>
      )}
      {data !== undefined && transactions.length === 0 && (
        <EmptyState
          motif="drum"
          icon={ReceiptText}
          title="Nobody has bought yet"
          line="Orders appear here as soon as they are paid."
        />
      )}
      {data === undefined && !isError && <Skeleton height={480} />}
      {data === undefined && isError && (
        <LoadFailed title="Failure retrieving the data!" onRetry={() => void refetch()} />
      )}
    </Screen>
  );
}

function describeOlder(hasLoadFailed: boolean, isBelowLimit: boolean): string {
  if (hasLoadFailed) return 'Older ones did not load.';
  return isBelowLimit ? 'Reading older ones.' : 'There are older ones.';
}

/** Refetches the table. After a failure the old rows stay on screen, so a toast reports it. */
async function refresh(read: () => Promise<{ readonly isError: boolean }>): Promise<void> {
  if (!(await read()).isError) return;
  toast.error('The table shows what was loaded before.', {
    title: 'Failure retrieving the data!',
    action: { label: 'Try again', onPress: () => void refresh(read) },
  });
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
    </ul>
  );
}

const sortOptions = [
  ['-created_at', 'Newest first'],
  ['paid_at', 'Oldest payment first'],
  ['-amount', 'Largest amount first'],
] as const;

/** While a year is being typed, the date input reports years like 0002, 0020 and 0202: all before this day. */
const FIRST_COMPLETE_DATE = '1000-01-01';

/** Seen beside 'Paid from', heard alone. */
const PAID_TO = (
  <span>
    <span className={layout.visuallyHidden}>Paid </span>to
  </span>
);

interface DayFieldProps {
  readonly label: ReactNode;
  /** YYYY-MM-DD, as in the address; '' for none. */
  readonly value: string;
  readonly onChange: (day: string) => Promise<void>;
}

/** The browser's date input. A date is passed on only when all four digits of its year are typed. */
function DayField({ label, value, onChange }: DayFieldProps) {
  const [incomplete, setIncomplete] = useState<string | null>(null);
  const [day, setDay] = useOptimisticValue(value, onChange);
  const change = (typed: string) => {
    const isIncomplete = typed !== '' && typed < FIRST_COMPLETE_DATE;
    setIncomplete(isIncomplete ? typed : null);
    if (!isIncomplete) setDay(typed);
  };
  return (
    <label className={styles.day}>
      {label}
      <input
        type="date"
        className={fieldStyles.control}
        value={incomplete ?? day}
        onChange={({ target }) => change(target.value)}
        onBlur={() => setIncomplete(null)}
      />
    </label>
  );
}

interface FiltersProps {
  readonly transactions: readonly Transaction[];
  readonly state: TableState;
  readonly onChange: (change: Partial<TableState>) => Promise<void>;
}

/** Filters by delivery state, seller and payment date, and a sort order for cards, which have no column heads. */
function Filters({ transactions, state, onChange }: FiltersProps) {
  const [recieved, setRecieved] = useOptimisticValue(state.recieved, (next) =>
    onChange({ recieved: next }),
  );
  const sellers = useMemo(() => listSellers(transactions), [transactions]);
  const [{ id, desc } = { id: '', desc: false }] = state.sorting;
  const sort = `${desc ? '-' : ''}${id}`;
  return (
    <fieldset className={`${styles.tools} ${styles.filters}`} aria-label="Filters">
      <select
        className={fieldStyles.control}
        aria-label="Recieved"
        value={recieved}
        onChange={(event) => setRecieved(event.target.value)}
      >
        <option value="">Recieved: all</option>
        <option value={NEEDS_PERSON}>Needs a person</option>
        {Object.entries(deliveryBadges).map(([value, { label }]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <select
        className={fieldStyles.control}
        aria-label="Seller"
        value={state.seller}
        onChange={(event) => void onChange({ seller: event.target.value })}
      >
        <option value="">Seller: all</option>
        {sellers.map(([sellerId, name]) => (
          <option key={sellerId} value={sellerId}>
            {name}
          </option>
        ))}
        {state.seller !== '' && sellers.every(([sellerId]) => sellerId !== state.seller) && (
          // Without an option of its own, the box would read 'all' over a table of one seller.
          <option value={state.seller}>{state.seller}</option>
        )}
      </select>
      <DayField label="Paid from" value={state.from} onChange={(from) => onChange({ from })} />
      <DayField label={PAID_TO} value={state.to} onChange={(to) => onChange({ to })} />
      <select
        className={fieldStyles.control}
        aria-label="Order"
        value={sort}
        onChange={({ target }) =>
          void onChange({
            sorting: [{ id: target.value.replace('-', ''), desc: target.value.startsWith('-') }],
          })
        }
      >
        {sortOptions.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {sortOptions.every(([value]) => value !== sort) && (
          <option value={sort}>Sorted by column</option>
        )}
      </select>
    </fieldset>
  );
}
