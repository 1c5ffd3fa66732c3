import { isPlace, limits, subcategoryById } from '@oja/domain/rules';
import type { Draft } from './draft/draft.js';
import { fieldsOf } from './fields.js';
import { priceOf } from './price.js';

export const SUBCATEGORY_MISSING = 'Please select a subcategory!';
export const FIELDS_MISSING = 'Please enter all asterisked (*) fields!';
export const PLACE_MISSING = 'Please select a State and Local Govt!';
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
