import { pagePath, pagePaths } from '@oja/contracts/pages';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Banknote, ChevronRight, PackageOpen, SearchX } from 'lucide-react';
import type { Answer, Sale } from '../../api/types.js';
import { useQueryParams, withParam } from '../../app/address.js';
import { SearchInput } from '../../app/header/SearchInput.js';
import { Screen } from '../../app/Screen.js';
import { StatusBadge } from '../../ui/Badge.js';
import { ButtonLink } from '../../ui/Button.js';
import { CsvButton, orderText } from '../../ui/CsvButton.js';
import * as fieldStyles from '../../ui/Field.module.css';
import { Icon } from '../../ui/Icon.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import { NextPageButton } from '../../ui/MoreButton.js';
import * as panelStyles from '../../ui/Panel.module.css';
import { Naira } from '../../ui/Price.js';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, LoadFailed, StepButton } from '../../ui/States.js';
import * as toolbarStyles from '../../ui/Toolbar.module.css';
import { OrderGoods } from '../checkout/order.js';
import { lagosTime } from '../history/times.js';
import {
  countPieces,
  formatPieces,
  isStatus,
  saleBadges,
  sellerAmount,
  statuses,
  useInstruction,
} from './labels.js';
import * as styles from './OrdersPage.module.css';
import { fetchAllOrders, type OrderFilter, ordersQuery } from './queries.js';

/** The filter, kept in the address. */
function useOrderFilter() {
  const [params, go] = useQueryParams();
  const status = params.get('status') ?? '';
  const filter: OrderFilter = {
    find: params.get('find') ?? '',
    status: isStatus(status) ? status : undefined,
  };
  const setFilter = (name: 'find' | 'status', value: string) =>
    go((now) => withParam(now, name, value), { replace: true, preventScrollReset: true });
  return { filter, setFilter, clearFilter: () => go({}, { replace: true }) };
}

/** The seller's orders: what to hand over, and the state of the money. */
export default function OrdersPage() {
  const { filter, setFilter, clearFilter } = useOrderFilter();
  const orders = useInfiniteQuery(ordersQuery(filter));
  const [newest] = orders.data?.pages ?? [];
  return (
    <Screen title="Orders">
      <div className={layout.sectionHead}>
        <div>
          <h1>Orders</h1>
          <p className={layout.muted} role="status">
            {newest === undefined
              ? !orders.isError && 'One moment'
              : handOverText(newest.to_hand_over)}
          </p>
        </div>
        <ButtonLink look="line" size="s" to={pagePaths.sales}>
          <Icon of={Banknote} size="s" />
          Sales and payouts
        </ButtonLink>
      </div>
      <OrderTools
        filter={filter}
        onFilter={setFilter}
        counts={newest?.counts}
        total={newest?.total ?? 0}
      />
      {orders.data === undefined && !orders.isError && <OrdersSkeleton />}
      {orders.data === undefined && orders.isError && (
        <LoadFailed onRetry={() => void orders.refetch()} />
      )}
      {newest?.total === 0 && <NoOrders filter={filter} onAll={() => void clearFilter()} />}
      {orders.data !== undefined && newest?.total !== 0 && (
        <>
          <ul
            className={styles.orders}
            aria-label="Orders"
            aria-busy={orders.isPlaceholderData || undefined}
          >
            {orders.data.pages
              .flatMap(({ result }) => result)
              .map((sale) => (
                <OrderCard key={sale.transaction_id} sale={sale} />
              ))}
          </ul>
          <NextPageButton list={orders}>Older orders</NextPageButton>
        </>
      )}
    </Screen>
  );
}

function handOverText(held: number): string {
  if (held === 0) return 'Nothing to hand over now';
  return `${held.toLocaleString('en-NG')} to hand over`;
}

const SEARCH_LABEL = 'Find an order or product';

interface OrderToolsProps {
  readonly filter: OrderFilter;
  readonly onFilter: (name: 'find' | 'status', value: string) => Promise<void>;
  /** Unknown until the first answer, and when what is looked for could not be read. */
  readonly counts: Answer<'userOrders'>['counts'] | undefined;
  readonly total: number;
}

function OrderTools({ filter, onFilter, counts, total }: OrderToolsProps) {
  const countOf = (status: Sale['status']) => counts && (counts[status] ?? 0);
  const all = counts && statuses.reduce((sum, status) => sum + (counts[status] ?? 0), 0);
  return (
    <div className={`${toolbarStyles.toolbar} ${styles.tools}`}>
      <div className={toolbarStyles.search}>
        <SearchInput
          label={SEARCH_LABEL}
          placeholder={SEARCH_LABEL}
          value={filter.find}
          onChange={(find) => void onFilter('find', find)}
          onClear={() => void onFilter('find', '')}
        />
      </div>
      <div className={layout.row}>
        <select
          className={fieldStyles.control}
          aria-label="Which orders"
          value={filter.status ?? ''}
          onChange={(event) => void onFilter('status', event.target.value)}
        >
          <option value="">All {all}</option>
          {statuses.map((status) => (
            <option key={status} value={status}>
              {saleBadges[status].label} {countOf(status)}
            </option>
          ))}
        </select>
        {total > 0 && (
          <CsvButton
            file="orders.csv"
            head={csvHead}
            read={async () => toCsvRows(await fetchAllOrders(filter))}
          />
        )}
      </div>
    </div>
  );
}

const csvHead = ['Order', 'Paid at (Lagos time)', 'State', 'Product', 'Quantity', 'You get'];

/** One row per product. What the seller gets stands only in the first row of each order, so that the column adds up. */
export function toCsvRows(sales: readonly Sale[]): (string | number)[][] {
  return sales.flatMap((sale) =>
    sale.items.map(({ prod_name, quantity }, place) => [
      orderText(sale.number),
      lagosTime(sale.paid_at),
      saleBadges[sale.status].label,
      prod_name,
      quantity,
      place === 0 ? sellerAmount(sale) : '',
    ]),
  );
}

function OrdersSkeleton() {
  return (
    <div className={layout.stack} aria-busy="true">
      {[1, 2, 3].map((place) => (
        <Skeleton key={place} height={184} />
      ))}
    </div>
  );
}

function NoOrders({ filter, onAll }: { readonly filter: OrderFilter; readonly onAll: () => void }) {
  if (filter.find === '' && filter.status === undefined)
    return (
      <EmptyState
        motif="drum"
        icon={PackageOpen}
        title="No orders yet"
        line="Orders appear here as soon as they are paid."
        action={
          <ButtonLink look="line" to={pagePaths.dashboard}>
            All Products
          </ButtonLink>
        }
      />
    );
  return (
    <EmptyState
      motif="water"
      icon={SearchX}
      paper
      title="No order matches"
      action={<StepButton onPress={onAll}>Show all</StepButton>}
    />
  );
}

/** One order: its number, goods, the seller's share, and what to do now. */
function OrderCard({ sale }: { readonly sale: Sale }) {
  const instruction = useInstruction(sale);
  return (
    <li className={`${panelStyles.panel} ${styles.order}`}>
      <div className={`${layout.row} ${layout.wrap}`}>
        <h2 className={styles.number}>
          <Link to={pagePath('order', { transactionId: sale.transaction_id })}>
            <span className={layout.visuallyHidden}>Order </span>
            {sale.number}
          </Link>
        </h2>
        <StatusBadge of={saleBadges[sale.status]} />
        <time className={`${layout.small} ${layout.muted} ${styles.when}`} dateTime={sale.paid_at}>
          {lagosTime(sale.paid_at)} Lagos time
        </time>
      </div>
      <OrderGoods goods={sale.items} />
      <div className={`${layout.row} ${layout.spaceBetween} ${styles.foot}`}>
        <p className={layout.small}>{instruction}</p>
        <p className={styles.share}>
          <span className={`${layout.small} ${layout.muted}`}>
            You get, for {formatPieces(countPieces(sale))}
          </span>
          <b>
            <Naira amount={sellerAmount(sale)} />
          </b>
        </p>
        <Icon of={ChevronRight} />
      </div>
    </li>
  );
}
