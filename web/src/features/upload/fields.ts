import {
  type AttributeName,
  attributeLabels,
  conditions,
  formatNaira,
  genders,
  isPlace,
  limits,
  MOST_STOCK,
  nairaToKobo,
  type PriceKind,
  raisedPriceNaira,
  subcategoryById,
} from '@oja/domain/rules';
import { ApiError } from '../../api/error.js';
import type { OwnProduct } from '../../api/types.js';
import { isWholeNaira } from '../../ui/typed-price.js';
import type { Draft } from './draft.js';

/** What a seller types about a product, besides category, place, pictures and price. */
type FieldName = 'prod_name' | 'description' | 'stock' | AttributeName;

export interface ProductField {
  readonly name: FieldName;
  readonly label: string;
  readonly required: boolean;
  /** In characters. */
  readonly maxLength: number;
  readonly multiline?: true;
  /** A whole number is typed. */
  readonly figures?: true;
  readonly hint?: string;
  readonly wide?: true;
  /** The values to choose from, with their labels. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

const toOptions = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

const choices: Partial<Record<AttributeName, ProductField['options']>> = {
  gender: toOptions(genders),
  condition: toOptions(conditions),
  water_resistance: [
    { value: '1', label: 'Yes' },
    { value: '0', label: 'No' },
  ],
};

const productName: ProductField = {
  name: 'prod_name',
  label: 'Product name',
  required: true,
  maxLength: limits.productName.max,
  wide: true,
};
const description: ProductField = {
  name: 'description',
  label: 'Description',
  required: true,
  maxLength: limits.description.max,
  multiline: true,
  wide: true,
};

/** The same in every category. It stands beside the price and not among the attributes. */
export const stockField: ProductField = {
  name: 'stock',
  label: 'How many do you have?',
  required: false,
  // With the comma of thousands, and a little room for a slip, which is then said and not cut off.
  maxLength: 8,
  figures: true,
  wide: true,
  hint: 'If you count: it goes down with each paid order, and shoppers read Sold out at none.',
};

function attributeField(name: AttributeName): ProductField {
  const options = choices[name];
  return {
    name,
    label: attributeLabels[name],
    required: false,
    maxLength: limits.attribute.max,
    ...(options !== undefined && { options }),
  };
}

/** The fields of a subcategory in the order of the form; without a subcategory, those that all products have. */
export function productFields(subcategoryId: number | null): readonly ProductField[] {
  const attributes =
    subcategoryId === null ? [] : (subcategoryById(subcategoryId)?.attributes ?? []);
  const fields = attributes.map(attributeField);
  // In two columns, the last field of an odd number takes a whole row.
  const last = fields.length % 2 === 1 ? fields.pop() : undefined;
  const rest: ProductField[] = last === undefined ? [] : [{ ...last, wide: true }];
  return [productName, ...fields, ...rest, description];
}

/** All typed fields of a product except its price. */
export const allProductFields = (subcategoryId: number | null): readonly ProductField[] => [
  ...productFields(subcategoryId),
  stockField,
];

/** The typed number of pieces, with or without the commas of thousands; undefined when it is none. */
function parsePieces(typed: string): number | undefined {
  const digits = typed.trim().replace(/^(\d{1,3}),(\d{3})$/, '$1$2');
  const pieces = /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
  return pieces <= MOST_STOCK ? pieces : undefined;
}

/** A typed stock that is no number of pieces, such as -1 or 1.5. Nothing typed is right: it is not counted then. */
export function stockProblem(typed = ''): Problems {
  return typed.trim() === '' || parsePieces(typed) !== undefined
    ? {}
    : {
        stock: `Type a whole number up to ${MOST_STOCK.toLocaleString('en-NG')}, or leave it empty.`,
      };
}

/** What is said of a stock that was typed over another count than this, the present one; empty for none. */
export function stockChangedText(count: string): string {
  const now =
    count === ''
      ? 'they are not counted now'
      : `it is ${Number(count).toLocaleString('en-NG')} now`;
  return `The count changed meanwhile: ${now}. Check your number, then press again.`;
}

/** A field's name and value on the wire: `condition` is sent as `cond`, and yes or no as 1 or 0. */
export function toWireField(
  name: FieldName,
  value: string,
): Readonly<Record<string, string | number | null>> {
  if (name === 'condition') return { cond: value };
  if (name === 'water_resistance') return { water_resistance: value === '1' ? 1 : 0 };
  if (name === 'stock') return { stock: parsePieces(value) ?? null };
  return { [name]: value.trim() };
}

/** Labels of the fields, by their names on the wire. */
const wireLabels: Readonly<Record<string, string>> = {
  ...attributeLabels,
  cond: attributeLabels.condition,
  prod_name: productName.label,
  description: description.label,
  stock: stockField.label,
  price: 'Your price',
  subcategory_id: 'Category',
  state: 'State and Local Govt',
  local_govt: 'State and Local Govt',
  imageUrls: 'Pictures',
};

/** The label of a field that the market refused, by its path in what was sent: 'updatedInput.prod_name'. */
function wireLabel(path: string): string {
  const name = path.replace(/^updatedInput\.|\.\d+$/g, '');
  return wireLabels[name] ?? name;
}

/**
 * The title of the message about a failure: its reason, if the server, the image host or the network gave one. What was
 * filled in stays in the form either way.
 */
export function toToastTitle(error: unknown): { readonly title?: string } {
  if (!(error instanceof ApiError)) return {};
  const [field] = Object.entries(error.errors);
  return { title: field === undefined ? error.message : `${wireLabel(field[0])}: ${field[1]}` };
}

/** A product's value in a field, as the form holds it; empty when there is none. */
export function currentValue(product: OwnProduct, name: FieldName): string {
  const value = name === 'condition' ? product.prod_condition : product[name];
  return value === undefined ? '' : String(value);
}

/** The value that `currentValue` gives, in words. */
export function displayValue(product: OwnProduct, field: ProductField): string {
  const value = currentValue(product, field.name);
  if (field.name === 'stock' && value === '') return 'not counted';
  return field.options?.find((option) => option.value === value)?.label ?? value;
}

/** The price in naira in the value of a price field; undefined when it is none, or not allowed. */
export function parsePrice(value: string): number | undefined {
  const naira = isWholeNaira(value) ? Number(value) : Number.NaN;
  return naira >= limits.typedPriceNaira.min && naira <= limits.typedPriceNaira.max
    ? naira
    : undefined;
}

interface PriceSplit {
  /** All amounts in naira. */
  readonly receives: number;
  readonly added: number;
  readonly pays: number;
}

/** What the seller receives, what Oja adds and what shoppers pay. */
export function splitPrice(naira: number, kind: PriceKind): PriceSplit {
  const pays = raisedPriceNaira(naira, kind);
  return { receives: naira, added: pays - naira, pays };
}

const SUBCATEGORY_MISSING = 'Please select a subcategory!';
export const FIELDS_MISSING = 'Please enter all asterisked (*) fields!';
const PLACE_MISSING = 'Please select a State and Local Govt!';
export const NO_PICTURE = 'you did not select any image before uploading...';

/** Part of the form → what is wrong with it. */
export type Problems = Readonly<Partial<Record<string, string>>>;

/**
 * The problems that keep a draft from being uploaded; where the product has a wording of old, in that, odd spellings included.
 * @param coming how many picked pictures are still being scaled down: sending waits for them
 */
export function validateDraft(draft: Draft, coming = 0): Problems {
  return {
    ...subcategoryProblem(draft),
    ...placeProblem(draft),
    ...picturesProblem(draft.pictures.length + coming),
    ...Object.fromEntries(
      productFields(draft.subcategoryId)
        .filter(({ name, required }) => required && (draft.values[name] ?? '').trim() === '')
        .map(({ name }) => [name, FIELDS_MISSING]),
    ),
    ...stockProblem(draft.values.stock),
    ...priceProblem(draft.price),
  };
}

function subcategoryProblem({ subcategoryId }: Draft): Problems {
  const known = subcategoryId !== null && subcategoryById(subcategoryId)?.category != null;
  return known ? {} : { subcategory: SUBCATEGORY_MISSING };
}

function placeProblem({ state, localGovt }: Draft): Problems {
  return isPlace(state ?? '', localGovt ?? '') ? {} : { place: PLACE_MISSING };
}

/** What is wrong with this number of pictures. */
export function picturesProblem(count: number): Problems {
  const { min, max } = limits.images;
  if (count === 0) return { pictures: 'Please select a file.' };
  if (count < min) return { pictures: `minimum number of file is ${min}.` };
  return count > max ? { pictures: `Maximus number of file is ${max}.` } : {};
}

const formatLimit = (naira: number) => formatNaira(nairaToKobo(naira));

/** Whether a price is missing or not allowed. */
export function priceProblem(value: string): Problems {
  const { min, max } = limits.typedPriceNaira;
  if (value === '') return { price: FIELDS_MISSING };
  if (!isWholeNaira(value))
    return { price: 'Type the price in figures, in whole naira, such as 5,000.' };
  return parsePrice(value) === undefined
    ? { price: `Prices go from ${formatLimit(min)} to ${formatLimit(max)}, in whole naira.` }
    : {};
}
