import { product } from '@oja/domain';
import { contextOf, sellerActor } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { failedAnswer } from '../refusals.js';

/** Takes one's own product out of the lists, or puts it back. The browser reads the fifth word. */
export const toggleProductStatus =
  ({ handle }: Pick<Deps, 'handle'>): Handler<'toggleProductStatus'> =>
  async (request) => {
    const { sellerId } = request.actor;
    const handled = await handle(
      product,
      request.params.id,
      { type: 'ToggleAvailability', sellerId },
      contextOf(request, sellerActor(sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    const message = `Product status changed to ${handled.state.status}`;
    return { status: 200, body: { success: true, message }, position: handled.position };
  };
