import type { AnswerOf, Calls, QueryOf } from '@oja/contracts';
import { limits } from '@oja/domain/rules';
import { refuse } from '@oja/http';
import type { Filter } from '@oja/platform';
import { noProduct, noStore, ok, orForeignCursor, type QueryHandler, type Tools } from '../deps.js';
import {
  createCheckpointCache,
  descending,
  equal,
  storeByName,
  withOwnWords,
} from '../read-models.js';
import { isListed, ownProduct, pictures, product, store } from '../wire/goods.js';
import { shown } from './goods/search-products.js';

/** How many of the newest goods `allProducts` returns. `total` is the number of all. */
const NEWEST_GOODS = 1_000;

/**
 * Cached for each state of the catalogue: the answer is the same for everybody, and a thousand
 * goods take long to read.
 */
export function allProducts({ reader, images }: Tools): QueryHandler<'allProducts'> {
  const kept = createCheckpointCache<AnswerOf<Calls['allProducts'], 200>>(reader, 'catalogue');

  return async () =>
    ok(
      await kept('', async () => {
        const products = (await reader.open('catalogue')).of('products');
        const [page, total] = await Promise.all([
          products.find({ filter: [shown], sort: descending('listedAt'), limit: NEWEST_GOODS }),
          products.count([shown]),
        ]);
        const listed = page.items.map(({ document }) => document).filter(isListed);
        return { filteredRows: listed.map((document) => product(document, images)), total };
      }),
    );
}

/** Goods that cannot be ordered just now are returned with their status. Only removed and unknown ones are `gone`. */
export const productsByIds =
  ({ reader, images }: Tools): QueryHandler<'productsByIds'> =>
  async ({ query }) => {
    const { ids } = query;
    const products = (await reader.open('catalogue')).of('products');
    const found = await products.getMany(ids);
    const gone = ids.flatMap((id, at) => {
      const document = found[at] ?? null;
      return isListed(document) ? [] : [{ product_id: id, prod_name: document?.name ?? null }];
    });
    const result = found.filter(isListed).map((document) => product(document, images));
    return ok({ success: true, result, gone });
  };

/**
 * Products that no list shows (unavailable, or of a suspended seller) are returned, too, with their
 * status: carts and shared links lead to them.
 */
export const getProduct =
  ({ reader, images }: Tools): QueryHandler<'getProduct'> =>
  async ({ params, actor, tokenFailure }) => {
    // To its owner the product is another one than to a stranger: the client renews the token and asks again.
    if (tokenFailure?.code === 'token_expired') return { failed: tokenFailure };
    const document = await (await reader.open('catalogue')).of('products').get(params.id);
    if (!isListed(document)) return noProduct();
    const isOwner = actor?.sellerId === document.sellerId;
    const result = isOwner ? ownProduct(document, images) : product(document, images);
    return ok({ success: true, subcategoryID: document.subcategoryId, result });
  };

/** Works for removed goods as well: old orders show their pictures. */
export const productImages =
  ({ reader, images }: Tools): QueryHandler<'productImages'> =>
  async ({ params }) => {
    const document = await (await reader.open('catalogue')).of('products').get(params.productId);
    if (document === null) return refuse(404, 'No image with that product_id');
    return ok({ success: true, result: [{ image_urls: pictures(document, images).join(',') }] });
  };

export const checkCartItems =
  ({ reader }: Tools): QueryHandler<'checkCartItems'> =>
  async ({ params }) => {
    const document = await (await reader.open('catalogue')).of('products').get(params.id);
    if (!isListed(document)) return noProduct();
    return document.openTransactions > 0
      ? ok({ exist: true, message: 'This product is still in transaction!' })
      : ok({ exist: false, message: 'This product is in no open transaction' });
  };

function findOwn({ find, status }: QueryOf<Calls['userProducts']>, sellerId: string): Filter {
  return [
    equal('sellerId', sellerId),
    status === undefined
      ? { field: 'status', op: 'ne', value: 'REMOVED' }
      : equal('status', status),
    ...withOwnWords('nameKey', find),
  ];
}

/** How many of their own goods a seller gets who asks for no number. Anybody can be a seller of very many. */
const NEWEST_OWN = 1_000;

/** The seller's own goods, newest first, including those that shoppers do not see. */
export const userProducts =
  ({ reader, images }: Tools): QueryHandler<'userProducts'> =>
  ({ query, actor }) =>
    orForeignCursor(async () => {
      const products = (await reader.open('catalogue')).of('products');
      const { limit = NEWEST_OWN, cursor } = query;
      const [facets, page] = await Promise.all([
        products.facets([equal('sellerId', actor.sellerId)], ['status']),
        products.find({
          filter: findOwn(query, actor.sellerId),
          sort: descending('listedAt'),
          limit,
          cursor,
        }),
      ]);
      const own = page.items.map(({ document }) => document).filter(isListed);
      const of = (status: string) =>
        (facets.status ?? []).find(({ value }) => value === status)?.count ?? 0;
      return ok({
        success: true,
        userDetails: own.map((one) => ownProduct(one, images)),
        counts: { AVAILABLE: of('AVAILABLE'), UNAVAILABLE: of('UNAVAILABLE') },
        nextCursor: page.next,
      });
    });

/** A store with its newest goods; search returns the rest. A suspended seller's store is empty. */
export const getStore =
  ({ reader, images }: Tools): QueryHandler<'getStore'> =>
  async ({ params }) => {
    const catalogue = await reader.open('catalogue');
    const document = await storeByName(catalogue, params.name);
    if (document === null) return noStore();
    const filter = [shown, equal('sellerId', document.sellerId)];
    const products = catalogue.of('products');
    const [page, total] = await Promise.all([
      products.find({ filter, sort: descending('listedAt'), limit: limits.page.max }),
      products.count(filter),
    ]);
    const goods = { products: page.items.map((item) => item.document).filter(isListed), total };
    return ok({ success: true, store: store(document, goods, images) });
  };
