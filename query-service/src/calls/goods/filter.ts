import type { Calls, QueryOf } from '@oja/contracts';
import {
  ALL_PLACES,
  businessNameKey,
  categoryByName,
  nairaToKobo,
  priceSlider,
  searchWords,
  subcategoryByName,
} from '@oja/domain/rules';
import type { Condition, Filter } from '@oja/platform';
import { equal } from '../../models/reader.js';

export type Search = QueryOf<Calls['searchProducts']>;

/** In the lists of shoppers. */
export const shown = equal('shown', true);

/** The full range of the slider filters nothing out, so that dearer goods stay findable; a higher price was typed. */
function prices({ min_price: min, max_price: max }: Search): readonly Condition[] {
  const isFullRange =
    min !== undefined && max !== undefined && min <= priceSlider.min && max === priceSlider.max;
  if (isFullRange) return [];
  return [
    ...(min === undefined ? [] : [{ field: 'price', op: 'gte', value: nairaToKobo(min) } as const]),
    ...(max === undefined ? [] : [{ field: 'price', op: 'lte', value: nairaToKobo(max) } as const]),
  ];
}

function words({ query }: Search): readonly Condition[] {
  const found = query === undefined ? null : searchWords(query);
  return found === null ? [] : [{ field: 'nameKey', op: 'words', words: found }];
}

/** A subcategory or category that nobody knows is looked for all the same, and holds nothing. */
function shelf({ category, subcategory }: Search): readonly Condition[] {
  const known = subcategory ? subcategoryByName(subcategory) : null;
  return [
    ...(category ? [equal('category', categoryByName(category)?.name ?? category)] : []),
    ...(subcategory
      ? [known === null ? equal('subcategory', subcategory) : equal('subcategoryId', known.id)]
      : []),
  ];
}

/** What a search filters by; what it leaves out, or leaves empty, does not narrow. */
export function filterOf(search: Search): Filter {
  const { seller, state, localGovt, condition } = search;
  return [
    shown,
    ...words(search),
    ...shelf(search),
    ...(seller ? [equal('businessNameKey', businessNameKey(seller))] : []),
    ...(state ? [equal('state', state)] : []),
    ...(localGovt && localGovt !== ALL_PLACES ? [equal('localGovt', localGovt)] : []),
    ...(condition && condition !== 'all' ? [equal('shownCondition', condition)] : []),
    ...prices(search),
  ];
}
