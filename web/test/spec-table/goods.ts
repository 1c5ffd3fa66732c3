import type { Facets, OwnProduct, Product } from '@oja/contracts';
import { categories, searchWords } from '@oja/domain/rules';
import { compareNames, matchesWords } from '../../../domain/test/names.js';
import { aProduct } from '../products.js';

const musa = { user_id: 's1', businessName: 'Musa & Sons Watches' };
const coalCity = { user_id: 's7', businessName: 'Coal City Footwear' };

export const watch: Product = aProduct({
  image_urls: ['http://localhost/v1/image/watch.webp', 'http://localhost/v1/image/back.webp'],
  color: 'Olive',
  water_resistance: 1,
});
export const cheapBag: Product = aProduct({
  product_id: 'p2',
  prod_name: 'Raffia bag',
  price: 4_000,
  prod_condition: 'Used',
  local_govt: 'Ikeja',
  subcategory_id: 1,
  subcategory_name: 'Bags',
});
/** Exactly at the threshold of the delivery rule. */
export const fiveThousandBag: Product = aProduct({
  ...cheapBag,
  product_id: 'p3',
  prod_name: 'Woven bag',
  price: 5_000,
  prod_condition: 'New',
});
const shoe: Product = aProduct({
  ...coalCity,
  product_id: 'p4',
  prod_name: 'Canvas sneakers',
  price: 11_500,
  state: 'Enugu',
  local_govt: 'Nsukka',
  subcategory_id: 5,
  subcategory_name: 'Footwears',
  size: '43',
});
/** A counted product whose last item has been sold. */
export const soldOutBag: Product = aProduct({
  ...cheapBag,
  product_id: 'p6',
  prod_name: 'Beaded bag',
  stock: 0,
});
const fillers = Array.from({ length: 12 }, (_, n) =>
  aProduct({ product_id: `f${n}`, prod_name: `Dress watch ${n + 1}`, price: 20_000 + n }),
);

export const catalogue: readonly Product[] = [watch, cheapBag, fiveThousandBag, shoe, ...fillers];
/** Can be fetched by id, but is in no list. */
export const unlisted: readonly Product[] = [soldOutBag];
/** The goods of the seller who signs in. */
export const ownShoe: OwnProduct = { ...shoe, seller_price: 10_000, in_transaction: false };
export const ownGoods: readonly OwnProduct[] = [
  ownShoe,
  { ...ownShoe, product_id: 'p5', prod_name: 'Suede boots', status: 'UNAVAILABLE' },
];

export const sellerOf = (product: Product) => (product.user_id === musa.user_id ? musa : coalCity);

export interface SearchAsked {
  readonly query?: string;
  readonly category?: string;
  readonly subcategory?: string;
  readonly seller?: string;
  readonly condition?: string;
  readonly sort?: string;
  readonly localGovt?: string;
}

/** Filters and sorts like the market, so that a screen with a wrong query shows wrong goods. */
export function find(asked: SearchAsked): readonly Product[] {
  const words = searchWords(asked.query ?? '') ?? [];
  const found = catalogue.filter(
    (one) =>
      matchesWords(one.prod_name, words) &&
      (asked.category ?? one.top_category) === one.top_category &&
      (asked.subcategory ?? one.subcategory_name) === one.subcategory_name &&
      (asked.seller ?? one.businessName) === one.businessName &&
      (asked.localGovt ?? one.local_govt) === one.local_govt &&
      (asked.condition ?? one.prod_condition) === one.prod_condition,
  );
  const byName = [...found].sort((a, b) => compareNames(a.prod_name, b.prod_name));
  if (asked.sort === 'A-Z') return byName;
  if (asked.sort === 'cheapest') return [...found].sort((a, b) => a.price - b.price);
  if (asked.sort === 'dearest') return [...found].sort((a, b) => b.price - a.price);
  return asked.sort === 'Z-A' ? byName.reverse() : found;
}

const counted = (values: readonly string[]) =>
  [...new Set(values)].map((value) => ({
    value,
    count: values.filter((other) => other === value).length,
  }));

export const facets: Facets = {
  category: categories.map(({ name }) => ({
    value: name,
    count: catalogue.filter((one) => one.top_category === name).length,
  })),
  subcategory: counted(catalogue.map((one) => one.subcategory_name)),
  localGovt: counted(catalogue.map((one) => one.local_govt)),
  condition: counted(catalogue.flatMap((one) => one.prod_condition ?? [])),
};
