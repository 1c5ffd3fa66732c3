import { type ReactNode, useState } from 'react';
import { useMedia } from '../../ui/use-media.js';
import { FilterDrawer, FilterDrawerButton } from './FilterDrawer.js';
import { FilterGroups } from './FilterGroups.js';
import { type GoodsFilters, setFilters } from './filters.js';
import type { ShelfWay } from './ShelfLinks.js';

interface FilterPlaceProps {
  readonly filters: GoodsFilters;
  readonly onFilters: (next: GoodsFilters) => void;
  /** The first of the filters. */
  readonly shelves: (way: ShelfWay) => ReactNode;
}

/** From here on the filters stand beside the list. A rendered page keeps their place until it is known which it is. */
const useBeside = () => useMedia('(min-width: 768px)', 'unknown');

export function FiltersBeside({ filters, onFilters, shelves }: FilterPlaceProps) {
  const beside = useBeside();
  if (beside === 'unknown') return <div className="filters only-l" />;
  if (!beside) return null;
  return (
    <aside className="filters" aria-label="Filters">
      <FilterGroups filters={filters} onFilters={onFilters}>
        {shelves({ replace: false })}
      </FilterGroups>
    </aside>
  );
}

interface FiltersInDrawerProps extends Omit<FilterPlaceProps, 'onFilters'> {
  readonly onFilters: (next: GoodsFilters, how: { readonly replace: boolean }) => void;
  /** How many goods the filters find; undefined while that is being asked. */
  readonly total: number | undefined;
  /** The filters as they are on arrival. */
  readonly untouched: GoodsFilters;
}

/** One visit to the drawer is one step of the history: what is chosen first takes it, the rest stays there. */
export function FiltersInDrawer({
  filters,
  untouched,
  onFilters,
  shelves,
  total,
}: FiltersInDrawerProps) {
  const beside = useBeside();
  const set = setFilters(filters).length;
  const [stepped, setStepped] = useState(false);
  const choose = (next: GoodsFilters) => {
    onFilters(next, { replace: stepped });
    setStepped(true);
  };
  if (beside === 'unknown') return <FilterDrawerButton className="only-s" set={set} />;
  if (beside) return null;
  return (
    <FilterDrawer
      set={set}
      total={total}
      onOpen={() => setStepped(false)}
      onClear={() => choose({ ...untouched, sort: filters.sort })}
    >
      <FilterGroups filters={filters} onFilters={choose}>
        {shelves({ replace: stepped, onGo: () => setStepped(true) })}
      </FilterGroups>
    </FilterDrawer>
  );
}
