import { searchWords } from '@oja/domain/rules';
import { HttpResponse, http, type RequestHandler } from 'msw';
import { compareNames, matchesWords } from '../../domain/test/names.js';
import type { Product } from '../src/api/types.js';

const counted = (values: readonly string[]) =>
  [...new Set(values)].map((value) => ({
    value,
    count: values.filter((other) => other === value).length,
  }));

function found(goods: readonly Product[], asked: URLSearchParams): readonly Product[] {
  const words = searchWords(asked.get('query') ?? '') ?? [];
  const is = (name: string, value: string | undefined) =>
    !asked.has(name) || asked.get(name) === value;
  const list = goods.filter(
    (one) =>
      matchesWords(one.prod_name, words) &&
      is('category', one.top_category) &&
      is('subcategory', one.subcategory_name) &&
      is('seller', one.businessName) &&
      is('localGovt', one.local_govt) &&
      is('condition', one.prod_condition ?? 'New') &&
      one.price >= Number(asked.get('min_price') ?? 0) &&
      one.price <= Number(asked.get('max_price') ?? Number.POSITIVE_INFINITY),
  );
  const byName = list.toSorted((a, b) => compareNames(a.prod_name, b.prod_name));
  return asked.get('sort') === 'Z-A' ? byName.toReversed() : byName;
}

/** Request handlers for the shopper calls over these goods, with the server's answers. */
export function market(goods: readonly Product[]): RequestHandler[] {
  const known = new Map(goods.map((product) => [product.product_id, product]));
  return [
    http.get('*/v1/products/search', ({ request }) => {
      const asked = new URL(request.url).searchParams;
      const all = found(goods, asked);
      const from = Number(asked.get('cursor') ?? 0);
      const to = from + Number(asked.get('limit') ?? 24);
      return HttpResponse.json({
        success: true,
        result: all.slice(from, to),
        total: all.length,
        facets: {
          category: counted(goods.map((one) => one.top_category)),
          subcategory: counted(goods.map((one) => one.subcategory_name)),
          localGovt: [],
          condition: [],
        },
        nextCursor: to < all.length ? String(to) : null,
      });
    }),
    http.get('*/v1/products/suggest', () =>
      HttpResponse.json({
        success: true,
        shelves: [],
        stores: [],
        did_you_mean: null,
        word_forms: null,
      }),
    ),
    http.get('*/v1/products/by-ids', ({ request }) => {
      const ids = (new URL(request.url).searchParams.get('ids') ?? '').split(',');
      return HttpResponse.json({
        success: true,
        result: ids.flatMap((id) => known.get(id) ?? []),
        gone: ids
          .filter((id) => !known.has(id))
          .map((product_id) => ({ product_id, prod_name: null })),
      });
    }),
    http.get<{ id: string }>('*/v1/product/:id', ({ params }) => {
      const result = known.get(params.id);
      return result === undefined
        ? HttpResponse.json({ success: false, message: 'not there' }, { status: 404 })
        : HttpResponse.json({ success: true, subcategoryID: result.subcategory_id, result });
    }),
    http.get<{ name: string }>('*/v1/stores/:name', ({ params }) => {
      const named = (one: Product) => one.businessName.replace(/\s+/g, '-') === params.name;
      const products = goods.filter(named);
      const [newest] = products;
      return newest === undefined
        ? HttpResponse.json({ success: false, message: 'no store' }, { status: 404 })
        : HttpResponse.json({
            success: true,
            store: {
              user_id: newest.user_id,
              businessName: newest.businessName,
              state: newest.state,
              local_govt: newest.local_govt,
              since: '2023-03-31T23:30:00.000Z',
              orders_confirmed: 214,
              total: products.length,
              products,
            },
          });
    }),
  ];
}
