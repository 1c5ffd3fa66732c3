import { categories } from '@oja/domain/rules';
import { PackageSearch } from 'lucide-react';
import { Screen } from '../../app/Screen.js';
import { ButtonLink } from '../../ui/Button.js';
import { categoryPath } from '../../ui/paths.js';
import { EmptyState } from '../../ui/States.js';

/** An address of a category that is not there. */
export function UnknownCategory() {
  return (
    <Screen title="No such category" className="page">
      <EmptyState
        motif="steps"
        icon={PackageSearch}
        headingLevel="h1"
        title="There is no such category"
        line="These are the categories of the market:"
        action={
          <ul className="row wrap othercats">
            {categories.map(({ name }) => (
              <li key={name}>
                <ButtonLink look="line" to={categoryPath(name)}>
                  {name}
                </ButtonLink>
              </li>
            ))}
          </ul>
        }
      />
    </Screen>
  );
}
