import type { BodyOf, Calls } from '@oja/contracts';
import { catalogue, type ProductDocument } from '@oja/contracts/models';
import {
  type AttributeName,
  attributeNames,
  type ChosenDetails,
  nairaToKobo,
  product,
} from '@oja/domain';
import { refuse } from '@oja/http';
import { adoptPictures, POSITION_WAIT_MS } from '@oja/platform';
import { contextOf, derivedId, failedAnswer, sellerActor, wrongField } from './commands.js';
import type { Deps, Handler, Handlers } from './deps.js';

/** What a seller may say of a product, as the wire spells it. */
type ProductInput = BodyOf<Calls['updateProduct']>;
type Attributes = NonNullable<ChosenDetails['attributes']>;

const isText = (name: AttributeName): name is Exclude<AttributeName, 'condition'> =>
  name !== 'condition';

/** Those that were sent. An empty one clears what stood there; in a new product it says nothing. */
function attributesOf(input: ProductInput): Attributes {
  return Object.fromEntries(
    attributeNames.filter(isText).flatMap((name) => {
      const value = input[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/** From the names and naira of the wire to those of the domain; what was not said stays unsaid. */
function chosenDetails(input: ProductInput): ChosenDetails {
  const attributes = attributesOf(input);
  return {
    name: input.prod_name,
    price: input.price === undefined ? undefined : nairaToKobo(input.price),
    description: input.description,
    state: input.state,
    localGovt: input.local_govt,
    condition: input.cond ?? input.prod_condition,
    attributes: Object.keys(attributes).length === 0 ? undefined : attributes,
    stock: input.stock,
  };
}

type PictureDeps = Pick<Deps, 'handle' | 'images' | 'state' | 'clock'>;

/** The references of pictures that the image host took in before, kept from now on; null: one is none of its. */
async function picturesAt(
  addresses: readonly string[],
  { images, state, clock }: PictureDeps,
): Promise<readonly string[] | null> {
  const references = addresses.flatMap((address) => images.reference(address) ?? []);
  if (references.length < addresses.length) return null;
  await adoptPictures(state, references, clock.now());
  return references;
}

const foreignPicture = () =>
  wrongField('imageUrls', 'must be addresses that the image host gave out');

/** Lists a product with pictures that the image host took in before. */
const addProduct =
  (deps: PictureDeps): Handler<'addProduct'> =>
  async (request) => {
    const { handle, clock } = deps;
    const { actor, body, commandId } = request;
    const { updatedInput, imageUrls } = body;
    const references = await picturesAt(imageUrls, deps);
    if (references === null) return foreignPicture();
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
        stock: updatedInput.stock,
        images: references,
        at: new Date(clock.now()).toISOString(),
      },
      contextOf(request, sellerActor(actor.sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    return { status: 201, body: { success: true, productId }, position: handled.position };
  };

/** Changes the chosen fields of one's own product. */
const updateProduct =
  (deps: PictureDeps): Handler<'updateProduct'> =>
  async (request) => {
    const { params, body, actor } = request;
    const { sellerId } = actor;
    const images = body.imageUrls && (await picturesAt(body.imageUrls, deps));
    if (images === null) return foreignPicture();
    const handled = await deps.handle(
      product,
      params.productID,
      { type: 'UpdateProduct', sellerId, ...chosenDetails(body), images },
      contextOf(request, sellerActor(sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    const message = 'successfully updated your product';
    return { status: 200, body: { success: true, message }, position: handled.position };
  };

const statusOf = { AVAILABLE: 'available', UNAVAILABLE: 'unavailable' } as const;

/** Takes one's own product out of the lists, or puts it back. The browser reads the fifth word. */
const toggleProductStatus =
  ({ handle }: Pick<Deps, 'handle'>): Handler<'toggleProductStatus'> =>
  async (request) => {
    const { sellerId } = request.actor;
    const { status } = request.query;
    const wanted = status === undefined ? undefined : statusOf[status];
    const handled = await handle(
      product,
      request.params.id,
      { type: 'ToggleAvailability', sellerId, wanted },
      contextOf(request, sellerActor(sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    const message = `Product status changed to ${handled.state.status}`;
    return { status: 200, body: { success: true, message }, position: handled.position };
  };

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
const removeProduct =
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

export const productHandlers = (deps: Deps) =>
  ({
    addProduct: addProduct(deps),
    updateProduct: updateProduct(deps),
    toggleProductStatus: toggleProductStatus(deps),
    removeProduct: removeProduct(deps),
  }) satisfies Partial<Handlers>;
