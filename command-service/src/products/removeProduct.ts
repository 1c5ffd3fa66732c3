import { catalogue, type ProductDocument } from '@oja/contracts/models';
import { product } from '@oja/domain';
import { refuse } from '@oja/http';
import { POSITION_WAIT_MS } from '@oja/platform';
import { contextOf, sellerActor } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { failedAnswer } from '../refusals.js';

const behind = () =>
  refuse(503, 'Oja is still taking note of the latest orders. Please try again in a moment.', {
    headers: { 'Retry-After': '2' },
  });

/** Paid orders with this product that are not closed; null: the read model has not caught up. */
async function openTransactions(
  { eventStore, readModels, documents }: Deps,
  productId: string,
): Promise<number | null> {
  const head = await eventStore.head();
  if (head !== null && !(await readModels.waitFor([catalogue], head, POSITION_WAIT_MS)))
    return null;
  const products = await readModels.liveCollection(catalogue, 'products');
  return (await documents.get<ProductDocument>(products, productId))?.openTransactions ?? 0;
}

/** Removes one's own product, unless a buyer has paid for it and waits. */
export const removeProduct =
  (deps: Deps): Handler<'removeProduct'> =>
  async (request) => {
    const { params, actor } = request;
    const open = await openTransactions(deps, params.id);
    if (open === null) return behind();
    const { sellerId } = actor;
    const handled = await deps.handle(
      product,
      params.id,
      { type: 'RemoveProduct', sellerId, inTransaction: open > 0 },
      contextOf(request, sellerActor(sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    const message = 'successfully removed your product';
    return { status: 200, body: { success: true, message }, position: handled.position };
  };
