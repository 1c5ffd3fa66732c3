import { limits } from '@oja/domain/rules';
import { refuse } from '@oja/platform';
import { isListed, product } from '../../wire/product.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';

const MOST = limits.cartLines.max;

/** Goods that cannot be ordered just now are answered with their status; only removed ones are gone. */
export const productsByIds =
  ({ reader, images }: Tools): QueryHandler<'productsByIds'> =>
  async ({ query }) => {
    const ids = [...new Set(query.ids.split(',').map((id) => id.trim()))].filter((id) => id !== '');
    if (ids.length > MOST) {
      const text = `must have at most ${MOST} entries`;
      return refuse(400, `ids ${text}`, { errors: { ids: text } });
    }
    const products = (await reader.open('catalogue')).of('products');
    const found = await products.getMany(ids);
    const gone = ids.flatMap((id, at) => {
      const document = found[at] ?? null;
      return isListed(document) ? [] : [{ product_id: id, prod_name: document?.name ?? null }];
    });
    const result = found.filter(isListed).map((document) => product(document, images));
    return ok({ success: true, result, gone });
  };
