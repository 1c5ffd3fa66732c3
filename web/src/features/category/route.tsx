import { categoryByName, subcategoryByName } from '@oja/domain/rules';
import { useParams } from 'react-router-dom';
import { CategoryPage } from './CategoryPage.js';
import { SubcategoryPage } from './SubcategoryPage.js';
import { UnknownCategory } from './UnknownCategory.js';

/** A category, or one of its subcategories; in addresses hyphens stand for spaces, and case does not matter. */
export function Component() {
  const { page = '', subcategory } = useParams();
  const category = categoryByName(page);
  if (category === null) return <UnknownCategory />;
  if (subcategory === undefined) return <CategoryPage key={category.name} category={category} />;
  const shelf = subcategoryByName(subcategory);
  if (shelf?.category !== category.name) return <UnknownCategory />;
  return <SubcategoryPage key={shelf.name} category={category} subcategory={shelf.name} />;
}
