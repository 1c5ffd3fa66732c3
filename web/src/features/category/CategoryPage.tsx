import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { CategoryBand } from '../../app/header/CategoryBand.js';
import { Screen } from '../../app/Screen.js';
import { categoryMotif } from '../../ui/category-motif.js';
import { readFilters, untouchedShelf, writeChanges } from '../goods/filters.js';
import { GoodsList } from '../goods/GoodsList.js';
import { PlacePicker } from '../goods/PlacePicker.js';
import { adsOf, type Category, productsWords } from './catalogue.js';
import { NotInRegion } from './NotInRegion.js';
import { categoryQuery } from './queries.js';
import { Subcategories } from './Subcategories.js';
import './category.css';

/** A category: its subcategories, and below them what is sold in it. */
export function CategoryPage({ category }: { readonly category: Category }) {
  const [params, setParams] = useSearchParams();
  const { localGovt } = readFilters(params, untouchedShelf);
  const goods = useInfiniteQuery(categoryQuery(category, localGovt));
  const facets = goods.data?.pages[0]?.facets;
  const ads = adsOf(facets?.category, category.name);
  const choosePlace = (place: string | undefined) =>
    setParams(writeChanges({ ...untouchedShelf, localGovt: place }, untouchedShelf), {
      preventScrollReset: true,
    });

  return (
    <Screen title={category.name}>
      <CategoryBand
        motif={categoryMotif[category.name]}
        crumbs={[{ label: 'Home', to: '/' }, { label: category.name }]}
        name={category.name}
      >
        {ads === undefined ? '\u00a0' : productsWords(ads)}
      </CategoryBand>
      <div className="page shelf">
        <Subcategories category={category} counts={facets?.subcategory} />
        <section className="sec" aria-labelledby="in-category">
          <div className="hd locrow">
            <h2 id="in-category">Everything in {category.name}</h2>
            <PlacePicker chosen={localGovt} onChoose={choosePlace} />
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
