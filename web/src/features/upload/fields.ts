import {
  type AttributeName,
  attributeLabels,
  conditions,
  genders,
  isPlace,
  limits,
  MOST_STOCK,
  type PriceKind,
  raisedPriceNaira,
  subcategoryById,
} from '@oja/domain/rules';
import type { OwnProduct } from '../../api/types.js';
import type { Draft } from './draft.js';

/** What a seller types of a product, beside its category, place and pictures. */
type FieldName = 'prod_name' | 'description' | 'stock' | AttributeName;

export interface ProductField {
  readonly name: FieldName;
  readonly label: string;
  readonly required: boolean;
  /** In characters. */
  readonly maxLength: number;
  readonly several?: true;
  /** Digits alone. */
  readonly figures?: true;
  readonly hint?: string;
  readonly wide?: true;
  /** What may be chosen, with the words for it. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
}

const named = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

const choices: Partial<Record<AttributeName, ProductField['options']>> = {
  gender: named(genders),
  condition: named(conditions),
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
  several: true,
  wide: true,
};

/** Whatever the category: how many there are belongs to the price, not to what the product is. */
export const stockField: ProductField = {
  name: 'stock',
  label: 'How many do you have?',
  required: false,
  maxLength: String(MOST_STOCK).length,
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

/** The fields of a subcategory in the order in which they stand; without one, those that all have. */
export function fieldsOf(subcategoryId: number | null): readonly ProductField[] {
  const attributes =
    subcategoryId === null ? [] : (subcategoryById(subcategoryId)?.attributes ?? []);
  const fields = attributes.map(attributeField);
  // In two columns the last of an odd number takes a whole row.
  const last = fields.length % 2 === 1 ? fields.pop() : undefined;
  const rest: ProductField[] = last === undefined ? [] : [{ ...last, wide: true }];
  return [productName, ...fields, ...rest, description];
}

/** Everything that is typed of a product, but its price. */
export const typedFieldsOf = (subcategoryId: number | null): readonly ProductField[] => [
  ...fieldsOf(subcategoryId),
  stockField,
];

/** A field's name and value on the wire: `condition` goes as `cond`, and a yes or no as 1 or 0. */
export function onWire(
  name: FieldName,
  value: string,
): Readonly<Record<string, string | number | null>> {
  if (name === 'condition') return { cond: value };
  if (name === 'water_resistance') return { water_resistance: value === '1' ? 1 : 0 };
  if (name === 'stock') return { stock: value === '' ? null : Number(value) };
  return { [name]: value.trim() };
}

/** What a product says in a field, as the form holds it; empty when it says nothing. */
export function heldValue(product: OwnProduct, name: FieldName): string {
  const value = name === 'condition' ? product.prod_condition : product[name];
  return value === undefined ? '' : String(value);
}

/** The same in words. */
export function wordsOf(product: OwnProduct, field: ProductField): string {
  const value = heldValue(product, field.name);
  if (field.name === 'stock' && value === '') return 'not counted';
  return field.options?.find((option) => option.value === value)?.label ?? value;
}

/** Digits of a figure that may stand in the field. */
const MOST_DIGITS = 9;

function wholeDigits(text: string): string {
  return text
    .replace(/\D/g, '')
    .replace(/^0+(?=\d)/, '')
    .slice(0, MOST_DIGITS);
}

/**
 * Whole naira of a figure as people write it: ₦1,250.00, 1.250,00, 1500.00 and 1 500. A point or comma before three
 * last digits groups them; the last of two kinds, or one before fewer digits, begins the kobo.
 */
export function digitsOf(written: string): string {
  const figure = written.replace(/[^\d.,]/g, '');
  const last = Math.max(figure.lastIndexOf('.'), figure.lastIndexOf(','));
  if (last === -1) return wholeDigits(figure);
  const sign = figure.charAt(last);
  const behind = figure.length - last - 1;
  const hasBoth = figure.includes(sign === '.' ? ',' : '.');
  const isKobo = hasBoth || behind < GROUP || (sign === '.' && behind > GROUP);
  return wholeDigits(isKobo ? figure.slice(0, last) : figure);
}

const GROUP = 3;
const KOBO_DIGITS = 2;

/** What stands in the price field while it is being typed. */
export interface TypedPrice {
  /** Whole naira. */
  readonly digits: string;
  /** A point or comma and what was typed behind it: shown until the field is left, and never counted. */
  readonly kobo: string;
}

/**
 * The field after a key. The commas in it are its own, but for one that was typed at the end.
 * @param kobo what stood behind the point before
 */
export function afterKey(text: string, kobo: string): TypedPrice {
  const all = wholeDigits(text);
  if (text === grouped(all)) return { digits: all, kobo: '' };
  const typedComma = text.endsWith(',') || kobo.startsWith(',');
  const at = text.includes('.') ? text.indexOf('.') : typedComma ? text.lastIndexOf(',') : -1;
  if (at === -1) return { digits: all, kobo: '' };
  const digits = wholeDigits(text.slice(0, at));
  const behind = text.slice(at + 1).replace(/\D/g, '');
  // 1.250 is a thousand and more: the point has grouped them.
  if (behind.length >= GROUP && digits !== '' && digits.length <= GROUP)
    return { digits: wholeDigits(digits + behind), kobo: '' };
  return { digits, kobo: text.charAt(at) + behind.slice(0, KOBO_DIGITS) };
}

/** 21304 → 21,304. */
export function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Where in a grouped figure so many digits have gone by. */
export function placeAfter(figure: string, digits: number): number {
  let left = digits;
  for (const [place, sign] of [...figure].entries()) {
    if (left === 0) return place;
    if (/\d/.test(sign)) left -= 1;
  }
  return figure.length;
}

/** The typed price in naira; undefined while it is none that may be asked. */
export function priceOf(digits: string): number | undefined {
  const naira = digits === '' ? 0 : Number(digits);
  return naira >= limits.typedPriceNaira.min && naira <= limits.typedPriceNaira.max
    ? naira
    : undefined;
}

interface PriceSplit {
  /** All in naira. */
  readonly receives: number;
  readonly added: number;
  readonly pays: number;
}

/** What the seller gets, what Oja adds and what shoppers pay. */
export function splitOf(naira: number, kind: PriceKind): PriceSplit {
  const pays = raisedPriceNaira(naira, kind);
  return { receives: naira, added: pays - naira, pays };
}

const SUBCATEGORY_MISSING = 'Please select a subcategory!';
export const FIELDS_MISSING = 'Please enter all asterisked (*) fields!';
const PLACE_MISSING = 'Please select a State and Local Govt!';
export const NO_PICTURE = 'you did not select any image before uploading...';

/** Part of the form → what is wrong with it. */
export type Problems = Readonly<Partial<Record<string, string>>>;

/** What keeps a draft from being uploaded, in the product's own words, odd spellings too. */
export function problemsOf(draft: Draft): Problems {
  return {
    ...subcategoryProblem(draft),
    ...placeProblem(draft),
    ...picturesProblem(draft.pictures.length),
    ...Object.fromEntries(
      fieldsOf(draft.subcategoryId)
        .filter(({ name, required }) => required && (draft.values[name] ?? '').trim() === '')
        .map(({ name }) => [name, FIELDS_MISSING]),
    ),
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

/** What is wrong with so many pictures. */
export function picturesProblem(count: number): Problems {
  const { min, max } = limits.images;
  if (count === 0) return { pictures: 'Please select a file.' };
  if (count < min) return { pictures: `minimum number of file is ${min}.` };
  return count > max ? { pictures: `Maximus number of file is ${max}.` } : {};
}

/** A price that is missing, or none that may be asked. */
export function priceProblem(digits: string): Problems {
  if (digits === '') return { price: FIELDS_MISSING };
  return priceOf(digits) === undefined
    ? { price: 'Prices go from ₦1 to ₦8,000,000, in whole naira.' }
    : {};
}
