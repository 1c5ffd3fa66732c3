import { categoryPath, pagePaths } from '@oja/contracts/pages';
import { categories, categoryByName, subcategoryByName } from '@oja/domain/rules';
import { MapPinOff, PackageSearch } from 'lucide-react';
import type { ReactNode } from 'react';
import { productListQuery } from '../../api/products.js';
import type { Facets } from '../../api/types.js';
import type { PrefetchPage } from '../../app/rendered/hydration.js';
import { Screen } from '../../app/Screen.js';
import { Breadcrumb, type Crumb } from '../../ui/Breadcrumb.js';
import { ButtonLink } from '../../ui/Button.js';
import { Cloth, type Motif } from '../../ui/Cloth.js';
import * as layout from '../../ui/layout.module.css';
import { EmptyState, StepButton } from '../../ui/States.js';
import {
  defaultCategoryFilters,
  type GoodsFilters,
  parseFilters,
  toSearchParams,
} from '../goods/filters.js';
import * as styles from './shelf.module.css';

export type Category = NonNullable<ReturnType<typeof categoryByName>>;

/** Number of ads in a category or subcategory: undefined until the counts are loaded, 0 when it is not among them. */
export function countAds(counts: Facets['category'] | undefined, name: string): number | undefined {
  return counts && (counts.find(({ value }) => value === name)?.count ?? 0);
}

/** The goods of a category, everywhere or in one local government. */
export const categoryQuery = (category: Category, localGovt: string | undefined) =>
  productListQuery({
    category: category.name,
    sort: 'trending',
    ...(localGovt !== undefined && { localGovt }),
  });

/** The filters of a subcategory's page. The category is part of the path, so it is no filter here. */
export const shelfFilters = (search: URLSearchParams): GoodsFilters => ({
  ...parseFilters(search, defaultCategoryFilters),
  category: undefined,
});

/** The goods of a subcategory. */
export const shelfQuery = (subcategory: string, filters: GoodsFilters) =>
  productListQuery({ ...toSearchParams(filters), subcategory });

/** @public Loads a category's first goods for server rendering. An unknown category needs none. */
export const prefetchCategory: PrefetchPage = async (client, { params, search }) => {
  const category = categoryByName(params.category ?? '');
  if (category === null) return true;
  await client.fetchInfiniteQuery(
    categoryQuery(category, parseFilters(search, defaultCategoryFilters).localGovt),
  );
  return true;
};

/** @public Loads a subcategory's first goods for server rendering. An unknown one needs none. */
export const prefetchSubcategory: PrefetchPage = async (client, { params, search }) => {
  const category = categoryByName(params.category ?? '');
  const shelf = subcategoryByName(params.subcategory ?? '');
  if (category === null || shelf?.category !== category.name) return true;
  await client.fetchInfiniteQuery(shelfQuery(shelf.name, shelfFilters(search)));
  return true;
};

interface CategoryBandProps {
  readonly motif: Motif;
  readonly crumbs: readonly Crumb[];
  readonly name: string;
  /** The line below the name: '486 products'. */
  readonly children: ReactNode;
}

/** The header of a category or subcategory: breadcrumb and name on cloth, at the top of the page's main part. */
export function CategoryBand({ motif, crumbs, name, children }: CategoryBandProps) {
  return (
    <Cloth motif={motif} className={styles.banner}>
      <div className={layout.page}>
        <Breadcrumb crumbs={crumbs} />
        <h1>{name}</h1>
        <p>{children}</p>
      </div>
    </Cloth>
  );
}

interface NotInRegionProps {
  /** Clears the filters; undefined when none are set. */
  readonly onAll: (() => void) | undefined;
  /** What the button that clears them says. */
  readonly clear?: string;
}

/** Shown when a shelf has no goods, or none that match. */
export function NotInRegion({ onAll, clear = 'All States/Local Govt' }: NotInRegionProps) {
  return (
    <EmptyState
      motif="water"
      icon={MapPinOff}
      paper
      title="Products are currently not in this region!!"
      line={
        onAll === undefined
          ? 'New goods come every day. Look at the rest of the market meanwhile.'
          : 'Your filters may hide some.'
      }
      action={
        onAll === undefined ? (
          <ButtonLink look="line" to={pagePaths.home}>
            Go to the market
          </ButtonLink>
        ) : (
          <StepButton onPress={onAll}>{clear}</StepButton>
        )
      }
    />
  );
}

/** Shown for the address of a category that does not exist. */
export function UnknownCategory() {
  return (
    <Screen title="No such category" className={layout.page}>
      <EmptyState
        motif="steps"
        icon={PackageSearch}
        headingLevel="h1"
        title="There is no such category"
        line="These are the categories of the market:"
        action={
          <ul className={`${layout.row} ${layout.wrap} ${styles.otherCategories}`}>
            {categories.map(({ name }) => (
              <li key={name}>
                <ButtonLink look="line" to={categoryPath(name)}>
                  {name}
                </ButtonLink>
              </li>
            ))}
          </ul>
        }
      />
    </Screen>
  );
}
