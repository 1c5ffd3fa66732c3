import { attributeLabels, attributeNames, subcategoryById } from '@oja/domain/rules';
import { type InfiniteData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.js';
import { productBatchQuery, type SearchAnswer } from '../../api/products.js';
import { queryClient } from '../../api/query-client.js';
import type { Product } from '../../api/types.js';
import type { PrefetchPage } from '../../app/rendered/hydration.js';

/** A product that a list has already loaded, so that its page opens without waiting, also offline. */
function findInLoadedLists(productId: string): Product | undefined {
  const lists = queryClient.getQueriesData<InfiniteData<SearchAnswer>>({
    queryKey: ['products', 'list'],
  });
  const rows = queryClient.getQueriesData<SearchAnswer>({ queryKey: ['products', 'search'] });
  const answers = [
    ...lists.flatMap(([, data]) => data?.pages ?? []),
    ...rows.flatMap(([, data]) => (data === undefined ? [] : [data])),
  ];
  return answers
    .flatMap((answer) => answer.result)
    .find((product) => product.product_id === productId);
}

/** One product. Data from a list is shown until the answer comes. */
export function productQuery(productId: string) {
  return queryOptions({
    queryKey: ['products', 'one', productId],
    queryFn: async ({ signal }): Promise<Product> => {
      return (await call('getProduct', { params: { id: productId }, signal })).result;
    },
    initialData: () => findInLoadedLists(productId),
    initialDataUpdatedAt: 0,
  });
}

/** Full rows of two to five cards: ten are shown where two or five stand in a row, else twelve. */
export const SIMILAR_COUNT = 12;

/** Products of the same subcategory: one more than is shown, since the product itself may be among them. */
export const similarQuery = ({ subcategory_name: subcategory }: Product) =>
  productBatchQuery({ subcategory, sort: 'trending', limit: SIMILAR_COUNT + 1 });

/** @public An address with the wrong subcategory is not rendered: the browser redirects to the right one. */
export const prefetchProduct: PrefetchPage = async (client, { params }) => {
  const product = await client.fetchQuery(productQuery(params.productId ?? ''));
  if (String(product.subcategory_id) !== params.subcategoryId) return false;
  await client.fetchQuery(similarQuery(product));
  return true;
};

interface ShownAttribute {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

const yesOrNo = { 0: 'No', 1: 'Yes' } as const;

/**
 * The attributes of a product's subcategory with labels, also where its seller has said nothing, then any others that
 * it has.
 */
export function allAttributes(product: Product) {
  const own = subcategoryById(product.subcategory_id)?.attributes ?? [];
  const others = attributeNames.filter(
    (name) => !own.includes(name) && attributeValue(product, name) !== undefined,
  );
  return [...own, ...others].map((name) => ({
    name,
    label: attributeLabels[name],
    value: attributeValue(product, name),
  }));
}

/** What is said of a product's attributes, with labels. */
export function givenAttributes(product: Product): readonly ShownAttribute[] {
  return allAttributes(product).flatMap(({ value, ...attribute }) =>
    value === undefined ? [] : [{ ...attribute, value }],
  );
}

function attributeValue(
  product: Product,
  name: (typeof attributeNames)[number],
): string | undefined {
  if (name === 'condition') return product.prod_condition;
  if (name === 'water_resistance') {
    const resists = product.water_resistance;
    return resists === undefined ? undefined : yesOrNo[resists];
  }
  return product[name] || undefined;
}
