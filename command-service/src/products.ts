import { isDeepStrictEqual } from 'node:util';
import type { BodyOf, Calls } from '@oja/contracts';
import { catalogue, type ProductDocument } from '@oja/contracts/models';
import {
  type AttributeName,
  attributeNames,
  type ChosenDetails,
  isStockChanged,
  type ListProduct,
  nairaToKobo,
  product,
  sellerActor,
} from '@oja/domain';
import { refuse } from '@oja/http';
import { adoptPictures, nowOf, POSITION_WAIT_MS, type Written } from '@oja/platform';
import {
  type Answer,
  contextFor,
  derivedId,
  type FailedCommand,
  failedAnswer,
  invalidField,
  refusalAnswer,
  reusedKeyAnswer,
} from './commands.js';
import type { Deps, Handler, Handlers } from './deps.js';

/** The product fields that a seller may set, as the wire spells them. */
type ProductInput = BodyOf<Calls['updateProduct']>;
type Attributes = NonNullable<ChosenDetails['attributes']>;

const isAttribute = (name: AttributeName): name is Exclude<AttributeName, 'condition'> =>
  name !== 'condition';

/** The attributes that were sent. An empty one clears the stored value; in a new product it means nothing. */
function attributesOf(input: ProductInput): Attributes {
  return Object.fromEntries(
    attributeNames.filter(isAttribute).flatMap((name) => {
      const value = input[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * Converts names and naira of the wire to those of the domain. Absent fields stay absent. A detail that is missing here
 * would be taken from sellers and lost, so the compiler asks for each.
 */
function chosenDetails(input: ProductInput): ChosenDetails {
  const attributes = attributesOf(input);
  return {
    name: input.prod_name,
    price: input.price === undefined ? undefined : nairaToKobo(input.price),
    description: input.description,
    state: input.state,
    localGovt: input.local_govt,
    condition: input.cond || input.prod_condition || undefined,
    attributes: Object.keys(attributes).length === 0 ? undefined : attributes,
    stock: input.stock,
  } satisfies Record<keyof ChosenDetails, unknown>;
}

type PictureDeps = Pick<Deps, 'handle' | 'load' | 'images' | 'state' | 'clock'>;

/**
 * The references of pictures that the image host has stored, which it keeps from now on. Null when
 * an address is neither one of its own nor of a picture that this product has already: the market may have had another
 * host when that was listed.
 */
async function toPictureReferences(
  addresses: readonly string[],
  { load, images, state, clock }: PictureDeps,
  productId?: string,
): Promise<readonly string[] | null> {
  const isOurs = addresses.every((address) => images.reference(address) !== null);
  const known = isOurs || productId === undefined ? null : await load(product, productId);
  const listed = known === null || known.state.status === 'none' ? [] : known.state.images;
  const references = addresses.flatMap(
    (address) =>
      images.reference(address) ?? listed.find((one) => images.address(one) === address) ?? [],
  );
  if (references.length < addresses.length) return null;
  await adoptPictures(state, references, clock.now());
  return references;
}

const foreignPicture = () =>
  invalidField('imageUrls', 'must be addresses that the image host gave out');

/**
 * Whether this is the command that has listed the product.
 * @param listed the event that is in the log
 */
function isSameListing(command: ListProduct, listed: Written | undefined): boolean {
  const decision = product.decide({ ...command, at: String(listed?.data.at) }, product.initial);
  return decision.ok && isDeepStrictEqual(decision.events[0]?.data, listed?.data);
}

/** Lists a product. Its pictures must already be at the image host. */
const addProduct =
  (deps: PictureDeps): Handler<'addProduct'> =>
  async (request) => {
    const { handle } = deps;
    const { actor, body, commandId } = request;
    const { updatedInput, imageUrls } = body;
    const references = await toPictureReferences(imageUrls, deps);
    if (references === null) return foreignPicture();
    const productId = derivedId(commandId, 'product');
    const details = chosenDetails(updatedInput);
    const command = {
      ...details,
      type: 'ListProduct',
      productId,
      sellerId: actor.sellerId,
      subcategoryId: updatedInput.subcategory_id,
      name: updatedInput.prod_name,
      price: nairaToKobo(updatedInput.price),
      description: updatedInput.description,
      state: updatedInput.state,
      localGovt: updatedInput.local_govt,
      attributes: details.attributes ?? {},
      images: references,
      at: nowOf(deps),
    } as const;
    const context = contextFor(request, sellerActor(actor.sellerId));
    const handled = await handle(product, productId, command, context);
    if (!handled.ok) return failedAnswer(handled);
    if (handled.repeated && !isSameListing(command, handled.events[0]))
      return reusedKeyAnswer('product');
    return { status: 201, body: { success: true, productId }, position: handled.position };
  };

/** The answer to a failed update. A changed count is given, so that the form can show it and ask again. */
function failedUpdate(handled: FailedCommand): Answer {
  if (handled.conflict || !isStockChanged(handled.refusal)) return failedAnswer(handled);
  const { failed } = refusalAnswer(handled.refusal);
  return { failed: { ...failed, details: { stock: handled.refusal.stock } } };
}

/** Changes the given fields of the caller's own product. */
const updateProduct =
  (deps: PictureDeps): Handler<'updateProduct'> =>
  async (request) => {
    const { params, body, actor } = request;
    const { sellerId } = actor;
    const images =
      body.imageUrls && (await toPictureReferences(body.imageUrls, deps, params.productID));
    if (images === null) return foreignPicture();
    const handled = await deps.handle(
      product,
      params.productID,
      {
        type: 'UpdateProduct',
        sellerId,
        ...chosenDetails(body),
        images,
        stockWas: body.stock_was,
      },
      contextFor(request, sellerActor(sellerId)),
    );
    if (!handled.ok) return failedUpdate(handled);
    const message = 'successfully updated your product';
    return { status: 200, body: { success: true, message }, position: handled.position };
  };

const statusOf = { AVAILABLE: 'available', UNAVAILABLE: 'unavailable' } as const;

/**
 * Hides the caller's own product from the lists, or shows it again. The client parses the fifth
 * word of the message.
 */
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
      contextFor(request, sellerActor(sellerId)),
    );
    if (!handled.ok) return failedAnswer(handled);
    const message = `Product status changed to ${handled.state.status}`;
    return { status: 200, body: { success: true, message }, position: handled.position };
  };

const readModelBehind = () =>
  refuse(503, 'Oja is still taking note of the latest orders. Please try again in a moment.', {
    headers: { 'Retry-After': '2' },
  });

/** The number of paid, open orders that contain the product; null when the read model has not caught up. */
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

/** Removes the caller's own product, unless a paid, open order contains it. */
const removeProduct =
  (deps: Deps): Handler<'removeProduct'> =>
  async (request) => {
    const { params, actor } = request;
    const open = await openTransactions(deps, params.id);
    if (open === null) return readModelBehind();
    const { sellerId } = actor;
    const handled = await deps.handle(
      product,
      params.id,
      { type: 'RemoveProduct', sellerId, inTransaction: open > 0 },
      contextFor(request, sellerActor(sellerId)),
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
