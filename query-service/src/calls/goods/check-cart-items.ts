import { isListed } from '../../wire/product.js';
import { ok, type QueryHandler, type Tools } from '../handler.js';
import { noProduct } from '../refusals.js';

export const checkCartItems =
  ({ reader }: Tools): QueryHandler<'checkCartItems'> =>
  async ({ params }) => {
    const document = await (await reader.open('catalogue')).of('products').get(params.id);
    if (!isListed(document)) return noProduct();
    return document.openTransactions > 0
      ? ok({ exist: true, message: 'This product is still in transaction!' })
      : ok({ exist: false, message: 'This product is in no open transaction' });
  };
