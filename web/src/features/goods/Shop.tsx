import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { focusHeading } from '../../ui/focus.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { useOptimisticValue } from '../../ui/use-value.js';
import { FilterDrawer, FilterSidebar, type ShelfNavigation } from './FilterPanel.js';
import { activeFilters, type GoodsFilters } from './filters.js';
import { GoodsList, type GoodsQueryResult } from './GoodsList.js';
import * as styles from './Shop.module.css';
import { SortSelect } from './SortSelect.js';

interface FilteredGoodsProps {
  /** The page's heading; left out where the page has one above. */
  readonly heading?: ReactNode;
  readonly filters: GoodsFilters;
  /** The default filters of the page, for Clear. */
  readonly defaults: GoodsFilters;
  /** Writes the filters to the address; resolves when the navigation is done. */
  readonly onFilters: (
    next: GoodsFilters,
    how: { readonly replace: boolean },
  ) => Promise<void> | void;
  /** Links to categories or subcategories, the first of the filters. */
  readonly renderShelves: (navigation: ShelfNavigation) => ReactNode;
  readonly goods: GoodsQueryResult;
  readonly empty: ReactNode;
  /** Shown above the list (other meanings of the search) and below it (other goods found). */
  readonly above?: ReactNode;
  readonly below?: ReactNode;
}

/** Goods with filters: beside the list on wide screens, in a drawer on phones. */
export function FilteredGoods(props: FilteredGoodsProps) {
  const { heading, defaults, renderShelves, goods, empty, above, below } = props;
  const [filters, onFilters] = useOptimisticValue(props.filters, props.onFilters);
  const total = goods.data?.pages[0]?.total;
  const choose = (next: GoodsFilters) => onFilters(next, { replace: false });
  return (
    <div className={styles.shop}>
      <FilterSidebar filters={filters} onFilters={choose} renderShelves={renderShelves} />
      <div className={layout.grow} aria-busy={goods.isPlaceholderData || undefined}>
        <div className={styles.head}>
          <div>
            {heading}
            <FoundCount total={total} />
          </div>
          <div className={layout.row}>
            <FilterDrawer
              filters={filters}
              defaults={defaults}
              onFilters={onFilters}
              renderShelves={renderShelves}
              total={goods.isPlaceholderData ? undefined : total}
            />
            <SortSelect value={filters.sort} onChange={(sort) => choose({ ...filters, sort })} />
          </div>
        </div>
        {above}
        <FilterChips filters={filters} onFilters={choose} />
        <h2 className={layout.visuallyHidden}>Products</h2>
        <GoodsList goods={goods} empty={empty} />
        {below}
      </div>
    </div>
  );
}

/** How many goods were found, announced when it changes. The line takes its space before the number is known. */
function FoundCount({ total }: { readonly total: number | undefined }) {
  return (
    <p className={`${layout.muted} ${styles.found}`} role="status">
      {total !== undefined && (
        <>
          <b className={layout.figures}>{total.toLocaleString('en-NG')}</b>{' '}
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

/** The filters that are set. A press removes one. */
function FilterChips({ filters, onFilters }: FilterChipsProps) {
  const chips = activeFilters(filters);
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Filters that are set">
      {chips.map(({ label, without }) => (
        <li key={label}>
          <button
            type="button"
            className={`${styles.chip} ${styles.chosen} ${layout.figures}`}
            onClick={() => {
              onFilters(without);
              focusHeading();
            }}
          >
            {label}
            <span className={layout.visuallyHidden}>, remove</span>
            <Icon of={X} size="xs" />
          </button>
        </li>
      ))}
    </ul>
  );
}
