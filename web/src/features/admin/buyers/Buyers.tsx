import { useInfiniteQuery } from '@tanstack/react-query';
import { History, MousePointerClick, MoveHorizontal, ReceiptText, RefreshCw } from 'lucide-react';
import { useMemo } from 'react';
import { transactionsQuery } from '../../../api/admin.js';
import type { Transaction } from '../../../api/types.js';
import { SearchInput } from '../../../app/header/SearchInput.js';
import { Screen } from '../../../app/Screen.js';
import { Button } from '../../../ui/Button.js';
import { Icon } from '../../../ui/Icon.js';
import { Skeleton } from '../../../ui/Skeleton.js';
import { EmptyState, ErrorState, OfflineState } from '../../../ui/States.js';
import { useAhead } from '../../../ui/use-ahead.js';
import { useOnline } from '../../../ui/use-online.js';
import { receivedSigns } from '../order/words.js';
import { useIsHead } from '../rights.js';
import { ViewSwitch } from '../ViewSwitch.js';
import { BuyersTable } from './BuyersTable.js';
import { RemoveDelivered } from './RemoveDelivered.js';
import { rowsOf } from './rows.js';
import { useTableState } from './table-state.js';

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
  const [recieved, setRecieved] = useAhead(state.recieved, (next) => change({ recieved: next }));
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
      <div className="hd">
        <div>
          <h1>Buyers</h1>
          <p className="muted small num">
            {data === undefined
              ? 'One moment'
              : `${transactions.length.toLocaleString('en-NG')} transactions, ${rows.length.toLocaleString('en-NG')} products`}
            {hasNextPage && '. There are older ones.'}
          </p>
        </div>
        <ViewSwitch buyers />
      </div>
      <div className="toolrow">
        <div className="row wrap buyertools">
          <div className="find">
            <SearchInput
              label={FIND}
              placeholder={FIND}
              value={state.find}
              onChange={(find) => change({ find })}
              onClear={() => void change({ find: '' })}
            />
          </div>
          <select
            className="inp"
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
            onClick={() => void refetch()}
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
            <p className="c more">
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

function Legend() {
  return (
    <ul className="legend">
      <li>
        <i className="delivered" />
        DELIVERED, money released
      </li>
      <li>
        <Icon of={MousePointerClick} size="s" />
        Press a row to open it
      </li>
      <li className="only-s">
        <Icon of={MoveHorizontal} size="s" />
        Swipe the table sideways
      </li>
    </ul>
  );
}
