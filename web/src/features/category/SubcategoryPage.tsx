import { useInfiniteQuery } from '@tanstack/react-query';
import { CategoryBand } from '../../app/header/CategoryBand.js';
import { Screen } from '../../app/Screen.js';
import { useAddress } from '../../app/use-address.js';
import { categoryMotif } from '../../ui/category-motif.js';
import { categoryPath } from '../../ui/paths.js';
import { type GoodsFilters, setFilters, untouchedShelf, writeChanges } from '../goods/filters.js';
import { ShelfLinks } from '../goods/ShelfLinks.js';
import { Shop } from '../goods/Shop.js';
import { adsOf, type Category, productsWords } from './catalogue.js';
import { NotInRegion } from './NotInRegion.js';
import { shelfFilters, shelfQuery } from './queries.js';

interface SubcategoryPageProps {
  readonly category: Category;
  readonly subcategory: string;
}

/** The goods of one subcategory with their filters. The address of the page alone sets none, so each entry is fresh. */
export function SubcategoryPage({ category, subcategory }: SubcategoryPageProps) {
  const [params, go] = useAddress();
  const filters = shelfFilters(params);
  const goods = useInfiniteQuery(shelfQuery(subcategory, filters));
  const counts = goods.data?.pages[0]?.facets.subcategory;
  const ads = adsOf(counts, subcategory);
  const onFilters = (next: GoodsFilters, how?: { readonly replace: boolean }) =>
    go(writeChanges(next, untouchedShelf), { ...how, preventScrollReset: true });

  return (
    <Screen title={subcategory}>
      <CategoryBand
        motif={categoryMotif[category.name]}
        crumbs={[
          { label: 'Home', to: '/' },
          { label: category.name, to: categoryPath(category.name) },
          { label: subcategory },
        ]}
        name={subcategory}
      >
        {ads === undefined ? '\u00a0' : productsWords(ads)}
      </CategoryBand>
      <div className="page">
        <Shop
          filters={filters}
          untouched={untouchedShelf}
          onFilters={onFilters}
          goods={goods}
          shelves={(way) => (
            <ShelfLinks
              {...way}
              title={category.name}
              shelves={category.subcategories.map((name) => ({
                name,
                to: categoryPath(category.name, name),
                count: adsOf(counts, name),
                here: name === subcategory,
              }))}
            />
          )}
          empty={
            <NotInRegion
              onAll={
                setFilters(filters).length === 0
                  ? undefined
                  : () => void onFilters({ ...untouchedShelf, sort: filters.sort })
              }
            />
          }
        />
      </div>
    </Screen>
  );
}
