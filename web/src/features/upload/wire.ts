import { raisedPriceNaira, subcategoryById } from '@oja/domain/rules';
import type { Body } from '../../api/types.js';
import type { Draft } from './draft/draft.js';
import { fieldsOf, onWire } from './fields.js';

/** The body of a post: the price is raised by 15 %, and fields left empty are left out. */
export function bodyOf(draft: Draft, imageUrls: string[]): Body<'addProduct'> {
  const typed = fieldsOf(draft.subcategoryId).flatMap(({ name }) => {
    const value = draft.values[name] ?? '';
    return value.trim() === '' ? [] : Object.entries(onWire(name, value));
  });
  const { prod_name = '', description = '', ...attributes } = Object.fromEntries(typed);
  const subcategoryId = draft.subcategoryId ?? 0;
  return {
    updatedInput: {
      ...attributes,
      prod_name: String(prod_name),
      description: String(description),
      price: raisedPriceNaira(Number(draft.price), 'upload'),
      subcategory_id: subcategoryId,
      subcategory_name: subcategoryById(subcategoryId)?.name ?? '',
      state: draft.state ?? '',
      local_govt: draft.localGovt ?? '',
    },
    imageUrls,
  };
}
