import { attributeLabels, attributeNames, subcategoryById } from '@oja/domain/rules';
import type { Product } from '../../api/types.js';

export interface ShownAttribute {
  readonly name: string;
  readonly label: string;
  readonly value: string;
}

const yesOrNo = { 0: 'No', 1: 'Yes' } as const;

/** What a product says of itself: its subcategory's attributes first, then what else it has. */
export function attributesOf(product: Product): readonly ShownAttribute[] {
  const own = subcategoryById(product.subcategory_id)?.attributes ?? [];
  return [...new Set([...own, ...attributeNames])].flatMap((name) => {
    const value = said(product, name);
    return value === undefined ? [] : [{ name, label: attributeLabels[name], value }];
  });
}

function said(product: Product, name: (typeof attributeNames)[number]): string | undefined {
  if (name === 'condition') return product.prod_condition;
  if (name === 'water_resistance') {
    const resists = product.water_resistance;
    return resists === undefined ? undefined : yesOrNo[resists];
  }
  return product[name] || undefined;
}
