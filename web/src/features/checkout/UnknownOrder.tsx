import { PackageX } from 'lucide-react';
import { keepOrder, useOrders } from '../../stores/orders.js';
import { Button, ButtonLink } from '../../ui/Button.js';
import { EmptyState } from '../../ui/States.js';

/** The server knows no such order, or its record was removed after delivery. */
export function UnknownOrder({ orderKey }: { readonly orderKey: string }) {
  const kept = useOrders().some(({ key, stage }) => key === orderKey && stage !== 'closed');
  return (
    <EmptyState
      motif="lozenge"
      icon={PackageX}
      paper
      headingLevel="h1"
      title="We do not know this order"
      line="Open the whole link from your receipt. If it still leads here, the record of this order was removed after delivery."
      action={
        kept ? (
          <Button look="line" onClick={() => keepOrder(orderKey, 'closed')}>
            Take it off my orders
          </Button>
        ) : (
          <ButtonLink to="/contact">Contact us</ButtonLink>
        )
      }
    />
  );
}
