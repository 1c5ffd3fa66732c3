import type { ReactNode } from 'react';
import { useMedia } from '../../ui/use-media.js';
import { FilterDrawer, FilterDrawerButton } from './FilterDrawer.js';
import { FilterGroups } from './FilterGroups.js';
import { type GoodsFilters, setFilters } from './filters.js';

interface FilterPlaceProps {
  readonly filters: GoodsFilters;
  readonly onFilters: (next: GoodsFilters) => void;
  /** The first of the filters. */
  readonly shelves: (how: { readonly replace: boolean }) => ReactNode;
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

interface FiltersInDrawerProps extends FilterPlaceProps {
  /** How many goods the filters find; undefined while that is being asked. */
  readonly total: number | undefined;
  readonly onClear: () => void;
}

export function FiltersInDrawer({ filters, onFilters, shelves, ...rest }: FiltersInDrawerProps) {
  const beside = useBeside();
  const set = setFilters(filters).length;
  if (beside === 'unknown') return <FilterDrawerButton className="only-s" set={set} />;
  if (beside) return null;
  return (
    <FilterDrawer set={set} {...rest}>
      <FilterGroups filters={filters} onFilters={onFilters}>
        {shelves({ replace: true })}
      </FilterGroups>
    </FilterDrawer>
  );
}
