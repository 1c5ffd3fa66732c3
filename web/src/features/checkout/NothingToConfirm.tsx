import { PackageSearch } from 'lucide-react';
import { useEffect } from 'react';
import { setDeliveryStatus } from '../../stores/orders.js';
import { ButtonLink } from '../../ui/Button.js';
import { EmptyState } from '../../ui/States.js';

/** This browser keeps no open order. A bell that led here has nothing to ring for. */
export function NothingToConfirm() {
  useEffect(() => setDeliveryStatus('AVAILABLE'), []);
  return (
    <EmptyState
      motif="lozenge"
      icon={PackageSearch}
      headingLevel="h1"
      title="There is no delivery to confirm"
      line="Did you pay on another phone or browser? Open the link in your receipt e-mail here."
      action={<ButtonLink to="/">Go to the market</ButtonLink>}
    />
  );
}
