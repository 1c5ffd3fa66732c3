import type { ReactNode } from 'react';
import '../../styles/parts/search.css';
import { useAhead } from '../../ui/use-ahead.js';
import { FilterChips } from './FilterChips.js';
import { FiltersBeside, FiltersInDrawer } from './FilterPlaces.js';
import { Found } from './Found.js';
import type { GoodsFilters } from './filters.js';
import { GoodsList } from './GoodsList.js';
import type { GoodsAnswer } from './goods-answer.js';
import type { ShelfWay } from './ShelfLinks.js';
import { SortSelect } from './SortSelect.js';
import './shop.css';

interface ShopProps {
  /** The page's heading; left out where the page has one above. */
  readonly heading?: ReactNode;
  readonly filters: GoodsFilters;
  /** The filters as they are on arrival, for Clear. */
  readonly untouched: GoodsFilters;
  /** Brings the filters into the address; resolves once they stand there. */
  readonly onFilters: (
    next: GoodsFilters,
    how: { readonly replace: boolean },
  ) => Promise<void> | void;
  /** The first of the filters. */
  readonly shelves: (way: ShelfWay) => ReactNode;
  readonly goods: GoodsAnswer;
  readonly empty: ReactNode;
}

/** Goods with filters: beside them on wide screens, in a drawer on phones. */
export function Shop(props: ShopProps) {
  const { heading, untouched, shelves, goods, empty } = props;
  const [filters, onFilters] = useAhead(props.filters, props.onFilters);
  const total = goods.data?.pages[0]?.total;
  const choose = (next: GoodsFilters) => onFilters(next, { replace: false });
  return (
    <div className="shop">
      <FiltersBeside filters={filters} onFilters={choose} shelves={shelves} />
      <div className="grow" aria-busy={goods.isPlaceholderData || undefined}>
        <div className="shophd">
          <div>
            {heading}
            <Found total={total} />
          </div>
          <div className="row">
            <FiltersInDrawer
              filters={filters}
              untouched={untouched}
              onFilters={onFilters}
              shelves={shelves}
              total={goods.isPlaceholderData ? undefined : total}
            />
            <SortSelect value={filters.sort} onChange={(sort) => choose({ ...filters, sort })} />
          </div>
        </div>
        <FilterChips filters={filters} onFilters={choose} />
        <h2 className="vh">Products</h2>
        <GoodsList goods={goods} empty={empty} />
      </div>
    </div>
  );
}
