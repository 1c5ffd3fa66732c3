import { pagePaths } from '@oja/contracts/pages';
import { queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { SearchX, Store as StoreIcon } from 'lucide-react';
import { useEffect } from 'react';
import { useNavigate, useOutletContext, useParams } from 'react-router-dom';
import { call } from '../../api/client.js';
import { isNotFound } from '../../api/failures.js';
import { productListQuery } from '../../api/products.js';
import type { Store } from '../../api/types.js';
import { useQueryParams, withParam } from '../../app/address.js';
import type { PrefetchPage } from '../../app/rendered/hydration.js';
import { Screen } from '../../app/Screen.js';
import { ButtonLink } from '../../ui/Button.js';
import * as layout from '../../ui/layout.module.css';
import * as panelStyles from '../../ui/Panel.module.css';
import { formatCount } from '../../ui/Price.js';
import * as productCardStyles from '../../ui/ProductCard.module.css';
import { CardSkeletons, Skeleton } from '../../ui/Skeleton.js';
import * as skeletonStyles from '../../ui/Skeleton.module.css';
import { EmptyState, LoadFailed, StepButton } from '../../ui/States.js';
import { useDebouncedValue, useOptimisticValue } from '../../ui/use-value.js';
import {
  CLEAR_WORDS_STATE,
  defaultCategoryFilters,
  initialWords,
  parseFilters,
  type SortOrder,
  useAppliedWords,
} from '../goods/filters.js';
import { GoodsList } from '../goods/GoodsList.js';
import { SortSelect } from '../goods/SortSelect.js';
import { type SetSeller, StoreCard } from './StoreFrame.js';
import * as storeFrameStyles from './StoreFrame.module.css';
import * as styles from './StorePage.module.css';

/** A store's products, narrowed by the words of its search. */
const storeGoodsQuery = (store: Store, sort: SortOrder, words: string) =>
  productListQuery({ seller: store.businessName, sort, ...(words !== '' && { query: words }) });

/** @public read when the server renders the page */
export const prefetch: PrefetchPage = async (client, { params, search }) => {
  const store = await client.fetchQuery(storeQuery(params.name ?? ''));
  const { sort } = parseFilters(search, defaultCategoryFilters);
  const words = initialWords(search.get('query') ?? '');
  await client.fetchInfiniteQuery(storeGoodsQuery(store, sort, words));
  return true;
};

/** A seller's public profile, by business name or slug. */
function storeQuery(name: string) {
  return queryOptions({
    queryKey: ['stores', name],
    queryFn: async ({ signal }) => {
      return (await call('getStore', { params: { name }, signal })).store;
    },
  });
}

/** All products of one seller. Spaces in the business name are hyphens in the address. */
export default function StorePage() {
  const { name = '' } = useParams();
  const { data, error, isPending, refetch } = useQuery(storeQuery(name));
  if (isNotFound(error)) return <NoSuchStore />;
  if (data !== undefined) return <StoreView key={data.user_id} store={data} />;
  if (isPending) return <StoreSkeleton />;
  return (
    <Screen title="Store" className={layout.page}>
      <h1 className={layout.visuallyHidden}>Store</h1>
      <LoadFailed onRetry={() => void refetch()} />
    </Screen>
  );
}

function NoSuchStore() {
  return (
    <Screen title="No such store" className={layout.page}>
      <EmptyState
        motif="steps"
        icon={StoreIcon}
        headingLevel="h1"
        title="There is no store of this name"
        line="It may have a new name, or the link is not complete."
        action={<ButtonLink to={pagePaths.home}>Go to the market</ButtonLink>}
      />
    </Screen>
  );
}

function StoreSkeleton() {
  return (
    <Screen title="Store" className={`${layout.page} ${styles.page}`}>
      <h1 className={layout.visuallyHidden}>Store</h1>
      <div className={`${storeFrameStyles.card} ${panelStyles.panel}`} aria-busy="true">
        <span className={`${skeletonStyles.skeleton} ${styles.comingFace}`} aria-hidden="true" />
        <div className={`${layout.grow} ${layout.stack}`}>
          <Skeleton width={90} height={16} />
          <Skeleton width="60%" height={28} />
          <Skeleton className={styles.comingFacts} width="80%" />
        </div>
        <Skeleton height={46} />
      </div>
      <div className={layout.section}>
        <div className={layout.sectionHead}>
          <Skeleton width={140} height={24} />
        </div>
        <div className={`${productCardStyles.grid} ${productCardStyles.fiveAcross}`}>
          <CardSkeletons count={10} />
        </div>
      </div>
    </Screen>
  );
}

const monthAndYear = new Intl.DateTimeFormat('en-NG', {
  month: 'long',
  year: 'numeric',
  timeZone: 'Africa/Lagos',
});

/** The welcome banner and the products of one seller, whose name is left out on the cards. */
function StoreView({ store }: { readonly store: Store }) {
  const navigate = useNavigate();
  const setSeller = useOutletContext<SetSeller>();
  useEffect(() => setSeller(store.user_id), [setSeller, store.user_id]);
  const [params, go] = useQueryParams();
  const query = params.get('query') ?? '';
  const { sort } = parseFilters(params, defaultCategoryFilters);
  const words = useDebouncedValue(useAppliedWords(query));
  const goods = useInfiniteQuery(storeGoodsQuery(store, sort, words));
  const total = goods.data?.pages[0]?.total ?? store.total;

  const setParam = (name: 'query' | 'sort', value: string, state?: typeof CLEAR_WORDS_STATE) =>
    go((now) => withParam(now, name, value), { replace: true, preventScrollReset: true, state });
  const [chosen, choose] = useOptimisticValue(sort, (next: SortOrder) =>
    setParam('sort', next === defaultCategoryFilters.sort ? '' : next),
  );
  const { local_govt, state } = store;
  return (
    <Screen title={store.businessName} className={`${layout.page} ${styles.page}`}>
      <StoreCard
        sellerId={store.user_id}
        businessName={store.businessName}
        {...(local_govt !== undefined &&
          state !== undefined && { place: `${local_govt}, ${state}` })}
        since={monthAndYear.format(new Date(store.since))}
        ordersConfirmed={store.orders_confirmed}
        search={query}
        onSearch={(text) => setParam('query', text)}
        onClear={() => void navigate(pagePaths.home)}
      />
      <section className={layout.section} aria-labelledby="goods">
        <div className={layout.sectionHead}>
          <h2 id="goods" className={layout.figures}>
            <span role="status">{formatCount(total, 'product')}</span>
          </h2>
          <SortSelect value={chosen} onChange={choose} />
        </div>
        <GoodsList
          five
          hideSeller
          goods={goods}
          empty={
            words === '' ? (
              <NothingForSale name={store.businessName} />
            ) : (
              <NothingFound
                words={words}
                onAll={() => void setParam('query', '', CLEAR_WORDS_STATE)}
              />
            )
          }
        />
      </section>
    </Screen>
  );
}

function NothingForSale({ name }: { readonly name: string }) {
  return (
    <EmptyState
      motif="seeds"
      icon={StoreIcon}
      paper
      title={`${name} has nothing for sale just now`}
      line="Look at the rest of the market meanwhile."
      action={
        <ButtonLink look="line" to={pagePaths.home}>
          Go to the market
        </ButtonLink>
      }
    />
  );
}

function NothingFound({ words, onAll }: { readonly words: string; readonly onAll: () => void }) {
  return (
    <EmptyState
      motif="water"
      icon={SearchX}
      paper
      title={`Nothing in this store is called “${words}”`}
      line="Every word must be in the name."
      action={<StepButton onPress={onAll}>Show all of this store</StepButton>}
    />
  );
}
