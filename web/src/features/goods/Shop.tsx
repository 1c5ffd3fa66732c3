import type { ReactNode } from 'react';
import '../../styles/parts/search.css';
import { useMedia } from '../../ui/use-media.js';
import { FilterChips } from './FilterChips.js';
import { FilterDrawer, FilterDrawerButton } from './FilterDrawer.js';
import { FilterGroups } from './FilterGroups.js';
import { Found } from './Found.js';
import { type GoodsFilters, setFilters } from './filters.js';
import { GoodsList } from './GoodsList.js';
import type { GoodsAnswer } from './goods-answer.js';
import { SortSelect } from './SortSelect.js';
import './shop.css';

/** From here on the filters stand beside the list. */
const BESIDE = '(min-width: 768px)';

interface ShopProps {
  /** The page's heading; left out where the page has one above. */
  readonly heading?: ReactNode;
  readonly filters: GoodsFilters;
  /** The filters as they are on arrival, for Clear. */
  readonly untouched: GoodsFilters;
  readonly onFilters: (next: GoodsFilters, how: { readonly replace: boolean }) => void;
  /** The first of the filters. */
  readonly shelves: (how: { readonly replace: boolean }) => ReactNode;
  readonly goods: GoodsAnswer;
  readonly empty: ReactNode;
}

/** Goods with filters: beside them on wide screens, in a drawer on phones. */
export function Shop(props: ShopProps) {
  const { heading, filters, untouched, onFilters, shelves, goods, empty } = props;
  const beside = useMedia(BESIDE, 'unknown');
  const set = setFilters(filters).length;
  const total = goods.data?.pages[0]?.total;
  const choose = (next: GoodsFilters) => onFilters(next, { replace: false });
  /** All that is chosen in one visit to the drawer is left by one step back. */
  const chooseInDrawer = (next: GoodsFilters) => onFilters(next, { replace: true });
  return (
    <div className="shop">
      {beside === 'unknown' && <div className="filters only-l" />}
      {beside === true && (
        <aside className="filters" aria-label="Filters">
          <FilterGroups filters={filters} onFilters={choose}>
            {shelves({ replace: false })}
          </FilterGroups>
        </aside>
      )}
      <div className="grow" aria-busy={goods.isPlaceholderData || undefined}>
        <div className="shophd">
          <div>
            {heading}
            <Found total={total} />
          </div>
          <div className="row">
            {beside === 'unknown' && <FilterDrawerButton className="only-s" set={set} />}
            {beside === false && (
              <FilterDrawer
                set={set}
                total={goods.isPlaceholderData ? undefined : total}
                onClear={() => chooseInDrawer({ ...untouched, sort: filters.sort })}
              >
                <FilterGroups filters={filters} onFilters={chooseInDrawer}>
                  {shelves({ replace: true })}
                </FilterGroups>
              </FilterDrawer>
            )}
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
