import { product } from '@oja/domain';
import { contextOf, sellerActor } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { failedAnswer } from '../refusals.js';
import { chosenDetails } from './wire.js';

/** Changes the chosen fields of one's own product. */
export const updateProduct =
  ({ handle }: Pick<Deps, 'handle'>): Handler<'updateProduct'> =>
  async (request) => {
    const { params, body, actor } = request;
    const { sellerId } = actor;
    const handled = await handle(
      product,
      params.productID,
      { type: 'UpdateProduct', sellerId, ...chosenDetails(body) },
      contextOf(request, sellerActor(sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    const message = 'successfully updated your product';
    return { status: 200, body: { success: true, message }, position: handled.position };
  };
