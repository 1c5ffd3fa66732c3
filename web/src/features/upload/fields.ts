import {
  type AttributeName,
  attributeLabels,
  conditions,
  genders,
  limits,
  subcategoryById,
} from '@oja/domain/rules';
import type { OwnProduct } from '../../api/types.js';

/** What a seller types of a product, beside its category, place and pictures. */
export type FieldName = 'prod_name' | 'description' | AttributeName;

export interface ProductField {
  readonly name: FieldName;
  readonly label: string;
  readonly required: boolean;
  /** In characters. */
  readonly maxLength: number;
  readonly several?: true;
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

/** A field's name and value on the wire: `condition` goes as `cond`, and a yes or no as 1 or 0. */
export function onWire(name: FieldName, value: string): Readonly<Record<string, string | number>> {
  if (name === 'condition') return { cond: value };
  if (name === 'water_resistance') return { water_resistance: value === '1' ? 1 : 0 };
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
  return field.options?.find((option) => option.value === value)?.label ?? value;
}
