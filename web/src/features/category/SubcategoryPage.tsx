import { categoryPath, pagePaths } from '@oja/contracts/pages';
import { categoryByName, subcategoryByName } from '@oja/domain/rules';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { useQueryParams } from '../../app/address.js';
import { Screen } from '../../app/Screen.js';
import { categoryMotif } from '../../ui/Cloth.js';
import * as layout from '../../ui/layout.module.css';
import { formatCount } from '../../ui/Price.js';
import { ShelfLinks } from '../goods/FilterPanel.js';
import {
  activeFilters,
  defaultCategoryFilters,
  type GoodsFilters,
  toChangedQuery,
} from '../goods/filters.js';
import { FilteredGoods } from '../goods/Shop.js';
import {
  type Category,
  CategoryBand,
  countAds,
  NotInRegion,
  shelfFilters,
  shelfQuery,
  UnknownCategory,
} from './shelf.js';

interface SubcategoryViewProps {
  readonly category: Category;
  readonly subcategory: string;
}

/** @public read when the server renders the page */
export { prefetchSubcategory as prefetch } from './shelf.js';

/** A subcategory under its own category. Under any other category the page does not exist. */
export default function SubcategoryPage() {
  const { category: name = '', subcategory: shelfName = '' } = useParams();
  const category = categoryByName(name);
  const shelf = subcategoryByName(shelfName);
  if (category === null || shelf?.category !== category.name) return <UnknownCategory />;
  return <SubcategoryView key={shelf.name} category={category} subcategory={shelf.name} />;
}

/** The goods of one subcategory, with filters. They live in the query string, so a plain link to the page sets none. */
function SubcategoryView({ category, subcategory }: SubcategoryViewProps) {
  const [params, go] = useQueryParams();
  const filters = shelfFilters(params);
  const goods = useInfiniteQuery(shelfQuery(subcategory, filters));
  const counts = goods.data?.pages[0]?.facets.subcategory;
  const ads = countAds(counts, subcategory);
  const onFilters = (next: GoodsFilters, how?: { readonly replace: boolean }) =>
    go(toChangedQuery(next, defaultCategoryFilters), { ...how, preventScrollReset: true });
  const isNarrowed = activeFilters(filters).length > 0;
  const onAll = () => void onFilters({ ...defaultCategoryFilters, sort: filters.sort });

  return (
    <Screen title={subcategory}>
      <CategoryBand
        motif={categoryMotif[category.name]}
        crumbs={[
          { label: 'Home', to: pagePaths.home },
          { label: category.name, to: categoryPath(category.name) },
          { label: subcategory },
        ]}
        name={subcategory}
      >
        {ads === undefined ? '\u00a0' : formatCount(ads, 'product')}
      </CategoryBand>
      <div className={layout.page}>
        <FilteredGoods
          filters={filters}
          defaults={defaultCategoryFilters}
          onFilters={onFilters}
          goods={goods}
          renderShelves={(navigation) => (
            <ShelfLinks
              {...navigation}
              title={category.name}
              shelves={category.subcategories.map((name) => ({
                name,
                to: () => categoryPath(category.name, name),
                count: countAds(counts, name),
                here: name === subcategory,
              }))}
            />
          )}
          empty={
            <NotInRegion
              onAll={isNarrowed ? onAll : undefined}
              {...(filters.localGovt === undefined && { clear: 'Remove all filters' })}
            />
          }
        />
      </div>
    </Screen>
  );
}
