import { attributeNames, conditions, genders, type Subcategory } from '../rules/catalogue.js';
import { limits, MOST_STOCK } from '../rules/limits.js';
import { isPlace } from '../rules/locations.js';
import {
  formatNaira,
  KOBO_PER_NAIRA,
  nairaToKobo,
  type PriceKind,
  raisedPriceNaira,
} from '../rules/money.js';
import type { ChosenDetails } from './commands.js';
import type { ProductAttributes } from './events.js';

/** Field by its name on the wire → what is wrong with it. */
export type Problems = Record<string, string>;

const length = (text: string) => [...text].length;
const lowestPrice = nairaToKobo(limits.typedPriceNaira.min);
const highestPrice = (kind: PriceKind) =>
  nairaToKobo(raisedPriceNaira(limits.typedPriceNaira.max, kind));
const highestTyped = formatNaira(nairaToKobo(limits.typedPriceNaira.max));

const isPrice = (price: number, kind: PriceKind) =>
  price >= lowestPrice && price <= highestPrice(kind) && price % KOBO_PER_NAIRA === 0;

const isCount = (stock: number) => Number.isInteger(stock) && stock >= 0 && stock <= MOST_STOCK;

function attributeProblem(name: string, value: string | number, of: Subcategory): string | null {
  const belongs = of.attributes.some((attribute) => attribute === name);
  // A form that sends the top category along with the goods says nothing wrong.
  if (name === 'category' && !belongs && value === of.category) return null;
  if (!belongs) return `${of.name} have no ${name}`;
  if (value === '') return null;
  if (name === 'water_resistance')
    return value === 0 || value === 1 ? null : 'must be 1 (yes) or 0 (no)';
  if (typeof value !== 'string') return 'must be text';
  if (length(value) > limits.attribute.max) return `maximum of ${limits.attribute.max} characters`;
  if (name === 'gender' && !genders.some((gender) => gender === value))
    return `must be one of ${genders.join(', ')}`;
  return null;
}

/** What is wrong with the details that are given, with a price of this kind; those left out are not looked at. */
export function detailProblems(details: ChosenDetails, of: Subcategory, kind: PriceKind): Problems {
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
  if (condition !== undefined && !of.attributes.includes('condition'))
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

export function imageProblem(images: readonly string[]): string | null {
  const { min, max } = limits.images;
  if (images.length < min) return `minimum number of file is ${min}.`;
  if (images.length > max) return `Maximus number of file is ${max}.`;
  return new Set(images).size === images.length ? null : 'every picture must be another one';
}

/**
 * Only the attributes that belong to the subcategory and say something: empty text does where it
 * clears one of `before`.
 */
export function ownAttributes(
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
