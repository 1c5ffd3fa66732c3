import { useQuery } from '@tanstack/react-query';
import { Download, UserSearch } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Profile } from '../../api/types.js';
import { useQueryParams } from '../../app/address.js';
import { SearchInput } from '../../app/header/SearchInput.js';
import { Screen } from '../../app/Screen.js';
import { Button } from '../../ui/Button.js';
import { phoneText, saveCsv } from '../../ui/CsvButton.js';
import { useFocusHeadingOnUnmount } from '../../ui/focus.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { Skeleton } from '../../ui/Skeleton.js';
import { EmptyState, LoadFailed } from '../../ui/States.js';
import * as toolbarStyles from '../../ui/Toolbar.module.css';
import { filterSellers, findUsers, suggestNames, usersQuery, withoutErased } from './api.js';
import { orRemoved } from './labels.js';
import * as styles from './SellersPage.module.css';
import { describeState, UserList, UserSkeletons, ViewSwitch } from './UserCards.js';

/** The table is the heavier view, so it is loaded only when opened. */
const Buyers = lazy(() => import('./Buyers.js'));

/** Sellers, or with `?view=buyers` the buyers' transactions. */
export default function SellersPage() {
  const [params] = useSearchParams();
  if (params.get('view') !== 'buyers') return <SellersView />;
  return (
    <Suspense fallback={<BuyersSkeleton />}>
      <Buyers />
    </Suspense>
  );
}

function BuyersSkeleton() {
  return (
    <Screen title="Buyers">
      <h1 className={layout.visuallyHidden}>Buyers</h1>
      <Skeleton height={480} />
    </Screen>
  );
}

const FILTER = 'filter by BusinessName/ID...';
/** The largest number of names suggested when none matches exactly. */
const MAX_SUGGESTED_NAMES = 5;

/** All sellers, with a filter by exact business name or ID. */
function SellersView() {
  const { data, isError, refetch } = useQuery(usersQuery);
  const [params, go] = useQueryParams();
  const sellers = data && filterSellers(data);
  const find = params.get('find') ?? '';
  const search = (text: string) =>
    go(text === '' ? {} : { find: text }, { replace: true, preventScrollReset: true });
  return (
    <Screen title="Sellers">
      <div className={layout.sectionHead}>
        <h1>
          Total Sellers{' '}
          <span className={`${layout.figures} ${layout.muted} ${styles.total}`}>
            {sellers ? withoutErased(sellers).length.toLocaleString('en-NG') : !isError && '…'}
          </span>
        </h1>
        <ViewSwitch of="sellers" second={false} />
      </div>
      <div className={toolbarStyles.toolbar}>
        <div className={toolbarStyles.search}>
          <SearchInput
            label={FILTER}
            placeholder={FILTER}
            value={find}
            onChange={search}
            onClear={() => void search('')}
          />
        </div>
        <Button
          look="line"
          disabled={!sellers}
          onClick={() => sellers && saveSellers(findUsers(sellers, find))}
        >
          <Icon of={Download} size="s" />
          CSV
        </Button>
      </div>
      {sellers && <SellerResults sellers={sellers} find={find} onSearch={search} />}
      {!sellers && !isError && <UserSkeletons />}
      {!sellers && isError && (
        <LoadFailed title="Error getting all Users" onRetry={() => void refetch()} />
      )}
    </Screen>
  );
}

const csvHead = ['ID', 'Name', 'Business name', 'Phone number', 'Role', 'State'];

/** Rows of the CSV file, one per seller. */
export const sellerRows = (sellers: readonly Profile[]): string[][] =>
  sellers.map((user) => [
    user.user_id,
    orRemoved(user.name),
    user.businessName,
    phoneText(orRemoved(user.phone_1)),
    user.is_subAdmin === 1 ? 'Sub-admin' : 'Seller',
    describeState(user),
  ]);

const saveSellers = (sellers: readonly Profile[]) =>
  saveCsv('sellers.csv', csvHead, sellerRows(sellers));

interface SellerResultsProps {
  readonly sellers: readonly Profile[];
  readonly find: string;
  readonly onSearch: (text: string) => Promise<void>;
}

function SellerResults({ sellers, find, onSearch }: SellerResultsProps) {
  const found = findUsers(sellers, find);
  if (found.length > 0) return <UserList users={found} canMakeAdmin />;
  return <NoSellerFound sellers={sellers} find={find} onSearch={onSearch} />;
}

/** Offers names alike and all sellers. Whatever is chosen takes the offer away. */
function NoSellerFound({ sellers, find, onSearch }: SellerResultsProps) {
  useFocusHeadingOnUnmount();
  return (
    <EmptyState
      motif="comb"
      icon={UserSearch}
      paper
      title="No seller has this business name or ID"
      line="Type the whole name or the whole ID."
      action={
        <div className={`${layout.row} ${layout.wrap} ${styles.alike}`}>
          {suggestNames(sellers, find, MAX_SUGGESTED_NAMES).map((name) => (
            <Button key={name} look="tint" size="s" onClick={() => void onSearch(name)}>
              {name}
            </Button>
          ))}
          <Button look="line" size="s" onClick={() => void onSearch('')}>
            Show all
          </Button>
        </div>
      }
    />
  );
}
