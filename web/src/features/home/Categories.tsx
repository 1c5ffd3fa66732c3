import { type CategoryName, categories } from '@oja/domain/rules';
import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { categoryMotif } from '../../ui/category-motif.js';
import { classes } from '../../ui/classes.js';
import { Icon } from '../../ui/Icon.js';
import { categoryPath } from '../../ui/paths.js';
import { subcategoryPicture } from '../goods/subcategory-pictures.js';

/** The four categories with their subcategories. */
export function Categories() {
  return (
    <section className="page sec" aria-labelledby="categories">
      <div className="hd">
        <h2 id="categories">CATEGORIES</h2>
      </div>
      <div className="cats">
        {categories.map(({ name, subcategories }) => (
          <Category key={name} name={name} subcategories={subcategories} />
        ))}
      </div>
    </section>
  );
}

function Category({
  name,
  subcategories,
}: {
  readonly name: CategoryName;
  readonly subcategories: readonly string[];
}) {
  return (
    <section className="cat panel">
      <Link className={classes('cathead cloth', categoryMotif[name])} to={categoryPath(name)}>
        <h3>{name}</h3>
        <Icon of={ArrowRight} />
      </Link>
      <ul>
        {subcategories.map((subcategory) => (
          <li key={subcategory}>
            <Link to={categoryPath(name, subcategory)}>
              <img
                src={subcategoryPicture(subcategory)}
                alt=""
                width="96"
                height="96"
                loading="lazy"
                decoding="async"
              />
              <span>{subcategory}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
