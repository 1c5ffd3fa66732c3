import { limits } from '@oja/domain/rules';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, MapPinOff } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useNavigationType, useSearchParams } from 'react-router-dom';
import type { Product } from '../../api/types.js';
import { Button } from '../../ui/Button.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { countOf } from '../../ui/Price.js';
import { EmptyState, LoadFailed } from '../../ui/States.js';
import { GoodsGrid, MoreGoods, uniqueProducts } from '../goods/GoodsList.js';
import { PlacePicker } from '../goods/PlacePicker.js';
import * as styles from './HomePage.module.css';
import { regionQuery, trendingQuery } from './queries.js';

/** Cards before 'view more': twelve, of which ten are shown where twelve do not fill the last row. */
const COLLAPSED = 12;
const FEWEST_SHOWN = 10;

/** The goods of a region. The place is in the address, so Back restores it. */
export function Goods() {
  const [params, setParams] = useSearchParams();
  const place = params.get('localGovt') ?? undefined;
  const choose = (localGovt: string | undefined) =>
    setParams(localGovt === undefined ? {} : { localGovt }, { preventScrollReset: true });
  const { data } = useInfiniteQuery(regionQuery(place));
  const total = data?.pages[0]?.total;

  return (
    <section className={`${layout.page} ${layout.section} ${styles.goods}`} aria-label="Products">
      <div className={layout.sectionHead}>
        <PlacePicker chosen={place} onChoose={choose} />
        <p className={`${layout.muted} ${layout.figures} ${layout.onlyWide}`} role="status">
          {total !== undefined && countOf(total, 'product')}
        </p>
      </div>
      <RegionList place={place} onAll={() => choose(undefined)} />
    </section>
  );
}

function RegionList({
  place,
  onAll,
}: {
  readonly place: string | undefined;
  readonly onAll: () => void;
}) {
  const [expanded, setExpanded] = useVisitState('view-more', false);
  const goods = useInfiniteQuery(regionQuery(place));
  // The order of the goods depends on the carousel's. The list waits for both, so that no card moves later.
  const passing = useQuery(trendingQuery);
  if (goods.data === undefined || passing.isLoading) {
    if (!goods.isError) return <GoodsGrid products={[]} five rows coming={COLLAPSED} />;
    return <LoadFailed onRetry={() => void goods.refetch()} />;
  }
  const products = behind(uniqueProducts(goods.data.pages), passing.data?.result ?? []);
  if (products.length === 0) {
    return (
      <EmptyState
        motif="water"
        icon={MapPinOff}
        paper
        title="Products are currently not in this region!!"
        line="Try a neighbouring local government."
        action={
          <Button look="line" onClick={onAll}>
            All States/Local Govt
          </Button>
        }
      />
    );
  }
  const shown = expanded ? products : products.slice(0, COLLAPSED);
  return (
    <>
      <GoodsGrid
        products={shown}
        five
        first
        rows={!expanded}
        coming={goods.isFetchingNextPage ? 5 : 0}
      />
      {expanded && <MoreGoods goods={goods} />}
      {products.length > FEWEST_SHOWN && (
        <p className={`${layout.centered} ${layout.moreBelow}`}>
          <Button look="line" aria-expanded={expanded} onClick={() => setExpanded(!expanded)}>
            {expanded ? 'view less' : 'view more'}
            <Icon of={expanded ? ChevronUp : ChevronDown} size="s" />
          </Button>
        </p>
      )}
    </>
  );
}

/** On the first page, goods that the carousel shows already come last. */
function behind(products: readonly Product[], passing: readonly Product[]): readonly Product[] {
  const passes = ({ product_id: id }: Product) =>
    Number(passing.some(({ product_id }) => product_id === id));
  const page = products.slice(0, limits.page.size);
  page.sort((one, other) => passes(one) - passes(other));
  return [...page, ...products.slice(limits.page.size)];
}

/**
 * State of one visit to a page, restored by Back. It is cached beside the loaded lists, and dropped
 * with them.
 * @param name tells it from other states of the same visit
 */
function useVisitState<T>(name: string, initial: T): [T, (next: T) => void] {
  const { key } = useLocation();
  const how = useNavigationType();
  const cache = useQueryClient();
  const [value, setValue] = useState<T>(
    () => (how === 'POP' ? cache.getQueryData<T>([name, key]) : undefined) ?? initial,
  );
  const change = (next: T) => {
    setValue(next);
    cache.setQueryData([name, key], next);
  };
  return [value, change];
}
