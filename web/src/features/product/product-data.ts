import { attributeLabels, attributeNames, subcategoryById } from '@oja/domain/rules';
import { type InfiniteData, queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.js';
import { productsQuery, type SearchAnswer } from '../../api/products.js';
import { queryClient } from '../../api/query-client.js';
import type { Product } from '../../api/types.js';
import type { FillPage } from '../../app/rendered/handed-over.js';

/** A product that a list has already brought: its page opens without waiting, and when the network is gone. */
function knownFromLists(productId: string): Product | undefined {
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

/** One product. What a list said of it is shown until the answer comes. */
export function productQuery(productId: string) {
  return queryOptions({
    queryKey: ['products', 'one', productId],
    queryFn: async ({ signal }): Promise<Product> => {
      return (await call('getProduct', { params: { id: productId }, signal })).result;
    },
    initialData: () => knownFromLists(productId),
    initialDataUpdatedAt: 0,
  });
}

/** Full rows of two, three, four or five: ten where two or five stand side by side, else twelve. */
export const SIMILAR = 12;

/** Products of the same subcategory: one more than is shown, since the product itself is among them. */
export const similarQuery = ({ subcategory_name: subcategory }: Product) =>
  productsQuery({ subcategory, sort: 'trending', limit: SIMILAR + 1 });

/** An address with another subcategory than the product's leads on to the right one. */
export const fillProduct: FillPage = async (client, { params }) => {
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

/** What a product says of itself: its subcategory's attributes first, then what else it has. */
export function attributesOf(product: Product): readonly ShownAttribute[] {
  const own = subcategoryById(product.subcategory_id)?.attributes ?? [];
  return [...new Set([...own, ...attributeNames])].flatMap((name) => {
    const value = said(product, name);
    return value === undefined ? [] : [{ name, label: attributeLabels[name], value }];
  });
}

function said(product: Product, name: (typeof attributeNames)[number]): string | undefined {
  if (name === 'condition') return product.prod_condition;
  if (name === 'water_resistance') {
    const resists = product.water_resistance;
    return resists === undefined ? undefined : yesOrNo[resists];
  }
  return product[name] || undefined;
}
