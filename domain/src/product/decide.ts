import { type Decision, decided, nothingToDo, refused } from '../decider.js';
import { conflict, invalid, invalidField, notFound } from '../refusal.js';
import { subcategoryById } from '../rules/catalogue.js';
import { detailProblems, imageProblem, ownAttributes, type Problems } from './checks.js';
import type { ListProduct, ProductCommand, UpdateProduct } from './commands.js';
import type { ListedProduct, ProductEvent, ProductState } from './events.js';
import { decideStock } from './stock.js';

export const noSuchProduct = notFound('no_product', 'This product is not there, or is not yours');
export const stillInTransaction = conflict(
  'in_transaction',
  'This product is still in transaction!',
);

const problemsRefusal = (problems: Problems) =>
  invalid(
    'invalid_product',
    Object.entries(problems)
      .map(([field, problem]) => `${field}: ${problem}`)
      .join('; '),
    problems,
  );

function list(command: ListProduct): Decision<ProductEvent> {
  const subcategory = subcategoryById(command.subcategoryId);
  if (!subcategory?.category)
    return refused(invalidField('subcategory_id', 'Please select a subcategory!'));
  const problems = detailProblems(command, subcategory, 'upload');
  const pictures = imageProblem(command.images);
  if (pictures) problems.imageUrls = pictures;
  if (Object.keys(problems).length > 0) return refused(problemsRefusal(problems));
  const { productId, sellerId, name, price, description, state, localGovt, condition } = command;
  return decided({
    type: 'ProductListed',
    data: {
      productId,
      sellerId,
      name,
      price,
      priceKind: 'upload',
      description,
      subcategoryId: subcategory.id,
      state,
      localGovt,
      ...(condition ? { condition } : {}),
      attributes: ownAttributes(command.attributes, subcategory),
      images: [...command.images],
      ...(typeof command.stock === 'number' && { stock: command.stock }),
      at: command.at,
    },
  });
}

function update(command: UpdateProduct, product: ListedProduct): Decision<ProductEvent> {
  const { type: _, sellerId, attributes, images, ...chosen } = command;
  const subcategory = subcategoryById(product.subcategoryId);
  if (!subcategory) throw new Error(`unknown subcategory ${product.subcategoryId}`);
  // A place is a pair: one half alone is judged with the half that stays.
  const place =
    chosen.state !== undefined || chosen.localGovt !== undefined
      ? { state: chosen.state ?? product.state, localGovt: chosen.localGovt ?? product.localGovt }
      : {};
  const details = { ...chosen, ...place, ...(attributes ? { attributes } : {}) };
  const problems = detailProblems(details, subcategory, 'update');
  const pictures = images === undefined ? null : imageProblem(images);
  if (pictures) problems.imageUrls = pictures;
  if (Object.keys(problems).length > 0) return refused(problemsRefusal(problems));
  const { name, price, description, condition, stock } = chosen;
  const own = ownAttributes(attributes ?? {}, subcategory, product.attributes);
  const changed = {
    ...(name !== undefined && { name }),
    ...(price !== undefined && { price, priceKind: 'update' as const }),
    ...(description !== undefined && { description }),
    ...place,
    ...(condition !== undefined && { condition }),
    ...(Object.keys(own).length > 0 && { attributes: own }),
    ...(stock !== undefined && { stock }),
    ...(images !== undefined && { images: [...images] }),
  };
  if (Object.keys(changed).length === 0)
    // An attribute that was chosen, but changes nothing (cleared where there is none), is no mistake.
    return Object.keys(attributes ?? {}).length > 0
      ? nothingToDo
      : refused(invalid('nothing_chosen', 'Choose at least one field to change'));
  const data = { productId: product.productId, sellerId, ...changed };
  return decided({ type: 'ProductUpdated', data });
}

export function decideProduct(
  command: ProductCommand,
  product: ProductState,
): Decision<ProductEvent> {
  if (command.type === 'ListProduct') {
    if (product.status !== 'none')
      return refused(conflict('listed', 'This product is listed already'));
    return list(command);
  }
  if (product.status === 'none') return refused(noSuchProduct);
  switch (command.type) {
    case 'HoldStock':
      if (product.status !== 'available') return refused(noSuchProduct);
      return decideStock(command, product);
    // Whatever has become of the product meanwhile: it was ordered before.
    case 'EndStockHold':
    case 'TakeStock':
    case 'ReturnStock':
      return decideStock(command, product);
  }
  if (product.sellerId !== command.sellerId) return refused(noSuchProduct);
  if (product.status === 'removed')
    return command.type === 'RemoveProduct' ? nothingToDo : refused(noSuchProduct);
  const { productId, sellerId } = product;
  switch (command.type) {
    case 'UpdateProduct':
      return update(command, product);
    case 'ToggleAvailability':
      if (product.status === command.wanted) return nothingToDo;
      return decided({
        type: product.status === 'available' ? 'ProductMadeUnavailable' : 'ProductMadeAvailable',
        data: { productId, sellerId },
      });
    case 'RemoveProduct':
      if (command.inTransaction) return refused(stillInTransaction);
      return decided({ type: 'ProductRemoved', data: { productId, sellerId } });
  }
}
