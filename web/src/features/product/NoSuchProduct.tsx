import { PackageSearch } from 'lucide-react';
import { Screen } from '../../app/Screen.js';
import { ButtonLink } from '../../ui/Button.js';
import { EmptyState } from '../../ui/States.js';

/** An address of a product that is not there. */
export function NoSuchProduct() {
  return (
    <Screen title="No such product" className="page">
      <EmptyState
        motif="steps"
        icon={PackageSearch}
        headingLevel="h1"
        title="This product is not on the market"
        line="Its seller may have taken it down, or the link is not complete."
        action={<ButtonLink to="/">Go to the market</ButtonLink>}
      />
    </Screen>
  );
}
