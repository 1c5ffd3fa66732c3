import type { ReactNode } from 'react';
import '../../styles/parts/search.css';
import { useOptimisticValue } from '../../ui/use-value.js';
import { FiltersBeside, FiltersInDrawer, type ShelfWay } from './FilterPanel.js';
import { type GoodsFilters, setFilters } from './filters.js';
import { type GoodsAnswer, GoodsList } from './GoodsList.js';
import { SortSelect } from './SortSelect.js';
import './shop.css';
import { X } from 'lucide-react';
import { focusHeading } from '../../app/Screen.js';
import { Icon } from '../../ui/Icon.js';

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
  const [filters, onFilters] = useOptimisticValue(props.filters, props.onFilters);
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

/** How many were found, read out when it changes. Its line stands before the figure is known. */
function Found({ total }: { readonly total: number | undefined }) {
  return (
    <p className="muted found" role="status">
      {total !== undefined && (
        <>
          <b className="num">{total.toLocaleString('en-NG')}</b>{' '}
          {total === 1 ? 'product found' : 'products found'}
        </>
      )}
    </p>
  );
}

interface FilterChipsProps {
  readonly filters: GoodsFilters;
  readonly onFilters: (next: GoodsFilters) => void;
}

/** What is set, each removable. */
function FilterChips({ filters, onFilters }: FilterChipsProps) {
  const chips = setFilters(filters);
  if (chips.length === 0) return null;
  return (
    <ul className="chips" aria-label="Filters that are set">
      {chips.map(({ label, without }) => (
        <li key={label}>
          <button
            type="button"
            className="chip on num"
            onClick={() => {
              onFilters(without);
              focusHeading();
            }}
          >
            {label}
            <span className="vh">, remove</span>
            <Icon of={X} size="xs" />
          </button>
        </li>
      ))}
    </ul>
  );
}
