import {
  conflict,
  type Decision,
  decided,
  invalid,
  invalidField,
  notFound,
  nothingToDo,
  refused,
} from '../decider.js';
import {
  attributeNames,
  type Condition,
  conditions,
  genders,
  type Subcategory,
  subcategoryById,
} from '../rules/catalogue.js';
import { isPlace } from '../rules/delivery.js';
import { limits, MOST_STOCK } from '../rules/limits.js';
import {
  formatNaira,
  KOBO_PER_NAIRA,
  nairaToKobo,
  type PriceKind,
  raisedPriceNaira,
} from '../rules/money.js';
import type {
  ChosenDetails,
  ListedProduct,
  ListProduct,
  ProductAttributes,
  ProductCommand,
  ProductEvent,
  ProductState,
  UpdateProduct,
} from './product.js';
import { decideStock, stockRefusal } from './stock.js';

/** Field name on the wire → what is wrong with the field. */
type Problems = Record<string, string>;

const length = (text: string) => [...text].length;
const lowestPrice = nairaToKobo(limits.typedPriceNaira.min);
const highestPrice = (kind: PriceKind) =>
  nairaToKobo(raisedPriceNaira(limits.typedPriceNaira.max, kind));
const highestTyped = formatNaira(nairaToKobo(limits.typedPriceNaira.max));

const isPrice = (price: number, kind: PriceKind) =>
  price >= lowestPrice && price <= highestPrice(kind) && price % KOBO_PER_NAIRA === 0;

const isCount = (stock: number) => Number.isInteger(stock) && stock >= 0 && stock <= MOST_STOCK;

function attributeProblem(name: string, value: string | number, of: Subcategory): string | null {
  if (value === '') return null;
  const belongs = of.attributes.some((attribute) => attribute === name);
  // Some forms send the product's top category in this field. That is not an error.
  if (name === 'category' && value === of.category) return null;
  if (!belongs) return `${of.name} have no ${name}`;
  if (name === 'water_resistance')
    return value === 0 || value === 1 ? null : 'must be 1 (yes) or 0 (no)';
  if (typeof value !== 'string') return 'must be text';
  if (length(value) > limits.attribute.max) return `maximum of ${limits.attribute.max} characters`;
  if (name === 'gender' && !genders.some((gender) => gender === value))
    return `must be one of ${genders.join(', ')}`;
  return null;
}

/** The condition, where goods of the subcategory have one. All others count as new, and may be called so. */
const ownCondition = (condition: Condition | undefined, of: Subcategory): Condition | undefined =>
  of.attributes.includes('condition') ? condition : undefined;

/** What is wrong with the given details, by field. Fields that are left out are not checked. */
function detailProblems(details: ChosenDetails, of: Subcategory, kind: PriceKind): Problems {
  const problems: Problems = {};
  const { name, price, description, state, localGovt, condition, attributes, stock } = details;
  if (name !== undefined && (name.trim() === '' || length(name) > limits.productName.max))
    problems.prod_name = `must be 1 to ${limits.productName.max} characters`;
  if (description !== undefined && description.trim() === '')
    problems.description = 'must not be empty';
  if (description !== undefined && length(description) > limits.description.max)
    problems.description = `maximum of ${limits.description.max} characters`;
  if (price !== undefined && !isPrice(price, kind))
    problems.price = `must be whole naira, and at most ${highestTyped} before the raise`;
  if ((state !== undefined || localGovt !== undefined) && !isPlace(state ?? '', localGovt ?? ''))
    problems.local_govt = 'choose a State and Local Govt of the list';
  if (condition === 'Used' && ownCondition(condition, of) === undefined)
    problems.prod_condition = `${of.name} have no condition`;
  else if (condition !== undefined && !conditions.includes(condition))
    problems.prod_condition = `must be one of ${conditions.join(', ')}`;
  if (typeof stock === 'number' && !isCount(stock))
    problems.stock = `must be a whole number, 0 to ${MOST_STOCK}`;
  for (const [attribute, value] of Object.entries(attributes ?? {})) {
    const problem = attributeProblem(attribute, value, of);
    if (problem) problems[attribute] = problem;
  }
  return problems;
}

function imageProblem(images: readonly string[]): string | null {
  const { min, max } = limits.images;
  if (images.length < min) return `minimum number of file is ${min}.`;
  if (images.length > max) return `Maximus number of file is ${max}.`;
  return new Set(images).size === images.length ? null : 'every picture must be another one';
}

/**
 * Keeps the attributes that belong to the subcategory. An empty text is kept only where it clears a
 * value of `before`.
 */
function ownAttributes(
  attributes: ProductAttributes,
  of: Subcategory,
  before: ProductAttributes = {},
): ProductAttributes {
  const own = attributeNames.filter((name) => of.attributes.includes(name));
  return Object.fromEntries(
    own.flatMap((name) => {
      const value = attributes[name];
      const clearsNothing = value === '' && before[name] === undefined;
      return value === undefined || clearsNothing ? [] : [[name, value]];
    }),
  );
}

const noSuchProduct = notFound('no_product', 'This product is not there, or is not yours');
const stillInTransaction = conflict('in_transaction', 'This product is still in transaction!');

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
  const { productId, sellerId, name, price, description, state, localGovt } = command;
  const condition = ownCondition(command.condition, subcategory);
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
  const { type: _, sellerId, attributes, images, stockWas, ...chosen } = command;
  const subcategory = subcategoryById(product.subcategoryId);
  if (!subcategory) throw new Error(`unknown subcategory ${product.subcategoryId}`);
  // State and local government are validated as a pair: if only one changes, the stored other one is used.
  const place =
    chosen.state !== undefined || chosen.localGovt !== undefined
      ? { state: chosen.state ?? product.state, localGovt: chosen.localGovt ?? product.localGovt }
      : {};
  const details = { ...chosen, ...place, ...(attributes ? { attributes } : {}) };
  const problems = detailProblems(details, subcategory, 'update');
  const pictures = images === undefined ? null : imageProblem(images);
  if (pictures) problems.imageUrls = pictures;
  if (Object.keys(problems).length > 0) return refused(problemsRefusal(problems));
  const { name, price, description, stock } = chosen;
  const stockChanged = stock === undefined ? null : stockRefusal(product, stockWas);
  if (stockChanged !== null) return refused(stockChanged);
  const condition = ownCondition(chosen.condition, subcategory);
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
    // Clearing an attribute that is already empty, or calling goods new that count as new, changes nothing.
    return Object.keys(attributes ?? {}).length > 0 || chosen.condition !== undefined
      ? nothingToDo
      : refused(invalid('nothing_chosen', 'Choose at least one field to change'));
  const data = { productId: product.productId, sellerId, ...changed };
  return decided({ type: 'ProductUpdated', data });
}

/** The events that a command to a product causes, or why it is refused. A listed product is not listed again. */
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
    // The product's status does not matter here: the order was placed earlier.
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
