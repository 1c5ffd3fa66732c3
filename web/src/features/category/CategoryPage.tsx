import { categoryPath, pagePaths } from '@oja/contracts/pages';
import { categoryByName } from '@oja/domain/rules';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'react-router-dom';
import type { Facets } from '../../api/types.js';
import { Screen } from '../../app/Screen.js';
import { categoryMotif } from '../../ui/Cloth.js';
import { Link } from '../../ui/Link.js';
import * as layout from '../../ui/layout.module.css';
import { formatCount } from '../../ui/Price.js';
import { defaultCategoryFilters, parseFilters, toChangedQuery } from '../goods/filters.js';
import { GoodsList } from '../goods/GoodsList.js';
import { PlacePicker } from '../goods/PlacePicker.js';
import { subcategoryPicture } from '../goods/subcategory-pictures.js';
import * as styles from './CategoryPage.module.css';
import {
  type Category,
  CategoryBand,
  categoryQuery,
  countAds,
  NotInRegion,
  UnknownCategory,
} from './shelf.js';

/** @public read when the server renders the page */
export { prefetchCategory as prefetch } from './shelf.js';

/** A category by its name. In addresses hyphens stand for spaces, and case is ignored. */
export default function CategoryPage() {
  const { category: name = '' } = useParams();
  const category = categoryByName(name);
  if (category === null) return <UnknownCategory />;
  return <CategoryView key={category.name} category={category} />;
}

/** A category: its subcategories, and below them all goods in it. */
function CategoryView({ category }: { readonly category: Category }) {
  const [params, setParams] = useSearchParams();
  const { localGovt } = parseFilters(params, defaultCategoryFilters);
  const goods = useInfiniteQuery(categoryQuery(category, localGovt));
  const facets = goods.data?.pages[0]?.facets;
  const total = goods.data?.pages[0]?.total;
  const ads = countAds(facets?.category, category.name);
  const choosePlace = (place: string | undefined) =>
    setParams(
      toChangedQuery({ ...defaultCategoryFilters, localGovt: place }, defaultCategoryFilters),
      {
        preventScrollReset: true,
      },
    );

  return (
    <Screen title={category.name}>
      <CategoryBand
        motif={categoryMotif[category.name]}
        crumbs={[{ label: 'Home', to: pagePaths.home }, { label: category.name }]}
        name={category.name}
      >
        {ads === undefined ? '\u00a0' : formatCount(ads, 'product')}
      </CategoryBand>
      <div className={`${layout.page} ${styles.page}`}>
        <Subcategories category={category} counts={facets?.subcategory} />
        <section className={layout.section} aria-labelledby="in-category">
          <div className={`${layout.sectionHead} ${styles.placeRow}`}>
            <h2 id="in-category">Everything in {category.name}</h2>
            <PlacePicker chosen={localGovt} onChoose={choosePlace} />
            <p className={layout.visuallyHidden} role="status">
              {total !== undefined && formatCount(total, 'product')}
            </p>
          </div>
          <GoodsList
            five
            goods={goods}
            empty={
              <NotInRegion
                onAll={localGovt === undefined ? undefined : () => choosePlace(undefined)}
              />
            }
          />
        </section>
      </div>
    </Screen>
  );
}

interface SubcategoriesProps {
  readonly category: Category;
  readonly counts: Facets['subcategory'] | undefined;
}

/** A card for each subcategory: picture, name and number of ads. */
function Subcategories({ category, counts }: SubcategoriesProps) {
  return (
    <ul className={styles.shelves} aria-label={`Subcategories of ${category.name}`}>
      {category.subcategories.map((name) => {
        const ads = countAds(counts, name);
        return (
          <li key={name}>
            <Link className={styles.shelf} to={categoryPath(category.name, name)}>
              <img
                src={subcategoryPicture(name)}
                alt=""
                width="180"
                height="156"
                decoding="async"
              />
              <span>
                <b>{name}</b>
                <small className={layout.figures}>
                  {ads === undefined ? '\u00a0' : formatCount(ads, 'product')}
                </small>
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
