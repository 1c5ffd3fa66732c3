import { type AttributeName, offeredSubcategories, states } from '@oja/domain/rules';
import type { SamplePlace } from '../types.js';

/**
 * A subcategory in which sellers may list. Its condition stands apart from its other attributes.
 */
export interface OfferedSubcategory {
  readonly id: number;
  readonly attributes: readonly AttributeName[];
  readonly hasCondition: boolean;
}

export const OFFERED: readonly OfferedSubcategory[] = offeredSubcategories.map((subcategory) => ({
  id: subcategory.id,
  attributes: subcategory.attributes.filter((name) => name !== 'condition'),
  hasCondition: subcategory.attributes.includes('condition'),
}));

export const PLACES: readonly SamplePlace[] = states.flatMap(({ name, localGovts }) =>
  localGovts.map((localGovt) => ({ state: name, localGovt })),
);
