import { HIGHEST_PRICE, priceSlider } from '@oja/domain/rules';
import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useDeferredValue, useId, useState } from 'react';
import * as badgeStyles from '../../ui/Badge.module.css';
import { Button } from '../../ui/Button.js';
import { Radio } from '../../ui/Checkbox.js';
import { Dialog } from '../../ui/Dialog.js';
import { Icon } from '../../ui/Icon.js';
import * as layout from '../../ui/layout.module.css';
import { formatCount } from '../../ui/Price.js';
import { RangeSlider } from '../../ui/RangeSlider.js';
import { useMedia } from '../../ui/use-browser.js';
import * as styles from './FilterPanel.module.css';
import { activeFilters, type GoodsFilters } from './filters.js';
import { PlaceList } from './PlaceDialog.js';
import { SearchLink } from './SearchLink.js';

interface FilterSidebarProps {
  readonly filters: GoodsFilters;
  readonly onFilters: (next: GoodsFilters) => void;
  /** Links to categories or subcategories, the first of the filters. */
  readonly renderShelves: (navigation: ShelfNavigation) => ReactNode;
}

/**
 * From 768 px on, filters are beside the list, and below that in a drawer. A rendered page keeps space for both until the
 * width is known.
 */
const BESIDE = '(min-width: 768px)';

export function FilterSidebar({ filters, onFilters, renderShelves }: FilterSidebarProps) {
  const isBeside = useMedia(BESIDE);
  if (isBeside === undefined) return <div className={`${styles.panel} ${layout.onlyWide}`} />;
  if (!isBeside) return null;
  return (
    <aside className={styles.panel} aria-label="Filters">
      <FilterGroups filters={filters} onFilters={onFilters}>
        {renderShelves({ replace: false })}
      </FilterGroups>
    </aside>
  );
}

interface FilterDrawerProps extends Omit<FilterSidebarProps, 'onFilters'> {
  readonly onFilters: (next: GoodsFilters, how: { readonly replace: boolean }) => void;
  /** How many goods match the filters; undefined while that is loading. */
  readonly total: number | undefined;
  /** The default filters of the page. */
  readonly defaults: GoodsFilters;
}

/** One visit to the drawer makes one history entry: the first choice adds it, later choices replace it. */
export function FilterDrawer({
  filters,
  defaults,
  onFilters,
  renderShelves,
  total,
}: FilterDrawerProps) {
  const isBeside = useMedia(BESIDE);
  const activeCount = activeFilters(filters).length;
  const [hasOwnEntry, setHasOwnEntry] = useState(false);
  const choose = (next: GoodsFilters) => {
    onFilters(next, { replace: hasOwnEntry });
    setHasOwnEntry(true);
  };
  if (isBeside === undefined)
    return <FilterButton className={layout.onlyNarrow} activeCount={activeCount} />;
  if (isBeside) return null;
  return (
    <FilterDialog
      activeCount={activeCount}
      total={total}
      onOpen={() => setHasOwnEntry(false)}
      onClear={() => choose({ ...defaults, sort: filters.sort })}
    >
      <FilterGroups filters={filters} onFilters={choose}>
        {renderShelves({ replace: hasOwnEntry, onNavigate: () => setHasOwnEntry(true) })}
      </FilterGroups>
    </FilterDialog>
  );
}

interface FilterDialogProps {
  /** How many filters are set. */
  readonly activeCount: number;
  /** How many goods match the filters; undefined while that is loading. */
  readonly total: number | undefined;
  readonly onOpen: () => void;
  readonly onClear: () => void;
  readonly children: ReactNode;
}

interface FilterButtonProps {
  readonly activeCount: number;
  readonly onClick?: () => void;
  readonly className?: string | undefined;
}

function FilterButton({ activeCount, ...rest }: FilterButtonProps) {
  return (
    <Button look="line" size="s" aria-haspopup="dialog" {...rest}>
      <Icon of={SlidersHorizontal} size="s" />
      Filters
      {activeCount > 0 && (
        <span className={`${badgeStyles.badge} ${badgeStyles.indigo} ${styles.count}`}>
          {activeCount}
          <span className={layout.visuallyHidden}> set</span>
        </span>
      )}
    </Button>
  );
}

/** On phones the filters fill the screen. The button at the bottom shows how many goods match. */
function FilterDialog({ activeCount, total, onOpen, onClear, children }: FilterDialogProps) {
  const [open, setOpen] = useState(false);
  // The drawer opens at once; its many controls, which take a slow phone longer, follow in a deferred render.
  const isFilled = useDeferredValue(open);
  const close = () => setOpen(false);
  return (
    <>
      <FilterButton
        activeCount={activeCount}
        onClick={() => {
          onOpen();
          setOpen(true);
        }}
      />
      <Dialog
        full
        open={open}
        onClose={close}
        title="Filters"
        headAction={
          <Button look="ghost" size="s" onClick={onClear}>
            Clear
          </Button>
        }
        foot={
          <>
            <Button full onClick={close}>
              {total === undefined ? 'Show results' : `Show ${formatCount(total, 'result')}`}
            </Button>
            {/* The page's own line is behind the drawer, where it is not announced. */}
            <p className={layout.visuallyHidden} role="status">
              {total !== undefined && `${formatCount(total, 'product')} found`}
            </p>
          </>
        }
      >
        {isFilled && children}
      </Dialog>
    </>
  );
}

interface FilterGroupsProps {
  readonly filters: GoodsFilters;
  readonly onFilters: (next: GoodsFilters) => void;
  /** The first group: categories, or the subcategories beside this one. */
  readonly children: ReactNode;
}

const conditionLabels = [
  ['New', 'New'],
  ['Used', 'Used'],
  ['all', 'New and Used'],
] as const;

/** Category, price, location and condition, for the sidebar and for the drawer on phones. */
function FilterGroups({ filters, onFilters, children }: FilterGroupsProps) {
  const group = useId();
  return (
    <>
      {children}
      <fieldset className={styles.filter}>
        <legend>Price</legend>
        <RangeSlider
          {...priceSlider}
          most={HIGHEST_PRICE}
          value={filters.prices}
          onCommit={(prices) => onFilters({ ...filters, prices })}
        />
      </fieldset>
      <fieldset className={styles.filter}>
        <legend>Location</legend>
        <PlaceList
          radios
          chosen={filters.localGovt}
          onChoose={(localGovt) => onFilters({ ...filters, localGovt })}
        />
      </fieldset>
      <fieldset className={styles.filter}>
        <legend>Condition</legend>
        {conditionLabels.map(([condition, label]) => (
          <Radio
            key={condition}
            name={group}
            checked={filters.condition === condition}
            onChange={() => onFilters({ ...filters, condition })}
          >
            {label}
          </Radio>
        ))}
      </fieldset>
    </>
  );
}

interface Shelf {
  readonly name: string;
  /** The address, from the query string of the page that links there. */
  readonly to: (search: string) => string;
  /** Number of ads; undefined until it is loaded. */
  readonly count: number | undefined;
  readonly here: boolean;
}

/** How the links to other shelves navigate. */
export interface ShelfNavigation {
  /** Whether a link replaces the last history entry. */
  readonly replace: boolean;
  readonly onNavigate?: () => void;
}

interface ShelfLinksProps extends ShelfNavigation {
  readonly title: string;
  readonly shelves: readonly Shelf[];
}

/** Categories or subcategories with their numbers of ads: the first of the filters. */
export function ShelfLinks({ title, shelves, replace, onNavigate }: ShelfLinksProps) {
  const id = useId();
  return (
    <section className={styles.filter} aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      <ul className={styles.categories}>
        {shelves.map(({ name, to, count, here }) => (
          <li key={name}>
            <SearchLink
              to={to}
              replace={replace}
              preventScrollReset
              aria-current={here || undefined}
              onClick={onNavigate}
            >
              <span>{name}</span>
              {count !== undefined && (
                <span className={layout.figures}>
                  {count.toLocaleString('en-NG')}
                  <span className={layout.visuallyHidden}> {count === 1 ? 'ad' : 'ads'}</span>
                </span>
              )}
            </SearchLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
