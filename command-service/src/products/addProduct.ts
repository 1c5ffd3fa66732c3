import { nairaToKobo, product } from '@oja/domain';
import { adoptPictures } from '@oja/platform';
import { contextOf, derivedId, sellerActor } from '../commands.js';
import type { Deps, Handler } from '../deps.js';
import { failedAnswer, wrongField } from '../refusals.js';
import { chosenDetails } from './wire.js';

/** Lists a product with pictures that the image host took in before. */
export const addProduct =
  ({
    handle,
    images,
    state,
    clock,
  }: Pick<Deps, 'handle' | 'images' | 'state' | 'clock'>): Handler<'addProduct'> =>
  async (request) => {
    const { actor, body, commandId } = request;
    const { updatedInput, imageUrls } = body;
    const references = imageUrls.flatMap((address) => images.reference(address) ?? []);
    if (references.length < imageUrls.length)
      return wrongField('imageUrls', 'must be addresses that the image host gave out');
    await adoptPictures(state, references, clock.now());
    const productId = derivedId(commandId, 'product');
    const { attributes = {}, condition } = chosenDetails(updatedInput);
    const handled = await handle(
      product,
      productId,
      {
        type: 'ListProduct',
        productId,
        sellerId: actor.sellerId,
        subcategoryId: updatedInput.subcategory_id,
        name: updatedInput.prod_name,
        price: nairaToKobo(updatedInput.price),
        description: updatedInput.description,
        state: updatedInput.state,
        localGovt: updatedInput.local_govt,
        condition,
        attributes,
        images: references,
        at: new Date(clock.now()).toISOString(),
      },
      contextOf(request, sellerActor(actor.sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    return { status: 201, body: { success: true, productId }, position: handled.position };
  };
