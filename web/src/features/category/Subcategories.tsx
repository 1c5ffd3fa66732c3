import { Link } from 'react-router-dom';
import type { Facets } from '../../api/types.js';
import { categoryPath } from '../../ui/paths.js';
import { subcategoryPicture } from '../goods/subcategory-pictures.js';
import { adsOf, type Category, productsWords } from './catalogue.js';

interface SubcategoriesProps {
  readonly category: Category;
  readonly counts: Facets['subcategory'] | undefined;
}

/** A card for each subcategory: picture, name and number of ads. */
export function Subcategories({ category, counts }: SubcategoriesProps) {
  return (
    <ul className="subgrid" aria-label={`Subcategories of ${category.name}`}>
      {category.subcategories.map((name) => {
        const ads = adsOf(counts, name);
        return (
          <li key={name}>
            <Link className="sub" to={categoryPath(category.name, name)}>
              <img
                src={subcategoryPicture(name)}
                alt=""
                width="180"
                height="156"
                decoding="async"
              />
              <span>
                <b>{name}</b>
                <small className="num">{ads === undefined ? '\u00a0' : productsWords(ads)}</small>
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
